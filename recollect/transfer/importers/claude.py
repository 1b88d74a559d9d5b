"""Claude's `conversations.json`.

A conversation is a list of messages, each with blocks: text, thinking, and tools that were used,
with their results. Newer exports name the message that each one follows; then there may be
branches. What was pasted or attached is part of what the user said, where its text is there.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from recollect.core.errors import InvalidInput
from recollect.core.types import Json, MessageIn, Role
from recollect.transfer.importers.foreign import (
    a_list,
    a_name,
    an_object,
    derived_id,
    moment,
    source_id,
    texts_of,
    title_of,
)
from recollect.transfer.importers.tree import Node, in_line
from recollect.transfer.importers.values import Foreign, Said

SOURCE = "claude"

_ROLES: dict[str | None, Role] = {"human": "user", "user": "user", "assistant": "assistant"}


def is_one(element: Mapping[str, Json]) -> bool:
    return isinstance(element.get("chat_messages"), list)


def read(element: Mapping[str, Json], *, now: datetime) -> Foreign:
    """Raises InvalidInput where it makes no sense."""
    id = source_id(element.get("uuid"))
    created_at = moment(element.get("created_at"), "created_at")
    updated_at = moment(element.get("updated_at"), "updated_at")
    said = list(_said(id, element, created_at or updated_at or now))
    times = [one.message.event_at for one in said if one.message.event_at]
    return Foreign(
        id=derived_id(SOURCE, id),
        source=SOURCE,
        source_id=id,
        title=title_of(element.get("name")),
        created_at=created_at or min(times, default=updated_at or now),
        updated_at=updated_at or max(times, default=created_at or now),
        messages=said,
    )


def _said(source: str, element: Mapping[str, Json], at: datetime) -> Iterator[Said]:
    given = [an_object(one, "chat_messages") for one in element["chat_messages"]]
    messages = {source_id(one.get("uuid")): one for one in given}
    if len(messages) < len(given):
        raise InvalidInput("Two of its messages have the same id.", field="uuid")
    times = {id: moment(one.get("created_at"), "created_at") for id, one in messages.items()}
    for placed in in_line(
        _nodes(messages, times), a_name(element.get("current_leaf_message_uuid"))
    ):
        at = times[placed.id] or at
        if found := _read_message(messages[placed.id], derived_id(SOURCE, source, placed.id), at):
            yield Said(message=found, stands=placed.stands)


def _nodes(
    messages: Mapping[str, Mapping[str, Json]], times: Mapping[str, datetime | None]
) -> list[Node]:
    """Where not every message names the one it follows, they follow each other."""
    ids = [*messages]
    named = {id: one.get("parent_message_uuid") for id, one in messages.items()}
    if not all(isinstance(parent, str) for parent in named.values()):
        named = {**dict.fromkeys(ids[:1]), **{after: id for id, after in pairwise(ids)}}
    at = {id: time.timestamp() if time else 0.0 for id, time in times.items()}
    return [Node(id, named[id], at[id]) for id in ids]


def _read_message(message: Mapping[str, Json], id: str, at: datetime) -> MessageIn | None:
    role = _ROLES.get(a_name(message.get("sender")))
    if role is None:
        raise InvalidInput("A sender must be human or assistant.", field="sender")
    blocks = [an_object(block, "content") for block in a_list(message.get("content"), "content")]
    texts = [text for one in blocks for text in texts_of(one.get("text"))]
    calls = list(_calls(blocks))
    if not texts and not calls:
        texts = texts_of(message.get("text"))
    texts += _attached(message)
    names = list(_file_names(message))
    if not texts:
        texts = [f"[File: {name}]" for name in names]
    if not texts and not calls:
        return None
    thinking = [text for one in blocks for text in texts_of(one.get("thinking"))]
    return MessageIn(
        id=id,
        role=role,
        content="\n\n".join(texts),
        thinking="\n\n".join(thinking) or None,
        tool_calls=calls or None,
        metadata={"attachments": names} if names else {},
        event_at=at,
    )


def _calls(blocks: Sequence[Mapping[str, Json]]) -> Iterator[dict[str, Json]]:
    """Each with its result: the one that names it, or else the next that names none."""
    results: dict[str | None, deque[Json]] = {}
    for block in blocks:
        if block.get("type") == "tool_result":
            answered = a_name(block.get("tool_use_id"))
            results.setdefault(answered, deque()).append(_output(block.get("content")))
    for block in blocks:
        if block.get("type") != "tool_use":
            continue
        name, id = a_name(block.get("name")), a_name(block.get("id"))
        if name is None:
            raise InvalidInput("A tool has no name.", field="name")
        call = {"tool_name": name, "input": block.get("input")}
        if id is not None:
            call["id"] = id
        if found := results.get(id) or results.get(None):
            call["output"] = found.popleft()
        yield call


def _output(content: Json) -> Json:
    """As text where it is nothing else."""
    if not isinstance(content, list):
        return content
    texts = [one["text"] for one in content if isinstance(one, dict) and "text" in one]
    is_text = len(texts) == len(content) and all(isinstance(text, str) for text in texts)
    return "\n".join(texts) if is_text else content


def _attached(message: Mapping[str, Json]) -> Iterator[str]:
    for one in a_list(message.get("attachments"), "attachments"):
        attachment = an_object(one, "attachments")
        for text in texts_of(attachment.get("extracted_content")):
            name = texts_of(attachment.get("file_name"))
            yield f"[File: {name[0]}]\n{text}" if name else text


def _file_names(message: Mapping[str, Json]) -> Iterator[str]:
    for field in ("attachments", "files"):
        for one in a_list(message.get(field), field):
            yield from texts_of(an_object(one, field).get("file_name"))
