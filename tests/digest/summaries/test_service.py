"""`memory.summaries`, on both databases: each change is a new version."""

from collections.abc import Callable, Iterator

import pytest

from recollect import BrokenCursor, Conflict, InvalidInput, Message, MessageIn, NotFound, TooLarge
from recollect.core import tokens
from recollect.core.ids import new_id
from recollect.core.policy import PolicySettings, presets
from recollect.core.types import Summary
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.recall.sample_conversations import Draft, assistant, call, tool, turns, user

SMALL = presets(
    PolicySettings(
        memory_chunk_summarize_threshold=30, memory_k_raw_turns=1, memory_summary_token_cap=120
    )
)
WORDS = " and went on about the garden and the roof"
MINE = "I am allergic to nuts."


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One database for all tests; each has its own conversation."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('summaries')}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)


@pytest.fixture(scope="module")
def memory(url: str) -> Iterator[Recollect]:
    """An engine with low limits and no model."""
    with Recollect.open(url, policies=SMALL) as opened:
        yield opened


class Chat:
    def __init__(self, memory: Recollect) -> None:
        self.memory = memory
        self.id = memory.conversations.create_conversation(user_id="ada").id
        self.messages: list[Message] = []

    def say(self, *drafts: Draft) -> None:
        messages = [MessageIn(**draft) for draft in drafts]
        self.messages += self.memory.conversations.add_messages(
            messages, conversation_id=self.id, user_id="ada"
        )

    def digest(self) -> Summary:
        done = self.memory.summaries.compact(conversation_id=self.id, user_id="ada", force=True)
        assert done.compacted, done.reason
        assert done.summary is not None
        return done.summary

    @property
    def summary(self) -> Summary:
        return self.memory.summaries.get_summary(conversation_id=self.id, user_id="ada")

    def edit(self, text: str, version: int | None = None) -> Summary:
        version = self.summary.version if version is None else version
        return self.memory.summaries.edit_summary(
            text, conversation_id=self.id, user_id="ada", version=version
        )

    def roll_back(self, version: int) -> Summary:
        return self.memory.summaries.roll_back_summary(
            conversation_id=self.id, user_id="ada", version=version
        )

    def rebuild(self) -> Summary:
        return self.memory.summaries.rebuild_summary(conversation_id=self.id, user_id="ada")

    def delete(self, seq: int) -> int:
        """Returns how many summaries went with it."""
        (gone,) = [message for message in self.messages if message.seq == seq]
        return self.memory.conversations.delete_message(message_id=gone.id, user_id="ada").summaries

    def versions(self) -> list[int]:
        return [
            one.version
            for one in self.memory.summaries.list_versions(conversation_id=self.id, user_id="ada")
        ]


@pytest.fixture
def chat(memory: Recollect) -> Chat:
    return Chat(memory)


@pytest.fixture
def digested(chat: Chat) -> Chat:
    """A conversation with versions 1 to 3, through 4, 8 and 12."""
    for _ in range(3):
        chat.say(*turns(2, words=WORDS))
        chat.say(user("next"), assistant("yes"))
        chat.digest()
    return chat


def check(chat: Chat, raw: RawDatabase) -> None:
    """Compare the conversation's counters with a full scan."""
    ((version, last, through, summary_tokens, count, size),) = raw.execute(
        "select summary_version, last_summary_version, through_seq, summary_tokens,"
        " digested_messages, digested_tokens from conversations where id = :id",
        id=chat.id,
    )
    rows = raw.execute("select seq, tokens from messages where conversation_id = :id", id=chat.id)
    covered = [tokens for seq, tokens in rows if seq <= through]
    current = chat.summary
    assert (version, through) == (current.version, current.through_seq)
    assert last >= max([0, *chat.versions()])
    assert summary_tokens == current.tokens == tokens.count(current.text)
    assert current.tokens <= 120
    assert (count, size) == (len(covered), sum(covered))


@pytest.fixture
def raw(url: str) -> RawDatabase:
    return RawDatabase(url)


# Reading


def test_version_0_is_empty(chat: Chat) -> None:
    none = chat.summary
    assert (none.version, none.text, none.through_seq, none.ledger) == (0, "", 0, ())
    assert chat.versions() == []
    assert (
        chat.memory.summaries.get_summary(conversation_id=chat.id, user_id="ada", version=0).version
        == 0
    )


def test_compaction_adds_a_version(digested: Chat, raw: RawDatabase) -> None:
    assert digested.versions() == [3, 2, 1]
    newest = digested.summary
    assert (newest.version, newest.base_version, newest.author) == (3, 2, "extractive")
    assert (newest.model, newest.prompt_version) == (None, None)
    assert newest.tokens == tokens.count(newest.text) <= 120
    get = digested.memory.summaries.get_summary
    versions = [get(conversation_id=digested.id, user_id="ada", version=n) for n in (1, 2, 3)]
    reached = [version.through_seq for version in versions]
    assert reached == sorted(set(reached))
    check(digested, raw)


def test_versions_are_paged(digested: Chat) -> None:
    first = digested.memory.summaries.list_versions(
        conversation_id=digested.id, user_id="ada", limit=2
    )
    assert [one.version for one in first] == [3, 2]
    assert first.next_cursor is not None
    digested.edit("Another one.")
    rest = digested.memory.summaries.list_versions(
        conversation_id=digested.id, user_id="ada", limit=2, cursor=first.next_cursor
    )
    assert [one.version for one in rest] == [1]
    assert rest.next_cursor is None
    other = Chat(digested.memory)
    with pytest.raises(BrokenCursor):
        digested.memory.summaries.list_versions(
            conversation_id=other.id, user_id="ada", cursor=first.next_cursor
        )


def test_unknown_version_is_not_found(digested: Chat) -> None:
    for version in (4, -1):
        with pytest.raises(NotFound):
            digested.memory.summaries.get_summary(
                conversation_id=digested.id, user_id="ada", version=version
            )
        with pytest.raises(NotFound):
            digested.roll_back(version)
    assert digested.versions() == [3, 2, 1]


@pytest.mark.parametrize("stranger", ["bob", "nobody"])
def test_other_users_summary_is_not_found(digested: Chat, stranger: str) -> None:
    summaries = digested.memory.summaries
    calls: list[Callable[[], object]] = [
        lambda: summaries.get_summary(conversation_id=digested.id, user_id=stranger),
        lambda: summaries.get_coverage(conversation_id=digested.id, user_id=stranger),
        lambda: summaries.list_versions(conversation_id=digested.id, user_id=stranger),
        lambda: summaries.edit_summary(
            "Mine.", conversation_id=digested.id, user_id=stranger, version=3
        ),
        lambda: summaries.roll_back_summary(
            conversation_id=digested.id, user_id=stranger, version=0
        ),
        lambda: summaries.rebuild_summary(conversation_id=digested.id, user_id=stranger),
        lambda: summaries.compact(conversation_id=digested.id, user_id=stranger, force=True),
        lambda: summaries.compare_versions(1, 2, conversation_id=digested.id, user_id=stranger),
        lambda: summaries.get_summary(conversation_id=new_id(), user_id="ada"),
        lambda: summaries.get_summary(conversation_id="no id", user_id="ada"),
    ]
    for call_it in calls:
        with pytest.raises(NotFound):
            call_it()
    assert digested.versions() == [3, 2, 1]


def test_coverage_has_last_message_and_last_answer(chat: Chat) -> None:
    none = chat.memory.summaries.get_coverage(conversation_id=chat.id, user_id="ada")
    assert (none.message_id, none.answer_id) == (None, None)
    chat.say(
        user("one" + WORDS),
        assistant("two" + WORDS),
        user("three" + WORDS),
        assistant(tool_calls=[call(id="a")]),
        tool("five" + WORDS, of="a"),
        user("six"),
        assistant("seven"),
    )
    assert chat.digest().through_seq == 5
    covered = chat.memory.summaries.get_coverage(conversation_id=chat.id, user_id="ada")
    assert covered.message_id == chat.messages[4].id
    assert covered.answer_id == chat.messages[3].id


def test_coverage_without_an_answer(chat: Chat) -> None:
    chat.say(user("one" + WORDS), {"role": "system", "content": "be kind"})
    chat.say(assistant("two"), user("three"))
    chat.digest()
    chat.delete(3)
    chat.memory.summaries.compact(conversation_id=chat.id, user_id="ada", force=True)
    covered = chat.memory.summaries.get_coverage(conversation_id=chat.id, user_id="ada")
    assert covered.answer_id is None


# Editing


def test_edit_adds_a_version_by_the_user(digested: Chat, raw: RawDatabase) -> None:
    before = digested.summary
    new = digested.edit(f"  {MINE}\n")
    assert (new.version, new.base_version, new.author) == (4, 3, "user")
    assert (new.text, new.user_text, new.tokens) == (MINE, MINE, tokens.count(MINE))
    assert (new.model, new.tokens_in, new.tokens_out, new.duration_ms) == (None, 0, 0, 0)
    assert (new.through_seq, new.ledger) == (before.through_seq, before.ledger)
    assert digested.summary == new
    assert (
        digested.memory.summaries.get_summary(conversation_id=digested.id, user_id="ada", version=3)
        == before
    )
    check(digested, raw)


def test_stale_edit_is_a_conflict(digested: Chat) -> None:
    digested.edit("Mine first.", version=3)
    with pytest.raises(Conflict, match="version 4, not 3"):
        digested.edit("Mine too.", version=3)
    with pytest.raises(Conflict):
        digested.edit("From the future.", version=5)
    assert (digested.summary.version, digested.summary.text) == (4, "Mine first.")


def test_user_can_write_the_first_summary(chat: Chat) -> None:
    new = chat.edit(MINE, version=0)
    assert (new.version, new.base_version, new.through_seq, new.author) == (1, 0, 0, "user")
    with pytest.raises(Conflict):
        chat.edit("Again.", version=0)


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", "\ud800"])
def test_invalid_text_is_rejected(chat: Chat, text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        chat.edit(text, version=0)
    assert refusal.value.field == "text"
    assert chat.versions() == []


def test_text_over_the_cap_is_rejected(chat: Chat) -> None:
    with pytest.raises(TooLarge, match="at most 120"):
        chat.edit("word " * 121, version=0)
    assert chat.versions() == []


def test_user_text_has_only_the_users_sentences(digested: Chat) -> None:
    before = digested.summary
    edited = digested.edit(f"{MINE}\n{before.text}")
    assert edited.user_text == MINE
    again = digested.edit(f"{edited.text}\nCall me Ada.")
    assert again.user_text == f"{MINE}\nCall me Ada."
    less = digested.edit("Call me Ada.")
    assert less.user_text == "Call me Ada."


# Comparing


def test_versions_are_compared_by_sentence(chat: Chat) -> None:
    chat.edit("One thing. Another thing.")
    chat.edit("Another thing. A third thing.")
    compared = chat.memory.summaries.compare_versions(1, 2, conversation_id=chat.id, user_id="ada")
    assert (compared.added, compared.removed) == (("A third thing.",), ("One thing.",))
    from_none = chat.memory.summaries.compare_versions(0, 1, conversation_id=chat.id, user_id="ada")
    assert (from_none.added, from_none.removed) == (("One thing.", "Another thing."), ())


def test_versions_are_compared_by_value(chat: Chat) -> None:
    chat.say(user("The budget is 1,250 euros." + WORDS), assistant("Noted." + WORDS))
    chat.say(user("next"), assistant("yes"))
    chat.digest()
    chat.say(user("The order number is AB-1234." + WORDS), assistant("Noted." + WORDS))
    chat.say(user("next"), assistant("yes"))
    chat.digest()
    compared = chat.memory.summaries.compare_versions(1, 2, conversation_id=chat.id, user_id="ada")
    assert "AB-1234" in [value.value for value in compared.values_added]
    assert compared.values_removed == ()


# Rolling back


def test_rollback_adds_a_copy_of_the_old_version(digested: Chat, raw: RawDatabase) -> None:
    old = digested.memory.summaries.get_summary(
        conversation_id=digested.id, user_id="ada", version=1
    )
    new = digested.roll_back(1)
    assert (new.version, new.base_version) == (4, 1)
    assert (new.text, new.ledger, new.through_seq) == (old.text, old.ledger, old.through_seq)
    assert digested.versions() == [4, 3, 2, 1]
    check(digested, raw)
    again = digested.digest()
    assert (again.version, again.base_version) == (5, 4)
    assert again.through_seq > old.through_seq
    check(digested, raw)


def test_rollback_to_0_removes_the_summary(digested: Chat, raw: RawDatabase) -> None:
    none = digested.roll_back(0)
    assert (none.version, none.text, none.through_seq) == (0, "", 0)
    assert digested.summary.version == 0
    assert digested.versions() == [3, 2, 1], "they stay, and one can go back to them"
    check(digested, raw)
    assert digested.roll_back(2).version == 4
    check(digested, raw)


def test_rollback_stays_until_a_new_message(digested: Chat) -> None:
    digested.memory.work()
    digested.roll_back(0)
    digested.memory.work()
    assert digested.summary.version == 0
    digested.say(*turns(1))
    digested.memory.work()
    assert digested.summary.version == 4
    assert digested.summary.through_seq > 0


# Rebuilding


def test_rebuild_reads_the_raw_messages(digested: Chat, raw: RawDatabase) -> None:
    through = digested.summary.through_seq
    new = digested.rebuild()
    assert (new.version, new.base_version, new.through_seq) == (4, 3, through)
    assert new.author == "extractive"
    assert new.text
    assert digested.summary == new
    check(digested, raw)


def test_rebuild_without_a_summary_compacts(chat: Chat) -> None:
    assert chat.rebuild().version == 0
    chat.say(*turns(3, words=WORDS))
    assert chat.rebuild().version == 1


# User text


def test_user_text_survives_compaction_and_rebuild(chat: Chat, raw: RawDatabase) -> None:
    chat.say(*turns(2, words=WORDS))
    chat.digest()
    chat.edit(f"{MINE}\n{chat.summary.text}")
    for _ in range(3):
        chat.say(*turns(2, words=WORDS))
        assert chat.digest().text.startswith(f"{MINE}\n")
    assert chat.rebuild().text.startswith(f"{MINE}\n")
    assert (chat.summary.user_text, chat.summary.author) == (MINE, "extractive")
    chat.roll_back(1)
    assert MINE not in chat.summary.text
    check(chat, raw)


def test_user_text_survives_a_rebuild_without_coverage(chat: Chat) -> None:
    chat.edit(MINE)
    assert chat.rebuild().text == MINE
    chat.say(*turns(2, words=WORDS))
    assert chat.rebuild().text.startswith(MINE)
    assert chat.digest().text.startswith(f"{MINE}\n")


def test_user_text_survives_deletion_of_a_covered_message(digested: Chat, raw: RawDatabase) -> None:
    digested.edit(f"{MINE}\n{digested.summary.text}")
    digested.delete(8)
    left = digested.summary
    assert left.text.startswith(MINE)
    assert (left.user_text, left.author, left.version) == (MINE, "user", 5)
    assert left.through_seq < 8
    check(digested, raw)
    assert digested.digest().text.startswith(f"{MINE}\n")
    check(digested, raw)


def test_user_text_survives_deletion_within_the_cap(chat: Chat, raw: RawDatabase) -> None:
    chat.say(*turns(6, words=WORDS))
    assert chat.digest().tokens > 90
    chat.say(*turns(2, words=WORDS))
    chat.digest()
    mine = "\n".join(f"I own house number {n} in our little street." for n in range(4))
    chat.edit(mine)
    chat.delete(13)
    assert chat.summary.text.startswith(mine)
    check(chat, raw)


def test_user_text_survives_deletion_of_all_covered_messages(chat: Chat, raw: RawDatabase) -> None:
    chat.say(*turns(2, words=WORDS))
    chat.digest()
    chat.edit(MINE)
    chat.delete(1)
    left = chat.summary
    assert (left.text, left.user_text, left.through_seq, left.ledger) == (MINE, MINE, 0, ())
    check(chat, raw)


def test_user_text_is_limited_to_half_the_cap(chat: Chat) -> None:
    sentences = [f"I own house number {n} in our little street." for n in range(9)]
    chat.edit("\n".join(sentences))
    chat.say(*turns(3, words=WORDS))
    kept = chat.digest().user_text.split("\n")
    assert kept == sentences[: len(kept)]
    assert 0 < tokens.count("\n".join(kept)) <= 60 < tokens.count("\n".join(sentences))
    assert chat.summary.text.startswith("\n".join(kept))


# Deleting what was digested


def test_deleted_message_is_in_no_summary(chat: Chat, raw: RawDatabase) -> None:
    chat.say(*turns(2, words=WORDS))
    chat.digest()
    chat.say(user("My secret code is QX-777." + WORDS), assistant("Noted: QX-777." + WORDS))
    chat.say(*turns(1))
    chat.digest()
    chat.say(*turns(2, words=WORDS))
    chat.digest()
    assert "QX-777" in str(chat.summary)
    first = chat.memory.summaries.get_summary(conversation_id=chat.id, user_id="ada", version=1)
    assert chat.delete(5) == 2
    assert chat.delete(6) == 0
    assert chat.versions() == [1]
    assert chat.summary == first
    check(chat, raw)
    new = chat.digest()
    assert (new.version, new.base_version) == (4, 1)
    chat.rebuild()
    rows = raw.execute("select text, ledger, kept from summaries where conversation_id = :id",
                       id=chat.id)  # fmt: skip
    assert "QX-777" not in str(rows)
    check(chat, raw)


def test_deletion_after_the_summary_keeps_it(digested: Chat, raw: RawDatabase) -> None:
    before = digested.summary
    assert digested.delete(digested.messages[-1].seq) == 0
    assert digested.summary == before
    check(digested, raw)


def test_deletion_enqueues_a_digest_if_due(digested: Chat) -> None:
    digested.memory.work()
    digested.delete(1)
    assert digested.versions() == []
    digested.memory.work()
    assert digested.summary.version == 4
    assert digested.summary.through_seq > 8


def test_deletion_does_not_restore_rolled_back_versions(digested: Chat, raw: RawDatabase) -> None:
    digested.roll_back(0)
    digested.delete(8)
    assert digested.summary.version == 0
    check(digested, raw)


def test_version_numbers_are_never_reused(digested: Chat) -> None:
    seen = {3}
    changes: list[Callable[[], object]] = [
        lambda: digested.edit(MINE),
        lambda: digested.roll_back(1),
        digested.rebuild,
        lambda: digested.delete(1) and digested.digest(),
        lambda: digested.roll_back(0),
        digested.digest,
        lambda: digested.delete(2) and digested.digest(),
    ]
    for change in changes:
        change()
        version = digested.summary.version
        assert version == 0 or version not in seen
        assert version == 0 or version > max(seen)
        seen.add(version)
