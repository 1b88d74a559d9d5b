"""Commands that create nothing do not create a database."""

from pathlib import Path

import pytest

from recollect import NotFound, Settings
from tests.cli.commands import call

ANY_ID = "0190f000-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    "command",
    [
        *("keys list", f"keys revoke {ANY_ID}", "users delete --user alice --yes", "export"),
        *("search a", "rebuild", "memories list", f"memories edit {ANY_ID} --pin"),
        *(f"memories {does} {ANY_ID}" for does in ("extract", "history", "undo", "delete")),
    ],
)
def test_missing_database_is_not_created(tmp_path: Path, command: str) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/typo.db", embedder="none")
    with pytest.raises(NotFound, match=f"There is no database at {tmp_path}/typo.db"):
        call(*command.split(), settings=settings)
    assert not list(tmp_path.iterdir())
