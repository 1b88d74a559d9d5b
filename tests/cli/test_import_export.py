"""`recollect export` and `recollect import`."""

import json
import os
import pty
import re
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from recollect import MessageIn, NotFound, Settings
from recollect.sync import Recollect
from tests.chatgpt_export import conversations, export_chunks
from tests.cli.commands import call
from tests.server.process import command, environment

Result = subprocess.CompletedProcess[bytes]


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/recollect.db"


def run(database: str, *arguments: str, stdin: bytes = b"") -> Result:
    return subprocess.run(
        command(*arguments, "--database", database),
        env=environment(),
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )


def output(database: str, *arguments: str, stdin: bytes = b"") -> list[str]:
    result = run(database, *arguments, stdin=stdin)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode().split("\n")[:-1]


def wrote(database: str, *arguments: str) -> str:
    """The counts that an export into a file prints."""
    result = run(database, *arguments)
    assert (result.returncode, result.stdout) == (0, b"")
    found = re.fullmatch(
        rf"Wrote (.+) of local to {re.escape(arguments[1])}\.\n", result.stderr.decode()
    )
    assert found
    return f"{found[1]}."


@pytest.mark.torture
def test_archives_are_imported_and_exported(database: str, tmp_path: Path) -> None:
    archive = tmp_path / "chatgpt.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("user.json", "{}")
        out.writestr("conversations-000.json", b"".join(export_chunks(5)))
        out.writestr("conversations-001.json", b"".join(export_chunks(5, seed=2)))
    told, _ = output(database, "import", str(archive))
    assert re.fullmatch(r"Imported: 10 conversations, \d+ messages\.", told)
    nothing, there = output(database, "import", str(archive))
    assert nothing == "Imported: nothing."
    assert there == told.replace("Imported", "Already there, or deleted here")

    exported = output(database, "export")
    copy = tmp_path / "export.jsonl"
    assert wrote(database, "export", str(copy)) == told.removeprefix("Imported: ")
    assert copy.read_text(encoding="utf-8").split("\n")[:-1] == exported
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    refused = run(database, "export", str(copy))
    assert (refused.returncode, b"--force" in refused.stderr) == (1, True)
    assert wrote(database, "export", str(copy), "--force") == told.removeprefix("Imported: ")
    assert sorted(path.suffix for path in tmp_path.glob("export*")) == [".jsonl"]

    output(database, "import", "-", "--user", "bob", stdin=copy.read_bytes())
    assert output(database, "export", "--user", "bob")[1:] == exported[1:]


@pytest.mark.torture
def test_import_reports_failures(database: str, tmp_path: Path) -> None:
    fine = next(conversations(1))
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([fine, {**fine, "id": None, "conversation_id": None}]))
    partly = run(database, "import", str(file))
    assert partly.returncode == 1
    assert re.match(rb"Imported: 1 conversation, \d+ messages\.", partly.stdout)
    assert re.fullmatch(r"recollect: conversation 2.*: It has no id\.\n", partly.stderr.decode())

    (tmp_path / "empty.zip").write_bytes(b"PK\x05\x06" + b"\0" * 18)
    (tmp_path / "cut.json").write_bytes(file.read_bytes()[:-9])
    for name, said in [
        ("missing.json", "No such file"),
        ("empty.zip", "no conversations.json"),
        ("cut.json", "cut off"),
        (".", "Is a directory"),
    ]:
        failed = run(database, "import", str(tmp_path / name))
        assert (failed.returncode, failed.stdout) == (1, b"")
        (line,) = failed.stderr.decode().splitlines()
        assert line.startswith("recollect: ")
        assert said in line


@pytest.mark.torture
def test_progress_is_shown_on_a_terminal(database: str, tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_bytes(b"".join(export_chunks(20)))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("import", str(file), "--database", database),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    told, _ = process.communicate(timeout=60)
    seen = os.read(ours, 65_536).decode()
    os.close(ours)
    assert b"Imported: 20 conversations" in told
    shares = [int(share) for share in re.findall(r"(\d+)%", seen)]
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert shares[-1] == 100


def test_exporting_an_unknown_user_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/recollect.db", embedder="none")
    said = [MessageIn(role="user", content='{"kind":"message",', metadata={"kind": "message"})]
    with Recollect.open(settings=settings) as memory:
        memory.conversations.create_conversation(user_id="alice", messages=said)
        memory.keys.create_key(user_id="bob")
    for user, told in (
        ("alice", "1 conversation, 1 message"),
        ("bob", "0 conversations, 0 messages"),
    ):
        file = tmp_path / f"{user}.jsonl"
        assert call("export", str(file), "--user", user, settings=settings) == 0
        assert capsys.readouterr() == ("", f"Wrote {told} of {user} to {file}.\n")
        assert file.read_text().count("\n") == (4 if user == "alice" else 2)
    typo = tmp_path / "typo.jsonl"
    for to in (["-"], [str(typo)]):
        with pytest.raises(NotFound, match=r"There is no user alcie in sqlite:///.*\.$"):
            call("export", *to, "--user", "alcie", settings=settings)
    assert capsys.readouterr() == ("", "")
    assert not list(tmp_path.glob("typo*"))
