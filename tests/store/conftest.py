"""One database with everything in it, made once: tests copy it."""

from pathlib import Path

import pytest

from tests.store import everything


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that nobody writes to."""
    path = tmp_path_factory.mktemp("filled") / "recollect.db"
    everything.fill(f"sqlite:///{path}", *everything.USERS)
    return path
