"""The files in an archive as ChatGPT and Claude hand it out; or a file by itself."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from recollect.core.errors import BrokenFile, InvalidInput

_CHUNK = 1 << 16
_WANTED = re.compile(r"(?:.*/)?(?:conversations(?:-\d+)?\.json|[^/]*\.jsonl)")
"""A large export of ChatGPT's is cut into several files."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file to import, or a member of an archive."""

    path: Path
    size: int
    member: str | None = None

    def chunks(self) -> Iterator[bytes]:
        with _failures_told(self.path), self._opened() as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if self.member is None:
            with self.path.open("rb") as file:
                yield file
        else:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
                yield cast(BinaryIO, file)


def parts_of(path: Path) -> list[Part]:
    """Raises InvalidInput where there is nothing to import."""
    with _failures_told(path):
        if not zipfile.is_zipfile(path):
            return [Part(path, path.stat().st_size)]
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if _WANTED.fullmatch(one.filename)]
    if not members:
        raise InvalidInput(f"There is no conversations.json in {path}.")
    members.sort(key=lambda one: one.filename)
    return [Part(path, one.file_size, one.filename) for one in members]


@contextmanager
def _failures_told(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise BrokenFile(f"{path} is damaged: {error}.") from error
    except (OSError, RuntimeError, NotImplementedError) as error:  # the latter: a password
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(f"{path} cannot be read: {reason}.") from error
