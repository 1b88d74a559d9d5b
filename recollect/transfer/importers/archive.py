"""The importable files of a ZIP archive, as ChatGPT and Claude export them, or a single file."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from recollect.core.errors import BrokenFile, InvalidInput

_CHUNK_BYTES = 1 << 16
_IMPORTABLE = re.compile(r"(?:.*/)?(?:conversations(?:-\d+)?\.json|[^/]*\.jsonl)")
"""ChatGPT splits a large export into several files."""


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file, or a member of an archive."""

    path: Path
    size: int
    member: str | None = None

    def chunks(self) -> Iterator[bytes]:
        with _map_errors(self.path), self._opened() as file:
            while chunk := file.read(_CHUNK_BYTES):
                yield chunk

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if self.member is None:
            with self.path.open("rb") as file:
                yield file
        else:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
                yield cast(BinaryIO, file)


def list_import_files(path: Path) -> list[ImportFile]:
    """Raises InvalidInput if there is nothing to import."""
    with _map_errors(path):
        if not zipfile.is_zipfile(path):
            return [ImportFile(path, path.stat().st_size)]
        with zipfile.ZipFile(path) as archive:
            members = [
                member for member in archive.infolist() if _IMPORTABLE.fullmatch(member.filename)
            ]
    if not members:
        raise InvalidInput(f"There is no conversations.json in {path}.")
    members.sort(key=lambda member: member.filename)
    return [ImportFile(path, member.file_size, member.filename) for member in members]


@contextmanager
def _map_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise BrokenFile(f"{path} is damaged: {error}.") from error
    except (OSError, RuntimeError, NotImplementedError) as error:  # encrypted archives
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(f"{path} cannot be read: {reason}.") from error
