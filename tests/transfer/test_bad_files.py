"""Invalid and malicious import files."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest

from recollect import (
    BrokenFile,
    Conflict,
    Conversation,
    InvalidInput,
    MemoryFilters,
    MemoryIn,
    MessageIn,
    NotFound,
    Settings,
)
from recollect.sync import Recollect
from recollect.transfer.types import Imported
from tests.chatgpt_export import conversations, export_chunks
from tests.raw import RawDatabase

pytestmark = pytest.mark.torture

Json = Any
Line = dict[str, Json]

DEEP: Json = "end"
for _ in range(200):
    DEEP = [DEEP]
NASTY: list[Json] = [
    *(None, True, 0, -1, 2**31, 10**30, 1e308, 0.5, "", "x", "\0", "\ud800", "a" * 300),
    *([], {}, [None], {"\0": 1}, {"a": "\0"}, DEEP),
    *("9999-12-31T23:59:59.999999-01:00", "0001-01-01T00:00:00+01:00", "2024-01-01T00:00:00"),
    *("local", "01920000-0000-7000-8000-000000000000", float("inf")),
]
CONSISTENT = """
    select count(*) from conversations where
    message_count <> (
        select count(*) from messages
        where messages.user_id = conversations.user_id and conversation_id = conversations.id)
    or token_count <> (
        select coalesce(sum(tokens), 0) from messages
        where messages.user_id = conversations.user_id and conversation_id = conversations.id)
    or superseded_messages <> (
        select count(*) from messages
        where messages.user_id = conversations.user_id and conversation_id = conversations.id
            and superseded_at is not null)
    or last_seq < coalesce((
        select max(seq) from messages
        where messages.user_id = conversations.user_id and conversation_id = conversations.id), 0)
    or last_turn < coalesce((
        select max(turn) from messages
        where messages.user_id = conversations.user_id and conversation_id = conversations.id), 0)
"""


def bring_in(memory: Recollect, data: bytes, *, user: str = "alice") -> Imported:
    return memory.data.import_file(BytesIO(data), user_id=user)


def lines(*given: Line) -> bytes:
    return "".join(f"{json.dumps(line)}\n" for line in given).encode()


def file(*given: Line) -> bytes:
    """Return a native file with these lines between header and end."""
    header = {"kind": "recollect", "version": 1}
    return lines(header, *given, {"kind": "end", "lines": len(given) + 1})


def exported(memory: Recollect, user: str) -> list[Line]:
    return [
        json.loads(line) for line in "".join(memory.data.export_lines(user_id=user)).splitlines()
    ]


@pytest.fixture
def sound(memory: Recollect) -> list[Line]:
    """The lines of a user with one row of each kind, without header and end."""
    call = {"tool_name": "run", "input": {"a": 1}, "output": 2}
    said = [
        MessageIn(role="user", content="one", is_pinned=True),
        MessageIn(role="assistant", content="two", tool_calls=[call], thinking="hm"),
        MessageIn(role="user", content="three", metadata={"a": 1}),
    ]
    chat = memory.conversations.create_conversation("Title", user_id="donor", messages=said)
    _, answer, _ = memory.conversations.get_messages(conversation_id=chat.id, user_id="donor")
    context = memory.contexts.build_context("And?", conversation_id=chat.id, user_id="donor")
    memory.contexts.store_receipt(context.receipt, message_id=answer.id, user_id="donor")
    memory.conversations.rate_message(
        message_id=answer.id, user_id="donor", rating="up", note="fine"
    )
    memory.summaries.edit_summary(
        "On 2024-05-01 it was 12 euros.", conversation_id=chat.id, user_id="donor", version=0
    )
    note = MemoryIn(memory_type="fact", content="Has a boat.", source_message_id=answer.id)
    known = memory.memories.create_memory(note, user_id="donor")
    memory.memories.update_memory({"category": "ships"}, memory_id=known.id, user_id="donor")
    gone = memory.memories.create_memory(replace(note, content="Has a car."), user_id="donor")
    memory.memories.delete_memory(memory_id=gone.id, user_id="donor")
    return exported(memory, "donor")[1:-1]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_fuzzed_lines_import_only_usable_data(
    memory: Recollect, raw: RawDatabase, sound: list[Line]
) -> None:
    _try_all(memory, raw, sound, [None, 2**31, "x", {}])


@pytest.mark.torture
def test_fuzzed_lines_on_both_databases(
    memory: Recollect, raw: RawDatabase, sound: list[Line]
) -> None:
    _try_all(memory, raw, sound, NASTY)


def _try_all(
    memory: Recollect, raw: RawDatabase, sound: list[Line], values: Sequence[Json]
) -> None:
    """Each field of each line with each value; each line twice or missing."""
    variants = list(_variants(sound, values))
    data = file(*(line for variant in variants for line in variant))
    done = bring_in(memory, data)
    assert done.failures > len(variants) / 3
    assert len(done.failed) == 100
    assert all(failure.where.startswith("line ") for failure in done.failed)
    assert all(failure.reason.endswith(".") for failure in done.failed)
    assert done.imported.conversations > 20
    again = bring_in(memory, data)
    assert (again.imported.conversations, again.imported.messages) == (0, 0)
    assert raw.execute(CONSISTENT) == [(0,)]
    _use_all(memory)
    assert raw.execute(CONSISTENT) == [(0,)]


def _variants(sound: list[Line], values: Sequence[Json]) -> Iterator[list[Line]]:
    """Try all values for one message and for standalone rows."""
    start = next(n for n, line in enumerate(sound) if line["kind"] == "memory")
    number = 0
    for unit in (sound[:start], sound[start:]):
        tried = set()
        for place, line in enumerate(unit):
            before, after = unit[:place], unit[place + 1 :]
            yield _renamed([*before, *after], number := number + 1)
            yield _renamed([*before, line, line, *after], number := number + 1)
            names = [] if line["kind"] in tried else [*line]
            tried.add(line["kind"])
            for name in names:
                for value in values:
                    variant = [*before, {**line, name: value}, *after]
                    yield _renamed(variant, number := number + 1, but=value)


def _renamed(variant: list[Line], number: int, *, but: Json = None) -> list[Line]:
    """With new ids, so that all fit into one file."""
    text = json.dumps(variant)
    for id in {str(line["id"]) for line in variant if len(str(line.get("id"))) == 36}:
        if id != but:
            text = text.replace(id, str(uuid5(NAMESPACE_OID, f"{number}/{id}")))
    renamed: list[Line] = json.loads(text)
    return renamed


def _use_all(memory: Recollect) -> None:
    """Use the data as the API does. Every failure has a reason."""
    refused = (InvalidInput, NotFound, Conflict)
    user = "alice"
    for chat in _chats(memory):
        said = memory.conversations.get_messages(conversation_id=chat.id, user_id=user)
        memory.summaries.get_summary(conversation_id=chat.id, user_id=user)
        memory.summaries.list_versions(conversation_id=chat.id, user_id=user)
        memory.analytics.get_analytics(user_id=user, conversation_id=chat.id)
        with suppress(*refused):
            memory.contexts.build_context("And now?", conversation_id=chat.id, user_id=user)
        for message in said:
            with suppress(*refused):
                memory.contexts.get_receipt(message_id=message.id, user_id=user)
        new = memory.conversations.add_message(
            MessageIn(role="user", content="x"), conversation_id=chat.id, user_id=user
        )
        assert all(message.seq < new.seq and message.turn <= new.turn for message in said)
    for superseded in (False, True):
        for one in memory.memories.get_memories(
            MemoryFilters(superseded=superseded), 200, user_id=user
        ):
            memory.memories.get_history(memory_id=one.id, user_id=user)
            with suppress(*refused):
                memory.memories.undo(memory_id=one.id, user_id=user)
            with suppress(*refused):
                memory.memories.update_memory({"is_pinned": True}, memory_id=one.id, user_id=user)
    memory.analytics.get_analytics(user_id=user)
    memory.work()
    assert [job for job in memory.jobs.list_jobs(200, user_id=user) if job.last_error] == []


def _chats(memory: Recollect) -> Iterator[Conversation]:
    for archived in (False, True):
        cursor = None
        while True:
            page = memory.conversations.list_conversations(
                200, user_id="alice", cursor=cursor, archived=archived
            )
            yield from page
            cursor = page.next_cursor
            if cursor is None:
                break


def test_imported_ids_give_no_access_to_other_users(memory: Recollect, sound: list[Line]) -> None:
    before = exported(memory, "donor")
    done = bring_in(memory, file(*sound))
    assert done.failures == 0
    assert exported(memory, "alice")[1:] == before[1:]
    memory.conversations.delete_conversation(conversation_id=sound[0]["id"], user_id="alice")
    assert exported(memory, "donor") == before


def test_lines_without_owner_fail(memory: Recollect, sound: list[Line]) -> None:
    (message, *_) = [line for line in sound if line["kind"] == "message"]
    stray = {**message, "conversation_id": "01920000-0000-7000-8000-000000000000"}
    done = bring_in(memory, file(message, *sound[:2], stray, *sound[2:], {"kind": "x"}))
    assert [failure.where for failure in done.failed] == [
        "line 2",
        "line 5",
        f"line {len(sound) + 4}",
    ]
    assert exported(memory, "alice")[1:-1] == sound


def test_imported_calls_do_not_calibrate_the_counter(
    memory: Recollect, raw: RawDatabase, sound: list[Line]
) -> None:
    call = {
        "kind": "model_call",
        "id": "01920000-0000-7000-8000-000000000000",
        "purpose": "answer",
        "model": "m",
        "tokens_in": 10**9,
        "estimated_in": 1,
        "tokens_out": 1,
        "duration_ms": 1,
        "created_at": "2030-01-01T00:00:00Z",
    }
    done = bring_in(memory, file(call))
    assert done.imported.model_calls == 1
    assert raw.execute("select estimated_in from model_calls where user_id = 'alice'") == [(0,)]


def test_invalid_conversation_does_not_stop_the_import(memory: Recollect) -> None:
    def broken(**more: Json) -> Json:
        return {**next(conversations(1, seed=7)), **more}

    nodes = next(conversations(1, seed=7))["mapping"]
    some = [*nodes][-1]

    def with_node(**more: Json) -> Json:
        return broken(mapping={**nodes, some: {**nodes[some], **more}})

    def with_message(**more: Json) -> Json:
        return with_node(message={**nodes[some]["message"], **more})

    def saying(*parts: Json) -> Json:
        return with_message(content={"content_type": "text", "parts": list(parts)})

    circle = {id: {**node, "parent": some} for id, node in nodes.items()}
    bad = [
        broken(id=None, conversation_id=None),
        broken(id=7, conversation_id="x" * 300),
        broken(id="\ud800", conversation_id="\ud800"),
        broken(title=["x"]),
        broken(title="\0"),
        broken(create_time=1e308),
        broken(update_time="yesterday"),
        broken(create_time=True),
        broken(mapping={"a": None}),
        broken(mapping={"a": 1}),
        broken(mapping=circle),
        with_node(message=[1]),
        with_message(create_time=-1e20),
        with_message(create_time=1e308),
        with_message(content=[]),
        with_message(metadata="x"),
        with_message(author={"role": ["user"]}),
        with_message(author={"role": "god"}),
        with_message(author="x"),
        with_message(content={"content_type": "text", "parts": "no list"}),
        saying(7),
        saying("\0"),
        saying("\ud83d"),
        saying("x" * (memory.settings.max_message_bytes + 1)),
        {"mapping": [], "chat_messages": 1},
        {},
        {"uuid": "c", "chat_messages": [7]},
        {"uuid": "c", "chat_messages": [{"uuid": "m", "sender": "god", "text": "x"}]},
        {"uuid": "c", "chat_messages": [{"sender": "human", "text": "x"}]},
        {"uuid": "c", "chat_messages": [{"uuid": "m", "sender": {}, "text": "x"}]},
        {
            "uuid": "c",
            "chat_messages": [
                {"uuid": "m", "sender": "human", "content": [{"type": "tool_use", "name": {}}]}
            ],
        },
    ]
    fine = list(conversations(12, seed=5))
    odd = [  # which is no reason to refuse anything
        with_node(parent="gone"),
        with_node(parent={}, children={}),
        broken(current_node=["x"]),
        broken(current_node="gone"),
        with_message(recipient={}, status=[], create_time=None),
    ]
    for one in odd:
        one["id"] = one["conversation_id"] = f"odd {odd.index(one)}"
    done = bring_in(memory, json.dumps([*fine, *bad, *odd]).encode())
    assert (done.imported.conversations, done.failures) == (len(fine) + len(odd), len(bad))
    wanted = [f"conversation {len(fine) + number + 1}" for number in range(len(bad))]
    assert [failure.where.split(",")[0] for failure in done.failed] == wanted
    assert all(failure.reason.endswith(".") for failure in done.failed)


def test_json_that_python_cannot_parse_is_skipped(memory: Recollect) -> None:
    deep = b'{"mapping": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001
    long = b'{"mapping": {}, "create_time": ' + b"9" * 5_000 + b"}"
    (fine,) = conversations(1)
    done = bring_in(memory, b"[" + b",".join([json.dumps(fine).encode(), deep, long]) + b"]")
    assert (done.imported.conversations, done.failures) == (1, 2)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"  \n", b"hello", b"7", b"[7]", b'["x"]', b"{}", b"[{}]", b'[{"a": 1}]', b"["),
        b"<html></html>",
        "[{}]".encode("utf-16"),
        b'{"kind": "conversation"}',
        b'{"kind": "recollect", "version": 2}\n',
        b'{"kind": "recollect"}\n',
        b"PK\x03\x04 and so on",
    ],
)
def test_unknown_format_is_rejected(data: bytes) -> None:
    with Recollect.open("sqlite:///:memory:") as memory, pytest.raises(InvalidInput) as refused:
        bring_in(memory, data)
    assert not isinstance(refused.value, BrokenFile)
    assert refused.value.message.endswith(".")


def test_data_before_a_break_is_kept(memory: Recollect) -> None:
    whole = b"".join(export_chunks(20))
    ours = lines(*exported_of(whole))
    for user, data in (("alice", whole), ("bob", ours)):
        stored = 0
        for part in (0.3, 0.6, 0.9):
            with pytest.raises(BrokenFile) as broken:
                bring_in(memory, data[: int(len(data) * part)], user=user)
            found = len(memory.conversations.list_conversations(200, user_id=user)) + len(
                memory.conversations.list_conversations(200, user_id=user, archived=True)
            )
            said = f"Imported before that: {found - stored} conversations"
            assert said in broken.value.message
            assert "cut off" in broken.value.message
            stored = found
        assert 10 < stored < 20
        assert bring_in(memory, data, user=user).imported.conversations == 20 - stored
    for place in (whole.index(b'"mapping"', len(whole) // 2), len(whole) - 1):
        with pytest.raises(BrokenFile, match="not valid"):
            bring_in(memory, whole[:place] + b"\xff" + whole[place:], user="carol")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_truncated_file_is_detected(memory: Recollect, sound: list[Line]) -> None:
    """An incomplete unit is not stored, and importing the complete file adds it."""
    whole = file(*sound, *_renamed(sound, 1)).splitlines(keepends=True)
    parts = {"message", "receipt", "feedback", "summary"}
    for count in range(1, len(whole)):
        kinds = [json.loads(line)["kind"] for line in whole[:count]]
        while kinds[-1] in parts:
            kinds.pop()
        with pytest.raises(BrokenFile, match=f"cut off after line {count}:.* Imported before"):
            bring_in(memory, b"".join(whole[:count]))
        found = memory.conversations.list_conversations(user_id="alice")
        assert [chat.message_count for chat in found] == [3] * kinds[:-1].count("conversation")
    assert bring_in(memory, b"".join(whole)).failures == 0
    bring_in(memory, b"".join(whole), user="bob")
    assert exported(memory, "alice")[1:] == exported(memory, "bob")[1:]
    assert len(exported(memory, "alice")) == len(whole)


def test_missing_lines_are_detected(sound: list[Line]) -> None:
    end: Line = {"kind": "end", "lines": len(sound) + 1}
    header = {"kind": "recollect", "version": 1}
    for broken in (
        [header, *sound[:-1], end],
        [header, *sound, {"kind": "end"}],
        [header, *sound, {"kind": "end", "lines": str(len(sound) + 1)}],
        [header, *sound, end, end],
        [header, *sound, header, *sound, end],
    ):
        with Recollect.open("sqlite:///:memory:") as memory:
            with pytest.raises(BrokenFile, match=r"not whole|cut off.* Imported before that: "):
                bring_in(memory, lines(*broken))
            assert bring_in(memory, file(*sound)).failures == 0
            assert exported(memory, "alice")[1:-1] == sound


def test_concatenated_exports_are_imported(memory: Recollect, sound: list[Line]) -> None:
    done = bring_in(memory, file(*sound) + file(*_renamed(sound, 1)) + lines(*sound[:2]))
    assert done.imported.conversations == 2
    assert [failure.reason for failure in done.failed] == [
        "It stands after the end.",
        "It belongs to nothing that stands before it.",
    ]


def exported_of(data: bytes) -> list[Line]:
    with Recollect.open("sqlite:///:memory:") as other:
        bring_in(other, data)
        return exported(other, "alice")


def test_imported_pins_respect_the_limit(sound: list[Line]) -> None:
    for line in sound:
        if line["kind"] in ("message", "memory"):
            line |= {"is_pinned": True, "content": "far too much " * 400}
    settings = Settings(
        database_url="sqlite:///:memory:", memory_pinned_token_cap=100, embedder="none"
    )
    with Recollect.open(settings=settings) as memory:
        done = bring_in(memory, file(*sound))
    reasons = Counter(failure.reason.split(",")[0].split(" have ")[0] for failure in done.failed)
    assert reasons == {
        "With this one the pinned messages": 1,
        "With this one the pinned memories": 1,
    }
    assert (done.imported.conversations, done.imported.memories) == (0, 0)
