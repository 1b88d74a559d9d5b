"""Messages are indexed and embedded in passages, also those of earlier releases."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import MessageIn
from recollect.core.types import Json
from recollect.digest import reindex
from recollect.language.analyzer import analyze
from recollect.store import search_index, vectors
from recollect.store.search_index import WHOLE_TEXT_END, searchable_text
from recollect.sync import Recollect
from tests.raw import RawDatabase
from tests.store.concept_embedder import DIMENSIONS, MODEL, ConceptEmbedder, concept_vector
from tests.store.releases import AT, store_as_before

_HERONS = " ".join(["A heron stands in the shallow water and waits for fish."] * 12)
_FERRIES = " ".join(["The ferry leaves at noon, from the second pier of the harbour."] * 12)
_TRAMS = " ".join(["A tram climbs the hill every ten minutes until midnight."] * 12)
_ANSWER = f"{_HERONS}\n\n{_FERRIES}\n\n{_TRAMS}"
_CALL: dict[str, Json] = {"tool_name": "book", "input": {}, "output": {"reference": "QX7-311"}}


def _add(memory: Recollect, *drafts: MessageIn) -> list[str]:
    chat = memory.conversations.create_conversation(user_id="alice").id
    stored = memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")
    return [message.id for message in stored]


def _parts(raw: RawDatabase, message_id: str) -> list[tuple[int, int, int]]:
    return [
        (part, start, end)
        for part, start, end in raw.execute(
            "select part, start_offset, end_offset from documents"
            " where kind = 'message' and (owner_id = :id or part_of = :id) order by part",
            id=message_id,
        )
    ]


def _count(raw: RawDatabase, table: str) -> int:
    ((count,),) = raw.execute(f"select count(*) from {table} where kind = 'message'")
    return int(count)


def test_long_message_is_found_by_its_best_passage(memory: Recollect, raw: RawDatabase) -> None:
    short, long = _add(
        memory,
        MessageIn(role="user", content="What is there to see?"),
        MessageIn(role="assistant", content=_ANSWER, tool_calls=[_CALL]),
    )
    assert _parts(raw, short) == [(0, 0, 21)]
    for query, text in (("heron", _HERONS), ("noon ferry", _FERRIES), ("tram hill", _TRAMS)):
        (hit,) = memory.recall.search(query, user_id="alice")
        assert (hit.id, hit.text) == (long, _ANSWER)
        best = hit.passages[0]
        assert best.text == _ANSWER[best.start : best.end]
        assert best.text in text
        assert best.score == hit.score
    (booked,) = memory.recall.search("QX7-311", user_id="alice")
    passage = booked.passages[0]
    assert booked.id == long
    assert passage.text == 'book: {"reference": "QX7-311"}'
    assert passage.text == searchable_text(_ANSWER, [_CALL])[passage.start : passage.end]


def test_hit_has_three_passages_at_most_best_first(memory: Recollect) -> None:
    sections = [f"{'The ferry leaves. ' * 30}{'A heron flies. ' * n}" for n in range(10)]
    _add(memory, MessageIn(role="assistant", content="\n\n".join(sections)))
    (hit,) = memory.recall.search("heron", user_id="alice")
    scores = [passage.score for passage in hit.passages]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


def test_deletion_removes_all_parts(database_url: str) -> None:
    raw = RawDatabase(database_url)
    with Recollect.open(database_url, embedder=ConceptEmbedder()) as memory:
        gone, kept = _add(
            memory,
            MessageIn(role="assistant", content=_ANSWER),
            MessageIn(role="user", content="Only a heron."),
        )
        memory.work()
        parts = len(_parts(raw, gone))
        deleted = memory.conversations.delete_message(message_id=gone, user_id="alice")
        assert deleted.embeddings == parts > 1
        assert {hit.id for hit in memory.recall.search("heron", user_id="alice")} == {kept}
    for table in ("documents", "embeddings"):
        left = f"select owner_id from {table} where kind = 'message'"
        assert [str(id) for (id,) in raw.execute(left)] == [kept]
    if raw.dialect == "sqlite":
        codes = raw.execute("select owner_id from vector_codes where kind = 'message'")
        assert codes == [(kept,)]
        ((terms,),) = raw.execute("select count(distinct doc) from document_vocabulary")
        assert terms == raw.count("documents")


_BLOCKS = st.sampled_from(
    [_HERONS, _FERRIES, "# Heading", "- item\n- item", "```\ncode()\n```", "?!"]
)
_OUTPUTS = st.one_of(st.none(), st.text(max_size=30), st.lists(st.integers(), max_size=3))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    blocks=st.lists(st.one_of(_BLOCKS, st.text(max_size=40)), max_size=8),
    outputs=st.lists(_OUTPUTS, max_size=2),
    gap=st.sampled_from(["\n", "\n\n", " "]),
)
def test_documents_cover_the_searchable_text(
    memory: Recollect, raw: RawDatabase, blocks: list[str], outputs: list[Json], gap: str
) -> None:
    content = gap.join(blocks).replace("\0", "").encode(errors="replace").decode()
    content = content if content.strip() else "x"
    calls: Any = json.loads(
        json.dumps([{"tool_name": "t", "output": output} for output in outputs]).replace(
            "\\u0000", ""
        )
    )
    draft = MessageIn(role="assistant", content=content, tool_calls=calls or None)
    (id,) = _add(memory, draft)
    text = searchable_text(content, calls)
    parts = _parts(raw, id)
    if not parts:
        assert not analyze(text)
        return
    assert [part for part, _, _ in parts] == [*range(len(parts))]
    ends = [0, *(end for _, _, end in parts)]
    for (_, start, end), before in zip(parts, ends, strict=False):
        assert before <= start < end <= len(text)
        assert not text[before:start].strip()
    assert not text[ends[-1] :].strip()


def test_database_from_before_passages_is_searchable_all_the_time(
    new_url: Callable[[], str],
    migrate_to: Callable[[str, int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = new_url()
    migrate_to(url, 6)
    raw = RawDatabase(url)
    said = ["What is there to see?", _ANSWER, "And to eat?", "A tart in the castle."]
    chat, ids = store_as_before(raw, *said)
    _index_as_before(raw, chat, ids, said)
    states: set[tuple[int, int]] = set()

    def check() -> None:
        """By words and, in other words, by meaning."""
        for query in ("heron", "bird", "tram hill", "streetcar"):
            assert ids[1] in {h.id for h in memory.recall.search(query, user_id="alice")}, query
        for query in ("tart", "fortress"):
            assert ids[3] in {h.id for h in memory.recall.search(query, user_id="alice")}, query
        states.add((_count(raw, "documents"), _count(raw, "embeddings")))

    def checking(change: Callable[..., None]) -> Callable[..., None]:
        def checked(*args: Any, **kwargs: Any) -> None:
            check()
            change(*args, **kwargs)

        return checked

    with Recollect.open(url, embedder=ConceptEmbedder()) as memory:
        check()
        memory.sweep()
        monkeypatch.setattr(reindex, "_BATCH", 1)
        for module, name in ((search_index, "put_messages"), (vectors, "replace_messages")):
            monkeypatch.setattr(module, name, checking(getattr(module, name)))
        memory.work()
        check()
        best = memory.recall.search("streetcar", user_id="alice")[0].passages[0]
        assert best.text in _TRAMS
        monkeypatch.undo()
        memory.sweep()
        assert memory.work() == 0
    parts = sum(len(_parts(raw, id)) for id in ids)
    assert states == {(4, 4), (parts, 4), (parts, parts)}
    assert parts > 4


def test_earlier_release_can_go_on_writing(database_url: str) -> None:
    """Its statements, on a message that this release has indexed."""
    raw = RawDatabase(database_url)
    with Recollect.open(database_url, embedder=ConceptEmbedder()) as memory:
        (id,) = _add(memory, MessageIn(role="assistant", content=_ANSWER))
        memory.work()
        (chat,) = memory.conversations.list_conversations(user_id="alice")
        _index_as_before(raw, chat.id, [id], [_ANSWER])
        assert [h.id for h in memory.recall.search("tram", user_id="alice")] == [id]
        for table in ("documents", "embeddings"):
            raw.execute(
                f"delete from {table} where user_id = 'alice' and kind = 'message'"
                " and owner_id = :id",
                id=id,
            )
        assert memory.recall.search("tram", user_id="alice") == []
        assert memory.recall.search("streetcar", user_id="alice") == []
    assert raw.execute("select * from documents where kind = 'message'") == []
    assert raw.execute("select * from embeddings where kind = 'message'") == []


def test_failed_job_is_not_repeated_by_every_sweep(memory: Recollect, raw: RawDatabase) -> None:
    (id,) = _add(memory, MessageIn(role="assistant", content=_ANSWER))
    memory.work()
    raw.execute(
        "update documents set end_offset = :end where owner_id = :id", end=WHOLE_TEXT_END, id=id
    )
    waiting = "select state from jobs where kind = 'index'"
    memory.sweep()
    memory.sweep()
    assert raw.execute(waiting) == [("waiting",)]
    raw.execute("update jobs set state = 'failed' where kind = 'index'")
    memory.sweep()
    assert raw.execute(waiting) == [("failed",)]


_DOCUMENT = {
    "sqlite": """
        insert into indexed_documents (
            user_id, kind, owner_id, conversation_id, role, at, length, terms
        ) values ('alice', 'message', :id, :chat, :role, :at, :length, :terms)
    """,
    "postgres": """
        insert into documents (
            user_id, kind, owner_id, conversation_id, role, at, length, terms
        )
        select 'alice', 'message', cast(:id as uuid), cast(:chat as uuid), :role,
            cast(:at as timestamptz), :length, array_to_tsvector(string_to_array(:terms, ' '))
        on conflict (user_id, kind, owner_id)
        do update set role = excluded.role, at = excluded.at, length = excluded.length,
            terms = excluded.terms
    """,
}
_EMBEDDING = """
    insert into embeddings (
        user_id, kind, owner_id, model, conversation_id, text, dimensions, vector, created_at
    )
    select user_id, kind, owner_id, :model, conversation_id, :text, :dimensions, {vector}, {at}
    from documents where user_id = 'alice' and kind = 'message' and owner_id = :id
    on conflict (user_id, kind, owner_id, model)
    do update set text = excluded.text, vector = excluded.vector, created_at = excluded.created_at
"""


def _index_as_before(raw: RawDatabase, chat: str, ids: Sequence[str], said: Sequence[str]) -> None:
    """Index and embed whole messages, with the statements of earlier releases."""
    embedding = (
        _EMBEDDING.format(vector="vec_f32(:vector)", at=":at")
        if raw.dialect == "sqlite"
        else _EMBEDDING.format(vector="cast(:vector as vector)", at="cast(:at as timestamptz)")
    )
    prefix = search_index.stored_terms("message", [""], user_id="alice")[0]
    for number, (id, text) in enumerate(zip(ids, said, strict=True)):
        terms = dict.fromkeys(prefix + term for term in analyze(text))
        raw.execute(
            _DOCUMENT[raw.dialect],
            id=id,
            chat=chat,
            role="assistant" if number % 2 else "user",
            at=AT,
            length=len(terms),
            terms=" ".join(terms),
        )
        vector = json.dumps(concept_vector(text))
        raw.execute(
            embedding, id=id, model=MODEL, text=text, dimensions=DIMENSIONS, vector=vector, at=AT
        )
    raw.execute(
        "insert into embedders (model, dimensions, state, created_at)"
        " values (:model, :dimensions, 'active', :at) on conflict do nothing",
        model=MODEL,
        dimensions=DIMENSIONS,
        at=AT,
    )
    raw.execute(
        "insert into embedding_progress (user_id, conversation_id, model, through_seq)"
        " values ('alice', :chat, :model, :seq) on conflict do nothing",
        chat=chat,
        model=MODEL,
        seq=len(ids),
    )
