"""Compaction with a scripted model, on both databases: failures and concurrent changes."""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import Conflict, Message, MessageIn
from recollect.core.instrumentation import Event
from recollect.core.policy import PolicySettings, presets
from recollect.core.types import Summary
from recollect.digest.summaries.compaction import CompactionResult
from recollect.settings import Settings
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.recall.sample_conversations import Draft, assistant, turns, user
from tests.scripted_model import Body, Plain, ScriptedModel, fails

pytestmark = pytest.mark.both_databases

SMALL = presets(
    PolicySettings(
        memory_chunk_summarize_threshold=60,
        memory_k_raw_turns=2,
        summary_window_size=6,
        compress_threshold=6,
        recent_message_count=4,
    )
)
GOOD = "They talked about the garden."
WORDS = " and went on about the garden and the roof"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One database for all tests; each has its own conversation."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('compact')}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)


def opened(url: str, model: ScriptedModel) -> Recollect:
    variants = json.dumps({"scripted": {"model": "nano", "base_url": model.url}})
    return Recollect.open(
        url, settings=Settings(database_url=url, variants=variants, embedder="none"), policies=SMALL
    )


@pytest.fixture(scope="module")
def other(url: str, model: ScriptedModel) -> Iterator[Recollect]:
    """A second engine on the same database."""
    with opened(url, model) as memory:
        yield memory


class Chat:
    def __init__(self, memory: Recollect, model: ScriptedModel, policy: str = "chunked") -> None:
        self.memory = memory
        self.model = model
        self.id = memory.conversations.create_conversation(user_id="ada", policy=policy).id
        self.messages: list[Message] = []

    def say(self, *drafts: Draft, by: Recollect | None = None) -> None:
        messages = [MessageIn(**draft) for draft in drafts]
        recorder = (by or self.memory).conversations
        self.messages += recorder.add_messages(messages, conversation_id=self.id, user_id="ada")

    def compact(self, *, force: bool = False) -> CompactionResult:
        return self.memory.summaries.compact(conversation_id=self.id, user_id="ada", force=force)

    @property
    def summary(self) -> Summary:
        return self.memory.summaries.get_summary(conversation_id=self.id, user_id="ada")

    def meanwhile(self, *acts: Callable[[], object], answer: Plain = GOOD) -> None:
        """While the model is answering, once for each call."""

        def acting(act: Callable[[], object]) -> Callable[[Body], Plain]:
            def answered(body: Body) -> Plain:
                act()
                return answer

            return answered

        self.model.answers(*map(acting, acts))


@pytest.fixture(scope="module")
def memory(url: str, model: ScriptedModel) -> Iterator[Recollect]:
    with opened(url, model) as memory:
        yield memory


@pytest.fixture
def chat(memory: Recollect, model: ScriptedModel) -> Chat:
    """Create a conversation of five turns, of which three can be folded."""
    return new_chat(memory, model)


@pytest.fixture
def chat_apart(url: str, model: ScriptedModel) -> Iterator[Chat]:
    """A conversation in a separate engine, whose model may be paused."""
    with opened(url, model) as memory:
        yield new_chat(memory, model)


def new_chat(memory: Recollect, model: ScriptedModel) -> Chat:
    model.requests.clear()
    model.always = GOOD
    chat = Chat(memory, model)
    chat.say(*turns(5, words=WORDS))
    return chat


def test_older_messages_become_the_next_version(chat: Chat) -> None:
    done = chat.compact()
    assert (done.compacted, done.more) == (True, False)
    assert done.reason == "6 messages were folded into the summary."
    assert done.summary == chat.summary
    summary = chat.summary
    assert (summary.version, summary.base_version, summary.through_seq) == (1, 0, 6)
    assert (summary.text, summary.author, summary.model) == (GOOD, "model", "nano")
    assert (summary.tokens_in, summary.tokens_out) == (1_000, len(GOOD))
    given = chat.model.requests[0].body["messages"][-1]["content"]
    assert "NONE" in given
    assert "question 3" in given
    assert "question 4" not in given
    again = chat.compact()
    assert (again.compacted, again.summary) == (False, summary)
    assert again.reason == "The conversation is below its policy's limit."
    assert len(chat.model.requests) == 1


def test_previous_summary_is_folded_into_the_next(chat: Chat) -> None:
    chat.compact()
    chat.say(*turns(4, words=WORDS))
    chat.model.answers("They went on.")
    assert chat.compact().compacted
    given = chat.model.requests[-1].body["messages"][-1]["content"]
    assert given.startswith(f"=== EXISTING_SUMMARY ===\n{GOOD}\n=== END_EXISTING_SUMMARY ===")
    assert "question 3" not in given
    summary = chat.summary
    assert (summary.version, summary.base_version, summary.text) == (2, 1, "They went on.")


def test_force_does_not_override_a_policy_that_never_digests(chat: Chat) -> None:
    chat.memory.conversations.update_conversation(
        {"policy": "ephemeral"}, conversation_id=chat.id, user_id="ada"
    )
    done = chat.compact(force=True)
    assert (done.compacted, chat.model.requests) == (False, [])
    assert "never digests" in done.reason


def test_tail_over_the_limit_waits(chat: Chat) -> None:
    giant = turns(1, words=WORDS * 8)
    chat.say(user("ok"), assistant("yes"), *giant)
    assert chat.compact().summary == chat.summary
    chat.say(*giant)
    done = chat.compact()
    assert (done.compacted, chat.summary.version) == (False, 1)
    assert done.reason == "What stays verbatim is over the limit by itself; waiting."
    chat.say(*giant)
    assert chat.compact().compacted
    assert len(chat.model.requests) == 2


# Concurrent changes. They return during the model call, so no transaction is open meanwhile.


def test_concurrent_append_does_not_conflict(chat: Chat, other: Recollect) -> None:
    chat.meanwhile(lambda: chat.say(*turns(3, words=WORDS), by=other))
    assert chat.compact().compacted
    assert len(chat.model.requests) == 1
    assert (chat.summary.version, chat.summary.through_seq) == (1, 6)
    stored = chat.memory.conversations.get_messages(conversation_id=chat.id, user_id="ada")
    assert list(stored) == chat.messages
    assert len(stored) == 16


def test_concurrent_edit_is_the_base_of_the_retry(chat: Chat, other: Recollect) -> None:
    def edit() -> None:
        other.summaries.edit_summary("I am Ada.", conversation_id=chat.id, user_id="ada", version=0)

    chat.meanwhile(edit)
    assert chat.compact().compacted
    assert len(chat.model.requests) == 2
    summary = chat.summary
    assert (summary.version, summary.base_version, summary.user_text) == (2, 1, "I am Ada.")
    assert summary.text == f"I am Ada.\n{GOOD}"


def test_concurrently_deleted_message_is_not_summarized(chat: Chat, other: Recollect) -> None:
    gone = chat.messages[2]
    chat.meanwhile(
        lambda: other.conversations.delete_message(message_id=gone.id, user_id="ada"),
        answer="They said question 2.",
    )
    assert chat.compact().compacted
    assert len(chat.model.requests) == 2
    assert "question 2" not in chat.model.requests[1].body["messages"][-1]["content"]
    assert (chat.summary.version, chat.summary.text) == (1, GOOD)


def test_concurrent_rollback_is_a_conflict(chat: Chat, other: Recollect) -> None:
    chat.compact()
    chat.say(*turns(3, words=WORDS))
    chat.meanwhile(
        lambda: other.summaries.roll_back_summary(conversation_id=chat.id, user_id="ada", version=0)
    )
    assert chat.compact().compacted
    summary = chat.summary
    assert (summary.version, summary.base_version) == (2, 0)
    given = chat.model.requests[-1].body["messages"][-1]["content"]
    assert "NONE" in given
    assert "question 1" in given


def test_compaction_fails_after_three_conflicts(chat: Chat, other: Recollect) -> None:
    def edit() -> None:
        version = other.summaries.get_summary(conversation_id=chat.id, user_id="ada").version
        other.summaries.edit_summary(
            f"Edit {version}.", conversation_id=chat.id, user_id="ada", version=version
        )

    chat.meanwhile(edit, edit, edit)
    outcomes: list[str] = []

    def hear(event: Event, value: float, labels: Mapping[str, str]) -> None:
        if event == "digested":
            outcomes.append(labels["outcome"])

    chat.memory._engine.events.subscribe(hear)
    with pytest.raises(Conflict):
        chat.compact()
    assert outcomes == ["lost_race", "lost_race", "lost_race", "failed"]
    assert len(chat.model.requests) == 3
    assert (chat.summary.version, chat.summary.author) == (3, "user")


def test_concurrent_compactions_fold_each_message_once(chat: Chat, other: Recollect) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(memory.summaries.compact, conversation_id=chat.id, user_id="ada")
                for memory in (chat.memory, other)]  # fmt: skip
        done = [one.result() for one in both]
    assert sum(one.compacted for one in done) == 1
    assert [
        one.version
        for one in chat.memory.summaries.list_versions(conversation_id=chat.id, user_id="ada")
    ] == [1]


# Failures


def test_failed_model_gives_an_extractive_summary(chat_apart: Chat) -> None:
    chat_apart.model.answers(fails(400, "No."))
    assert chat_apart.compact().compacted
    summary = chat_apart.summary
    assert (summary.author, summary.model, summary.through_seq) == ("extractive", None, 6)
    assert "the garden and the roof" in summary.text


def test_every_call_is_recorded(chat_apart: Chat) -> None:
    chat_apart.model.answers("", fails(400, "No."))
    chat_apart.compact()
    purposes = chat_apart.memory.analytics.get_analytics(
        user_id="ada", conversation_id=chat_apart.id
    ).by_purpose
    assert purposes["summary"].calls == 2
    assert purposes["summary"].failed == 1


# Eager policies


@pytest.mark.parametrize("answer", [GOOD, "", fails(400, "No.")])
def test_window_is_never_exceeded(chat_apart: Chat, answer: Plain) -> None:
    chat_apart.model.always = answer
    window = Chat(chat_apart.memory, chat_apart.model, policy="window")
    for number in range(14):
        window.say(user(f"message {number}") if number % 2 == 0 else turns(1)[1])
        through = window.summary.through_seq
        entries = number + 1 - through + bool(window.summary.version)
        assert entries <= 6
    assert window.summary.version > 1


def test_tiered_compaction_runs_before_the_context_is_built(chat: Chat) -> None:
    tiered = Chat(chat.memory, chat.model, policy="tiered")
    tiered.say(*turns(4, words=WORDS))
    assert tiered.summary.version == 0
    built = tiered.memory.contexts.build_context("next", conversation_id=tiered.id, user_id="ada")
    assert (tiered.summary.version, tiered.summary.through_seq) == (1, 4)
    contents = [message["content"] for message in built.messages or ()]
    assert contents[0].startswith(f"## Previous Conversation Context\n{GOOD}\n\n")
    assert len(contents) == 6
    assert built.receipt.summary_version == 1
