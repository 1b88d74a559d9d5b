"""`recollect keys`."""

import re
import stat
from pathlib import Path

import pytest

from recollect.sync import Recollect
from tests.cli.commands import error_of, output, run


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_keys_are_created_listed_and_revoked(database_url: str) -> None:
    database = ("--database", database_url)
    with Recollect.open(database_url):
        pass
    assert output("keys", "list", *database) == [
        "No keys: a server on this database runs in local mode."
    ]
    *_, key = output("keys", "create", "--user", "alice", *database)
    *_, other = output("keys", "create", "--user", "zoë", "--admin", *database)
    assert re.fullmatch(r"rk_[\w-]{43}", key)
    assert key != other

    listed = output("keys", "list", *database)
    assert [line.split()[-2:] for line in listed] == [["admin", "zoë"], ["active", "alice"]]
    assert not any(secret in line for line in listed for secret in (key, other))

    id = listed[1].split()[0]
    assert output("keys", "revoke", id, *database) == ["Revoked."]
    assert output("keys", "list", *database)[1].split()[-2:] == ["revoked", "alice"]
    for unknown in (id, "nonsense"):
        assert "no such key" in error_of(run("keys", "revoke", unknown, *database))


def test_key_with_name_scope_and_expiry_is_rotated(tmp_path: Path) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/recollect.db")
    options = ("--name", "for the app", "--scope", "read", "--expires", "2999-12-31")
    output("keys", "create", "--user", "alice", *options, *database)
    output("keys", "create", "--user", "bob", "--expires", "90d", *database)
    bobs, (line,) = output("keys", "list", *database)[0], output("keys", "list", *database)[1:]
    assert line.split()[3:] == ["2999-12-31", "never", "read", "alice", "'for", "the", "app'"]
    assert bobs.split()[-2:] == ["active", "bob"]
    told, key = output("keys", "rotate", line.split()[0], "--grace", "2", *database)
    assert "valid for 2 more hours" in told
    assert re.fullmatch(r"rk_[\w-]{43}", key)
    assert len(output("keys", "list", *database)) == 3
    for expires in ("yesterday", "2020-01-01"):
        run_ = run("keys", "create", "--user", "alice", "--expires", expires, *database)
        assert run_.returncode in (1, 2)


def test_key_needs_a_user(tmp_path: Path) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/recollect.db")
    assert run("keys", "create", *database).returncode == 2
    assert "user_id" in error_of(run("keys", "create", "--user", "", *database))


def test_the_default_database_is_private(tmp_path: Path) -> None:
    private = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    output("keys", "create", "--user", "alice", **private)
    (database,) = tmp_path.rglob("recollect.db")
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
