"""Which messages are folded and which stay verbatim, on both databases."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import MessageIn
from recollect.core.policy import Policy, PolicySettings, presets
from recollect.core.types import Message
from recollect.digest.summaries import fold
from recollect.digest.summaries.fold import tail_index
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.recall.sample_conversations import Draft, assistant, call, said, tool, turns, user

SMALL = presets(
    PolicySettings(
        memory_chunk_summarize_threshold=20,
        memory_k_raw_turns=3,
        compress_threshold=8,
        recent_message_count=4,
        digest_timing="background",
    )
)
LARGE = Policy(
    name="large", eager_at="context", digest_over_messages=1_000, keep_messages=999
)  # no policy may have more


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One database for all tests; each has its own conversation."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('cut')}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)


@pytest.fixture(scope="module")
def small(url: str) -> Iterator[Recollect]:
    """An engine with low limits."""
    with Recollect.open(url, policies={**SMALL, "large": LARGE}) as opened:
        yield opened


@pytest.fixture
def chat(small: Recollect) -> Callable[..., str]:
    def create(*drafts: Draft, policy: str = "chunked") -> str:
        new = small.conversations.create_conversation(user_id="ada", policy=policy)
        if drafts:
            messages = [MessageIn(**draft) for draft in drafts]
            small.conversations.add_messages(messages, conversation_id=new.id, user_id="ada")
        return new.id

    return create


def folded(memory: Recollect, chat_id: str, *, force: bool = False) -> int:
    """Compact, and return the last covered seq."""
    memory.summaries.compact(conversation_id=chat_id, user_id="ada", force=force)
    return memory.summaries.get_summary(conversation_id=chat_id, user_id="ada").through_seq


# Policies that keep turns


def test_all_turns_but_the_last_k_are_folded(small: Recollect, chat: Callable[..., str]) -> None:
    id = chat(*turns(7))
    assert folded(small, id) == 8


def test_last_k_turns_are_never_folded(small: Recollect, chat: Callable[..., str]) -> None:
    id = chat(*turns(3, words=" word" * 500))
    done = small.summaries.compact(conversation_id=id, user_id="ada")
    assert not done.compacted
    assert done.summary is not None
    assert (done.summary.version, done.summary.through_seq) == (0, 0)


def test_turn_is_folded_with_all_its_answers(small: Recollect, chat: Callable[..., str]) -> None:
    id = chat(
        user("one"),
        user("and more"),
        assistant(tool_calls=[call(id="a")]),
        tool("result", of="a"),
        assistant("answer"),
        *turns(3, words=" word" * 20),
    )
    assert folded(small, id) == 5


def test_next_fold_starts_after_the_last_one(small: Recollect, chat: Callable[..., str]) -> None:
    id = chat(*turns(5, words=" word" * 9))
    assert folded(small, id) == 4
    small.conversations.add_messages(
        [MessageIn(**draft) for draft in turns(4)], conversation_id=id, user_id="ada"
    )
    assert folded(small, id) == 12


@pytest.mark.parametrize(("turn_count", "through"), [(1, 0), (2, 2), (3, 4), (4, 2), (6, 6)])
def test_force_folds_all_but_the_newest_turn(
    small: Recollect, chat: Callable[..., str], turn_count: int, through: int
) -> None:
    id = chat(*turns(turn_count))
    assert folded(small, id, force=True) == through


# Policies that keep messages


def test_all_messages_but_the_last_few_are_folded(
    small: Recollect, chat: Callable[..., str]
) -> None:
    id = chat(*turns(4), user("a ninth"), policy="tiered")
    assert folded(small, id) == 5


def test_nothing_is_folded_below_the_limit(small: Recollect, chat: Callable[..., str]) -> None:
    id = chat(*turns(4), policy="tiered")
    assert folded(small, id) == 0


def test_tool_result_stays_with_its_call(small: Recollect, chat: Callable[..., str]) -> None:
    id = chat(
        *turns(3),
        user("a seventh"),
        assistant(tool_calls=[call(id="a"), call(id="b")]),
        tool("one", of="a"),
        tool("two", of="b"),
        assistant("an eleventh"),
        user("a twelfth"),
        policy="tiered",
    )
    assert folded(small, id) == 10


def test_unanswered_tool_results_stay_with_their_call(
    small: Recollect, chat: Callable[..., str]
) -> None:
    id = chat(
        *turns(3),
        assistant(tool_calls=[call(id=str(n)) for n in range(6)]),
        *(tool("result", of=str(n)) for n in range(6)),
        policy="tiered",
    )
    assert folded(small, id) == 6


def test_question_is_folded_with_its_first_steps(
    small: Recollect, chat: Callable[..., str]
) -> None:
    steps = [
        draft
        for n in range(6)
        for draft in (assistant(tool_calls=[call(id=str(n))]), tool("result", of=str(n)))
    ]
    id = chat(user("go"), *steps, policy="tiered")
    assert folded(small, id) == 9
    built = small.contexts.build_context(conversation_id=id, user_id="ada")
    assert [item.first_seq for item in built.receipt.items if item.section == "message"] == [
        *(1, 10, 11, 12, 13)
    ]


# Streaming answers


def stream(raw: RawDatabase, chat_id: str, seq: int) -> None:
    raw.execute(
        "update messages set status = 'streaming' where conversation_id = :id and seq = :seq",
        id=chat_id,
        seq=seq,
    )


@pytest.mark.parametrize(
    ("policy", "streaming", "through"),
    [("chunked", 6, 4), ("chunked", 5, 4), ("chunked", 2, 0), ("tiered", 6, 5), ("tiered", 1, 0)],
)
def test_nothing_is_folded_from_a_streaming_message_on(
    small: Recollect,
    chat: Callable[..., str],
    url: str,
    policy: str,
    streaming: int,
    through: int,
) -> None:
    id = chat(*turns(8), policy=policy)
    stream(RawDatabase(url), id, streaming)
    assert folded(small, id) == through


# Several rounds


@pytest.mark.parametrize(("is_streaming", "through"), [(False, 3), (True, 1)])
def test_largest_allowed_tail_is_kept(
    small: Recollect, chat: Callable[..., str], url: str, is_streaming: bool, through: int
) -> None:
    id = chat(*turns(501), policy="large")
    if is_streaming:
        stream(RawDatabase(url), id, 1_002)
    assert folded(small, id) == through


def test_long_backlog_is_folded_in_rounds_of_whole_turns(
    small: Recollect, chat: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "_MAX_FOLDED_MESSAGES", 5)
    id = chat(*turns(8))
    reached = []
    while small.summaries.compact(conversation_id=id, user_id="ada").compacted:
        reached.append(small.summaries.get_summary(conversation_id=id, user_id="ada").through_seq)
        assert len(reached) < 9
    assert reached == [4, 8, 10]


def test_turn_longer_than_a_round_is_folded(
    small: Recollect, chat: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "_MAX_FOLDED_MESSAGES", 3)
    id = chat(user("go"), *(assistant(f"step {n}") for n in range(6)), *turns(4))
    assert folded(small, id) == 3
    while small.summaries.compact(conversation_id=id, user_id="ada").more:
        pass
    assert small.summaries.get_summary(conversation_id=id, user_id="ada").through_seq == 9


# The cut between messages


KINDS = st.lists(st.sampled_from("uact"), max_size=12)


def conversation(kinds: list[str]) -> list[Message]:
    drafts = {
        "u": user("question"),
        "a": assistant("answer"),
        "c": assistant(tool_calls=[call()]),
        "t": tool("result"),
    }
    return said(*(drafts[kind] for kind in kinds))


@given(KINDS, st.integers(1, 12))
def test_tail_starts_with_a_tool_result_only_if_there_is_nothing_else(
    kinds: list[str], keep: int
) -> None:
    messages = conversation(kinds)
    start = tail_index(messages, keep)
    assert 0 <= start <= len(messages)
    if start < len(messages) and any(kind != "t" for kind in kinds):
        assert messages[start].role != "tool" or start == 0
    if messages:
        assert start < len(messages), "something stays"
    if "t" not in kinds:
        assert len(messages) - start == min(keep, len(messages))
    unanswered = len(kinds) - len("".join(kinds).rstrip("t"))
    assert len(messages) - start <= max(keep, unanswered + 1)
