"""Lexical search: the same order and scores on both databases."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import product
from math import log

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import MessageIn
from recollect.core.ids import new_id
from recollect.core.types import Role
from recollect.engine import open_database
from recollect.language.analyzer import analyze, query_terms
from recollect.language.passages import split_passages
from recollect.store import search
from recollect.store.database import Run
from recollect.store.search_index import Filters, Kind
from recollect.sync import Recollect

_CORPUS = (
    "The heron stood in the shallow water of the harbour.",
    "A heron.",
    "Herons, herons, herons: the harbour is full of herons today.",
    "We talked about the harbour and the new ferry to the island for most of the evening.",
    "The ferry leaves the harbour at noon, and the next ferry at six.",
    "Lunch was soup and bread.",
    "Where does the ferry leave?",
    "Il traghetto parte dal porto alle sei, con gli aironi che guardano.",
)
_QUESTIONS = (
    "heron",
    "ferry harbour",
    "which ferry leaves the harbour at six with herons",
    "soup",
    "aironi porto",
    "volcano",
)


class Index:
    """The lexical search of one database alone."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self._database = self._runner.run(open_database(url))

    def match(
        self,
        question: str,
        *,
        user: str = "alice",
        kind: Kind = "message",
        among: int = 100,
        limit: int = 200,
        filters: Filters | None = None,
    ) -> dict[str, float]:
        """Scores of the best passages by id, best first."""

        def find(run: Run) -> dict[str, float]:
            rows = search.search(
                run,
                kind,
                terms=query_terms(question),
                vector=None,
                user_id=user,
                filters=filters or Filters(),
                among=among,
                limit=limit,
            )
            found: dict[str, float] = {}
            for row in sorted(rows, key=lambda row: (row["score"], row["id"]), reverse=True):
                found.setdefault(row["id"], row["score"])
            return found

        return self._runner.run(self._database.read(find, user_id=user))

    def close(self) -> None:
        self._runner.run(self._database.close())
        self._runner.close()


@pytest.fixture
def index(memory: Recollect, database_url: str) -> Iterator[Index]:
    opened = Index(database_url)
    yield opened
    opened.close()


def test_scores_are_bm25(memory: Recollect, index: Index) -> None:
    said = _say(memory, *_CORPUS)
    for question, among in product(_QUESTIONS, (3, 8, 10_000)):
        found = index.match(question, among=among)
        expected = _bm25(question, _CORPUS, among=among)
        assert {said[id]: score for id, score in found.items()} == pytest.approx(expected, rel=1e-6)
        assert list(found.values()) == sorted(found.values(), reverse=True)


def test_long_messages_have_the_scores_of_their_best_passage(
    memory: Recollect, index: Index
) -> None:
    """Some terms have more occurrences or higher positions than a tsvector can hold."""
    texts = [
        "A heron.",
        "heron " * 300,
        "rain " * 20_000 + "heron heron",
        "heron" + " snow" * 9_000,
        "heron " * 200_000,
    ]
    said = _say(memory, *texts)
    found = {said[id]: score for id, score in index.match("heron rain", limit=1_000).items()}
    assert found == pytest.approx(_bm25("heron rain", texts, among=100), rel=1e-6)


_PREFERRED = {
    "the rarer word": ("heron ferry", "Look, a heron.", "Look, a ferry."),
    "the shorter message": ("ferry", "A ferry at noon.", "A ferry at noon, new to all of us here."),
    "more of the words": ("ferry noon", "The ferry at noon.", "The ferry at nine."),
    "more often": ("ferry", "Ferry after ferry went by.", "Bridge after ferry went by."),
}


def test_ranking_preferences(memory: Recollect, index: Index) -> None:
    for user, (question, better, worse) in _PREFERRED.items():
        said = _say(memory, worse, better, *["We need a ferry every day."] * 3, user=user)
        found = [said[id] for id in index.match(question, user=user)]
        assert found.index(better) < found.index(worse), user


def test_limit_returns_the_best(memory: Recollect, index: Index) -> None:
    _say(memory, *_CORPUS)
    found = list(index.match("ferry harbour"))
    assert list(index.match("ferry harbour", limit=2)) == found[:2]


def test_long_answers_do_not_crowd_out_the_users_messages(memory: Recollect, index: Index) -> None:
    answers = [MessageIn(role="assistant", content=f"Ferry, ferry, ferry {n}.") for n in range(5)]
    chat = memory.conversations.create_conversation(user_id="alice", messages=answers)
    said = _say(memory, "I once took a ferry to the island with my sister.")
    found = index.match("ferry", limit=2)
    assert len(found) == 3
    assert said.keys() < found.keys()
    only = index.match("ferry", limit=2, filters=Filters(conversation_id=chat.id))
    assert len(only) == 2


def test_ties_have_the_same_order_on_both_databases(memory: Recollect, index: Index) -> None:
    said = _say(memory, *["The same words."] * 5)
    assert list(index.match("words")) == sorted(said, reverse=True)


def test_filters_narrow_a_search(memory: Recollect, index: Index) -> None:
    days = [datetime(2026, month, 1, 12, tzinfo=UTC) for month in (1, 2, 3)]
    roles: tuple[Role, ...] = ("user", "assistant", "tool")
    drafts = [
        MessageIn(role=role, content=f"The ferry, said {role}.", event_at=day)
        for role, day in zip(roles, days, strict=True)
    ]
    chat, other = (memory.conversations.create_conversation(user_id="alice").id for _ in range(2))
    ids = [
        message.id
        for message in memory.conversations.add_messages(
            drafts, conversation_id=chat, user_id="alice"
        )
    ]
    memory.conversations.add_message(
        MessageIn(role="user", content="A ferry."), conversation_id=other, user_id="alice"
    )

    def found(filters: Filters) -> set[str]:
        return set(index.match("ferry", filters=filters))

    here = partial(Filters, conversation_id=chat)
    assert found(here()) == set(ids)
    for role, id in zip(roles, ids, strict=True):
        assert found(here(role=role)) == {id}
    assert found(here(after=days[1])) == {ids[1], ids[2]}
    assert found(here(before=days[1])) == {ids[0]}
    assert found(here(after=days[1], before=days[2])) == {ids[1]}
    assert found(here(role="user", after=days[1])) == set()
    assert found(Filters(conversation_id=new_id())) == set()


def test_system_messages_and_the_turn_history_are_not_found(
    memory: Recollect, index: Index
) -> None:
    drafts = [
        MessageIn(role="system", content="You know every ferry."),
        MessageIn(
            role="assistant", content="", tool_calls=[{"tool_name": "ferry", "input": "ferry"}]
        ),
        MessageIn(role="user", content="?!"),
    ]
    memory.conversations.create_conversation(user_id="alice", messages=drafts)
    memory.history.add_turn(
        user_id="alice", user_query="A ferry?", ai_response="In the turn history."
    )
    assert index.match("ferry") == {}


def test_speaker_name_is_indexed(memory: Recollect, index: Index) -> None:
    draft = MessageIn(role="user", content="I like soup.", metadata={"speaker": "Ottilie"})
    chat = memory.conversations.create_conversation(user_id="alice", messages=[draft]).id
    (message,) = memory.conversations.get_messages(conversation_id=chat, user_id="alice")
    assert list(index.match("ottilie")) == [message.id]


def test_kinds_do_not_mix(memory: Recollect, index: Index) -> None:
    said = _say(memory, "The ferry.", title="A ferry")
    (chat,) = memory.conversations.list_conversations(user_id="alice")
    assert list(index.match("ferry", kind="topic")) == [chat.id]
    assert index.match("ferry").keys() == said.keys()
    assert index.match("ferry", kind="memory") == {}


def test_only_the_current_title_is_found(memory: Recollect, index: Index) -> None:
    chat = memory.conversations.create_conversation("Herons", user_id="alice").id
    assert list(index.match("heron", kind="topic")) == [chat]
    memory.conversations.update_conversation(
        {"title": "Ferries"}, conversation_id=chat, user_id="alice"
    )
    assert index.match("heron", kind="topic") == {}
    assert list(index.match("ferry", kind="topic")) == [chat]
    memory.conversations.update_conversation({"title": None}, conversation_id=chat, user_id="alice")
    assert index.match("ferry", kind="topic") == {}


def test_deleted_message_is_not_indexed(memory: Recollect, index: Index) -> None:
    gone, *kept = _say(memory, "A ferry, and what else there is to see.", *_CORPUS)
    memory.conversations.delete_message(message_id=gone, user_id="alice")
    found = index.match("ferry harbour")
    assert gone not in found
    assert sorted(found.values()) == pytest.approx(
        sorted(_bm25("ferry harbour", _CORPUS, among=100).values()), rel=1e-6
    )
    assert found.keys() <= set(kept)


def test_search_is_isolated_between_users(memory: Recollect, index: Index) -> None:
    """Neither the results nor the term weights depend on other users."""
    hers = _say(memory, *_CORPUS[:4])
    alone = {question: index.match(question) for question in _QUESTIONS}
    for other in ("bob", "alice2", "Alice", "alice ", "ålice"):
        theirs = _say(memory, *_CORPUS, *_CORPUS, user=other)
        for question in _QUESTIONS:
            assert index.match(question) == alone[question]
            assert index.match(question).keys() <= hers.keys()
            assert index.match(question, user=other).keys() <= theirs.keys()
        assert len(index.match("heron", user=other)) == 2 * len(index.match("heron")) == 6


_NASTY = (
    'dog AND cat OR NOT "fish" NEAR(bird mouse, 3) terms:snail * ^wolf + {pig} -goat',
    'a "quoted" "" word " and an open one',
    "dog & cat | !fish <-> bird <2> mouse:* 'snail' :AB ( wolf )",
    "it's O'Neill's ''double'' 'quote",
    r"C:\Temp\new\table \' \\ \n \\\\ \x00 back\slash",
    "50% of user_id; drop table documents; -- comment /* and */ :user_id %(kind)s $1 ?1 @x #y",
    "🛶 and 👩‍👩‍👧 and 🇮🇹 and 👍🏽 and 🫠",
    "bell\a back\b form\f tab\t escape\x1b unit\x1f delete\x7f next\x85 end",
    "zero\u200bwidth soft\u00adhyphen \u202eright-to-left\u202c \ufeffmark line\u2028separator",
    "noncharacters \ufffe and \U0001fffe, private \ue000, unassigned \u0378",
    "日本語の文章 中文句子 한국어 문장 ภาษาไทย हिन्दी العربية ελληνικά русский",
    '[1, 2] {"json": null} <xml a="b">&amp;</xml> https://example.org/a?b=c&d=e#f',
    "null",
    "NOT",
    "true AND",
)
_SIGNS = (
    '"',
    "''",
    "\\",
    "*",
    "& | !",
    "<->",
    ":*",
    "(",
    "()",
    "--",
    ";",
    "\u200b",
    "\x1b",
    "%",
    "_",
)


def test_any_query_finds_the_message_that_contains_it(memory: Recollect) -> None:
    said = _say(memory, *_NASTY, *_SIGNS)
    by_text = {text: id for id, text in said.items()}
    for text in _NASTY:
        hits = memory.recall.search(text, user_id="alice", limit=200)
        assert hits[0].id == by_text[text], text
        for word in text.split():
            found = {hit.id for hit in memory.recall.search(word, user_id="alice", limit=200)}
            assert by_text[text] in found or not query_terms(word), word
    for sign in _SIGNS:
        assert memory.recall.search(f"x{sign}y", user_id="alice", limit=200) is not None
        assert sign.isspace() or memory.recall.search(sign, user_id="alice", limit=200) == []


def test_long_message_is_found_by_both_ends(memory: Recollect, index: Index) -> None:
    """One message has the maximum number of different terms."""
    han = "".join(chr(0x4E00 + 7919 * n % 20_000) for n in range(64_000))
    logs = " ".join(f"{n:x}" for n in range(100_000, 120_000))
    long = [f"Heron {filler} ferry" for filler in (han, logs, "the same again " * 10_000)]
    said = _say(memory, *long)
    assert index.match("heron").keys() == index.match("ferry").keys() == said.keys()


_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
_MESSAGES = st.lists(
    st.lists(_WORDS, min_size=1, max_size=5).map(" ".join).filter(lambda text: text.strip()),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=_MESSAGES)
def test_every_term_of_a_message_finds_it(memory: Recollect, texts: list[str]) -> None:
    user = new_id()
    for id, text in _say(memory, *texts, user=user).items():
        for word in text.split():
            found = {hit.id for hit in memory.recall.search(word, user_id=user, limit=200)}
            assert id in found or not query_terms(word)


def _say(
    memory: Recollect, *texts: str, user: str = "alice", title: str | None = None
) -> dict[str, str]:
    """Return message ids and texts."""
    drafts = [MessageIn(role="user", content=text) for text in texts]
    chat = memory.conversations.create_conversation(title, user_id=user).id
    stored = memory.conversations.add_messages(drafts, conversation_id=chat, user_id=user)
    return {message.id: message.content for message in stored}


def _bm25(question: str, texts: Sequence[str], *, among: int) -> dict[str, float]:
    """BM25 of each text's best passage, with k1 = 1.2, b = 0.75 and the average length of the
    matching passages."""
    terms = query_terms(question)
    counts = [
        (text, Counter(analyze(text[passage.start : passage.end])))
        for text in texts
        for passage in split_passages(text)
    ]
    matching = [(text, of) for text, of in counts if any(of[term] for term in terms)]
    average = sum(of.total() for _, of in matching) / max(1, len(matching))
    weights = {}
    for term in terms:
        having = sum(1 for _, of in matching if of[term])
        rest = max(among, having) - having
        weights[term] = log(1 + (rest + 0.5) / (having + 0.5))
    best: dict[str, float] = {}
    for text, of in matching:
        long = 1.2 * (0.25 + 0.75 * of.total() / average)
        often = {term: min(255, of[term]) for term in terms if of[term]}
        score = sum(weights[term] * n * 2.2 / (n + long) for term, n in often.items())
        best[text] = max(score, best.get(text, 0.0))
    return best
