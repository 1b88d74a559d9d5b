"""The lexical index of messages, topics and memories.

A document has the analyzed terms of a text (see `language.analyzer`), and is written in the
transaction that writes the text. A message has one document for each of its passages: part 0 has
the message's id, later parts have an id of their own. Each stored term has a prefix for its user
and kind, so a search reads the posting lists of one user only. Queries check the user of the rows
all the same.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal
from uuid import UUID, uuid5

from recollect.core.types import Conversation, Json, Message, Role, utc_text
from recollect.language.analyzer import analyze
from recollect.language.passages import Passage, split_passages
from recollect.store.database import Run

Kind = Literal["message", "topic", "memory"]
INDEXED_ROLES: tuple[Role, ...] = ("user", "assistant", "tool")
"""System prompts are instructions, not part of the conversation."""

_GAP = "\n\n"
_MAX_SPEAKER_CHARS = 100
_MAX_UNCHECKED_TERMS = 8_000
"""Fewer terms than these always fit."""
_MAX_TERMS_BYTES = 1_000_000
"""PostgreSQL's tsvector holds a little more."""

WHOLE_TEXT_END = 2**31 - 1
"""The end of a document whose row does not tell it: a topic, a memory, or a whole message that was
indexed before there were passages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The documents to search. A memory counts as part of its source conversation."""

    conversation_id: str | None = None
    project_id: str | None = None
    other_than: str | None = None
    """The id of a conversation to leave out."""
    recallable: bool = False
    """Whether to leave out conversations that are archived or not to be remembered."""
    role: Role | None = None
    after: datetime | None = None
    before: datetime | None = None

    def params(self, kind: Kind) -> dict[str, str | bool | None]:
        conversation = {"conversation_id": self.conversation_id, "project_id": self.project_id}
        source = {"source_id": self.conversation_id, "source_project": self.project_id}
        by_source = kind == "memory" and any(source.values())
        return {
            **(dict.fromkeys(conversation) if by_source else conversation),
            **source,
            "by_source": by_source,
            "other_than": self.other_than,
            "recallable": self.recallable,
            "role": self.role,
            "after": utc_text(self.after) if self.after else None,
            "before": utc_text(self.before) if self.before else None,
        }


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """The terms of a passage, which is `[start:end]` of the message's searchable text."""

    start: int
    end: int
    terms: Sequence[str]


def speaker_of(metadata: object) -> str | None:
    """Return the speaker that the caller named in the metadata of a message, or None."""
    match metadata:
        case {"speaker": str(name)} if 0 < len(name.strip()) <= _MAX_SPEAKER_CHARS:
            return name.strip()
    return None


def has_conversations(run: Run, filters: Filters) -> bool:
    """Return whether there is another conversation that passages may come from."""
    (row,) = run("has_conversations", other_than=filters.other_than, project_id=filters.project_id)
    return bool(row["found"])


def searchable_text(content: str, tool_calls: Sequence[Mapping[str, Json]] | None) -> str:
    """Return the text of a message that is searched: its content, and the outputs of its tools."""
    return _GAP.join(_segments(content, tool_calls))


def message_passages(
    content: str, tool_calls: Sequence[Mapping[str, Json]] | None
) -> tuple[str, list[Passage]]:
    """Return the searchable text and its passages; none has parts of the content and of an
    output."""
    passages: list[Passage] = []
    offset = 0
    segments = _segments(content, tool_calls)
    for segment in segments:
        for passage in split_passages(segment):
            start, end = offset + passage.start, offset + passage.end
            passages.append(Passage(start, end, passage.heading) if offset else passage)
        offset += len(segment) + len(_GAP)
    return _GAP.join(segments), passages


def _segments(content: str, tool_calls: Sequence[Mapping[str, Json]] | None) -> list[str]:
    segments = [content] if content else []
    for call in tool_calls or ():
        output = call.get("output")
        if output not in (None, ""):
            said = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
            segments.append(f"{call.get('tool_name', '')}: {said}")
    return segments


def passage_text(text: str, passage: Passage) -> str:
    """Return a passage with its heading."""
    said = text[passage.start : passage.end]
    return f"{passage.heading}: {said}" if passage.heading else said


def message_parts(
    content: str, tool_calls: Sequence[Mapping[str, Json]] | None, metadata: object
) -> list[DocumentPart]:
    """Return the parts of a message, with the speaker's name among the terms of each; none if no
    part has a term."""
    text, passages = message_passages(content, tool_calls)
    speaker = speaker_of(metadata)
    parts = [
        DocumentPart(passage.start, passage.end, analyze(_spoken(text, passage, speaker)))
        for passage in passages
    ]
    return parts if any(part.terms for part in parts) else []


def _spoken(text: str, passage: Passage, speaker: str | None) -> str:
    said = passage_text(text, passage)
    return f"{speaker}: {said}" if speaker else said


def part_id(message_id: str, part: int) -> str:
    """Return the id of a passage's rows."""
    return message_id if part == 0 else str(uuid5(UUID(message_id), str(part)))


def put(
    run: Run,
    kind: Kind,
    owner_id: str,
    terms: Sequence[str],
    *,
    user_id: str,
    conversation_id: str | None,
    at: datetime | None = None,
) -> None:
    """Index a topic or a memory."""
    _put(
        run,
        kind,
        owner_id,
        DocumentPart(0, WHOLE_TEXT_END, terms),
        prefix=_prefix(user_id, kind),
        conversation_id=conversation_id,
        role=None,
        at=utc_text(at) if at else None,
    )


def put_parts(
    run: Run,
    message_id: str,
    parts: Sequence[DocumentPart],
    *,
    user_id: str,
    conversation_id: str,
    role: Role,
    at: str,
) -> None:
    """Index the parts of a message."""
    prefix = _prefix(user_id, "message")
    for number, part in enumerate(parts):
        _put(
            run,
            "message",
            message_id,
            part,
            number=number,
            prefix=prefix,
            conversation_id=conversation_id,
            role=role,
            at=at,
        )


def _put(
    run: Run,
    kind: Kind,
    owner_id: str,
    part: DocumentPart,
    *,
    number: int = 0,
    prefix: str,
    conversation_id: str | None,
    role: Role | None,
    at: str | None,
) -> None:
    terms = part.terms
    if len(terms) > _MAX_UNCHECKED_TERMS:
        terms = _truncate_terms(terms, prefix)
    run(
        "put_document",
        kind=kind,
        owner_id=part_id(owner_id, number),
        conversation_id=conversation_id,
        role=role,
        at=at,
        length=len(terms),
        part_of=owner_id if number else None,
        part=number,
        start_offset=part.start,
        end_offset=part.end,
        terms=" ".join([prefix + term for term in terms]),
    )


def prepare_parts(message: Message) -> list[DocumentPart]:
    """Return the parts of a stored message; none if it is not to be indexed."""
    if message.role not in INDEXED_ROLES or message.superseded_at is not None:
        return []
    return message_parts(message.content, message.tool_calls, message.metadata)


def put_messages(
    run: Run,
    messages: Iterable[Message],
    *,
    user_id: str,
    prepared: Mapping[str, tuple[Message, list[DocumentPart]]] | None = None,
) -> None:
    """Index stored messages in place of earlier documents. Parts of messages that have not changed
    since can be given, by id: preparing them takes most of the time."""
    for message in messages:
        before, parts = (prepared or {}).get(message.id, (None, []))
        if before != message:
            parts = prepare_parts(message)
        put_parts(
            run,
            message.id,
            parts,
            user_id=user_id,
            conversation_id=message.conversation_id,
            role=message.role,
            at=utc_text(message.event_at),
        )
        if parts:
            run("delete_parts_from", owner_id=message.id, part=len(parts))
        else:
            delete(run, "message", message.id)


def split_whole_messages(run: Run, messages: Sequence[Message], *, user_id: str) -> None:
    """Index those of the messages in parts that are indexed as a whole."""
    ids = json.dumps([message.id for message in messages])
    unsplit = {row["owner_id"] for row in run("list_unsplit", ids=ids)}
    put_messages(run, [m for m in messages if m.id in unsplit], user_id=user_id)


def put_topic(run: Run, conversation: Conversation) -> None:
    """Index the title and the topic of a conversation."""
    text = topic_text(conversation.title, conversation.topic)
    if not text:
        delete(run, "topic", conversation.id)
        return
    put(
        run,
        "topic",
        conversation.id,
        analyze(text),
        user_id=conversation.user_id,
        conversation_id=conversation.id,
    )


def topic_text(title: str | None, topic: str | None) -> str:
    return "\n".join(part for part in (title, topic) if part)


def delete(run: Run, kind: Kind, owner_id: str) -> int:
    """Delete the documents of an owner and their vectors of all embedders. Return the number of
    vectors."""
    vectors = len(run("delete_embeddings", kind=kind, owner_id=owner_id))
    run("delete_document", kind=kind, owner_id=owner_id)
    return vectors


def delete_orphans(run: Run, conversation_id: str) -> None:
    """Delete the documents of deleted messages."""
    run("delete_orphan_documents", conversation_id=conversation_id)


def list_unsplit_conversations(run: Run, *, limit: int) -> list[tuple[str, str]]:
    """List (user, conversation) pairs with messages that are indexed as a whole and without an
    index job."""
    rows = run("list_unsplit_conversations", limit=limit)
    return [(row["user_id"], row["conversation_id"]) for row in rows]


def stored_terms(kind: Kind, terms: Iterable[str], *, user_id: str) -> list[str]:
    """Return terms as they are stored, with the prefix of the user and the kind."""
    prefix = _prefix(user_id, kind)
    return [prefix + term for term in terms]


def _truncate_terms(terms: Sequence[str], prefix: str) -> Sequence[str]:
    """Remove terms from the middle until they fit into a row."""
    overhead = len(prefix) + 6
    while sum(len(t.encode()) + overhead for t in {*terms}) + 2 * len(terms) > _MAX_TERMS_BYTES:
        part = len(terms) * 2 // 5
        terms = [*terms[:part], *terms[-part:]]
    return terms


@lru_cache(maxsize=1024)
def _prefix(user_id: str, kind: Kind) -> str:
    user = hashlib.blake2b(user_id.encode(), digest_size=5).hexdigest()
    return f"{user}{kind[:3]}"
