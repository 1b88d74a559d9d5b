"""Atomic creation of files: failures leave nothing behind."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Conflict, Misconfigured
from recollect.core.files import atomic_write


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "files"
    folder.mkdir()
    yield folder / "file"
    assert {one.name for one in folder.iterdir()} <= {"file"}


def test_file_is_renamed_when_complete(path: Path) -> None:
    everybodys = os.umask(0)
    try:
        with atomic_write(path) as unfinished:
            unfinished.write_text("half")
            assert not path.exists()
            assert unfinished.parent == path.parent
    finally:
        os.umask(everybodys)
    assert path.read_text() == "half"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_concurrent_writers_do_not_collide(path: Path) -> None:
    with atomic_write(path, force=True) as one, atomic_write(path, force=True) as other:
        one.write_text("one")
        other.write_text("other")
    assert path.read_text() == "one"


def test_failure_keeps_the_existing_file(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(TypeError), atomic_write(path, force=True) as unfinished:
        unfinished.write_text(b"half")  # type: ignore[arg-type]
    with (
        pytest.raises(Misconfigured, match="cannot be written: File exists"),
        atomic_write(path, force=True) as unfinished,
    ):
        unfinished.mkdir()
    assert path.read_text() == "precious"


def test_existing_file_needs_force(path: Path) -> None:
    with pytest.raises(Conflict, match="--force"), atomic_write(path):
        path.write_text("meanwhile")
    with pytest.raises(Conflict, match="--force"), atomic_write(path):
        pytest.fail("It was known before anything had to be written.")
    assert path.read_text() == "meanwhile"
    with atomic_write(path, force=True) as unfinished:
        unfinished.write_text("new")
    assert path.read_text() == "new"


def test_only_regular_files_are_replaced(path: Path) -> None:
    for other in (path.parent, Path(os.devnull)):
        with (
            pytest.raises(Misconfigured, match="not a regular file"),
            atomic_write(other, force=True),
        ):
            pytest.fail("It cannot be replaced.")
    with pytest.raises(Misconfigured, match="No such file"), atomic_write(path / "x"):
        pytest.fail("There is no such folder.")
