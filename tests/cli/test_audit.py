"""`recollect audit`."""

import json
from pathlib import Path

from tests.cli.commands import output


def test_operator_is_recorded(tmp_path: Path) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/recollect.db")
    output("keys", "create", "--user", "alice", *database)
    output("export", "--user", "alice", *database)
    output("keys", "create", "--user", "bob", *database)
    output("users", "delete", "--user", "alice", "--yes", *database)
    entries = [json.loads(line) for line in output("audit", *database)]
    assert [(entry["user_id"], entry["operation"], entry["action"]) for entry in entries] == [
        ("alice", "users delete", "delete"),
        ("bob", "keys create", "change"),
        ("alice", "export", "export"),
        ("alice", "keys create", "change"),
    ]
    assert {entry["actor"] for entry in entries} == {"cli"}
    assert len(output("audit", "--user", "bob", *database)) == 1
