"""The command line, run as users run it."""

import re
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from recollect.settings import NAMES
from tests.server.process import command, environment

Result = subprocess.CompletedProcess[str]


def run(*arguments: str, **variables: str) -> Result:
    return subprocess.run(
        command(*arguments),
        env=environment(variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def output(*arguments: str, **variables: str) -> list[str]:
    """The lines printed by a command that succeeds, and has nothing to complain about."""
    result = run(*arguments, **variables)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


def complaint(result: Result) -> str:
    """The one sentence of a command that fails."""
    assert (result.returncode, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("recollect: ")
    assert line.endswith(".")
    return line


def test_help_lists_every_command() -> None:
    text = "\n".join(output("--help"))
    for name in ("serve", "keys", "config", "doctor"):
        assert re.search(rf"^ +{name} +\w", text, re.MULTILINE), name
    keys = "\n".join(output("keys", "--help"))
    for name in ("create", "list", "revoke"):
        assert re.search(rf"^ +{name} +\w", keys, re.MULTILINE), name


@pytest.mark.parametrize("arguments", [[], ["keys"], ["dance"], ["serve", "--port", "abc"]])
def test_wrong_usage_is_shown_how_it_goes(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("usage: recollect")


def test_keys_are_made_listed_and_revoked(database_url: str) -> None:
    database = ("--database", database_url)
    assert output("keys", "list", *database) == [
        "No keys: a server on this database is in local mode."
    ]
    *_, key = output("keys", "create", "--user", "alice", *database)
    *_, other = output("keys", "create", "--user", "zoë", "--admin", *database)
    assert re.fullmatch(r"rk_[\w-]{43}", key)
    assert key != other

    listed = output("keys", "list", *database)
    assert [line.split()[-2:] for line in listed] == [["active", "alice"], ["admin", "zoë"]]
    assert not any(secret in line for line in listed for secret in (key, other))

    id = listed[0].split()[0]
    assert output("keys", "revoke", id, *database) == ["Revoked."]
    assert output("keys", "list", *database)[0].split()[-2:] == ["revoked", "alice"]
    for unknown in (id, "nonsense"):
        assert "no such key" in complaint(run("keys", "revoke", unknown, *database))


def test_a_key_needs_a_user(tmp_path: Path) -> None:
    database = ("--database", f"sqlite:///{tmp_path}/recollect.db")
    assert run("keys", "create", *database).returncode == 2
    assert "user_id" in complaint(run("keys", "create", "--user", "", *database))


def test_the_settings_in_force_are_shown() -> None:
    lines = output("config", PORT="8123", RECOLLECT_DEFAULT_POLICY="window")
    shown = dict(line.split("=", 1) for line in lines)
    assert shown.keys() == set(NAMES.values())
    assert (shown["PORT"], shown["RECOLLECT_DEFAULT_POLICY"]) == ("8123", "window")
    assert shown["DATABASE_URL"].startswith("sqlite:///")
    assert output("config", "--database", "sqlite:///x.db")[0] == "DATABASE_URL=sqlite:///x.db"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cret@db.example/chat",
        "postgresql://me:s3cret%40s3cret@db.example:5432/chat",
        "postgresql://db.example/chat?user=me&password=s3cret",
        "postgresql://me:s3cret[s3cret@db.example/chat",
        "postgresql://me:s3cret/s3cret@db.example/chat",
    ],
)
def test_passwords_are_not_shown(url: str) -> None:
    (line,) = [line for line in output("config", DATABASE_URL=url) if "DATABASE_URL" in line]
    assert "s3cret" not in line
    assert "postgresql://" in line


def test_a_healthy_installation_is_said_to_be_so(database_url: str) -> None:
    output("keys", "list", DATABASE_URL=database_url)
    lines = output("doctor", DATABASE_URL=database_url)
    topics = [line.split()[0] for line in lines]
    assert topics == ["settings", "database", "migrations", "extensions", "identity", "models"]
    assert re.search(r"vectors v?\d+\.\d+", lines[3])
    assert "local" in lines[4]
    output("keys", "create", "--user", "alice", DATABASE_URL=database_url)
    assert "API keys" in output("doctor", DATABASE_URL=database_url)[4]


def test_the_doctor_creates_nothing(tmp_path: Path) -> None:
    lines = output("doctor", DATABASE_URL=f"sqlite:///{tmp_path}/folder/recollect.db")
    assert "not there yet" in lines[-1]
    assert not list(tmp_path.iterdir())


def test_a_misspelt_setting_is_noticed() -> None:
    assert "RECOLLECT_HOST is." in complaint(run("config", RECOLLECT_HSOT="::1"))
    output("config", RECOLLECT_PORT="tcp://10.0.0.1:80")  # what Kubernetes sets is no misspelling


def test_the_version_is_shown() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", output("--version")[0])


def test_a_sick_one_is_told_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("This is no database, but a text of some length. " * 100)
    for url, reason in [
        (f"sqlite:///{tmp_path}/text.db", "not a database"),
        (f"sqlite:///{tmp_path}/text.db/recollect.db", "cannot be written"),
        ("postgresql://me:s3cret@127.0.0.1:1/chat", "PostgreSQL cannot be reached"),
    ]:
        result = run("doctor", DATABASE_URL=url)
        assert result.returncode == 1
        assert result.stderr.startswith("recollect: ")
        assert reason in result.stderr
        assert "Traceback" not in result.stderr
        assert "s3cret" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "abc"),
        ("PORT", "70000"),
        ("DATABASE_URL", "mysql://x"),
        ("DATABASE_URL", "recollect.db"),
        ("RECOLLECT_DEFAULT_POLICY", "nonsense"),
        ("RECOLLECT_MAX_BODY_BYTES", "-1"),
        ("RECOLLECT_MAX_MESSAGE_BYTES", "1e6"),
        ("RECOLLECT_SWEEP_SECONDS", "0"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str) -> None:
    assert name in complaint(run("serve", **{name: value}))


def test_a_taken_port_is_said_plainly(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        database = f"sqlite:///{tmp_path}/recollect.db"
        said = complaint(run("serve", "--port", port, "--database", database))
    assert f"127.0.0.1:{port}" in said
    assert "in use" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("address", [("127.0.0.1", "70000"), ("nowhere.invalid", "0")])
def test_an_impossible_address_is_said_plainly(tmp_path: Path, address: tuple[str, str]) -> None:
    host, port = address
    database = f"sqlite:///{tmp_path}/recollect.db"
    said = complaint(run("serve", "--host", host, "--port", port, "--database", database))
    assert host in said


def test_the_default_database_is_private(tmp_path: Path) -> None:
    output("keys", "list", HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "data"))
    (database,) = tmp_path.rglob("recollect.db")
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
