"""`recollect search` and `recollect rebuild`."""

import re
from pathlib import Path

import pytest

from recollect import MessageIn
from recollect.sync import Recollect
from tests.cli.commands import error_of, output, run
from tests.raw import RawDatabase


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_search_prints_hits(memory: Recollect, database_url: str) -> None:
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
    assert found("fix", "the", "mortgage") == ["No results."]  # of another user


def test_invalid_search_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    database = ("--database", url)
    with Recollect.open(url):
        pass
    assert "q is empty" in error_of(run("search", " ", *database))
    assert "limit" in error_of(run("search", "a", "--limit", "0", *database))
    assert run("search", "a", "--kind", "nonsense", *database).returncode == 2


def test_rebuild_restores_the_search_index(
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
