"""Claude's `conversations.json`.

A conversation is a list of messages with blocks: text, thinking, tool uses and their results. Newer
exports name the parent of each message, so there may be branches. The text of pasted and attached
files is part of the user's message if the export has it.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from recollect.core.errors import InvalidInput
from recollect.core.types import Json, MessageIn, Role
from recollect.transfer.importers.branches import TreeNode, linearize
from recollect.transfer.importers.foreign import (
    import_id,
    non_blank_texts,
    parse_list,
    parse_object,
    parse_source_id,
    parse_time,
    parse_title,
    str_or_none,
)
from recollect.transfer.types import ForeignConversation, ForeignMessage

SOURCE = "claude"

_ROLES: dict[str | None, Role] = {"human": "user", "user": "user", "assistant": "assistant"}


def matches(element: Mapping[str, Json]) -> bool:
    return isinstance(element.get("chat_messages"), list)


def parse(element: Mapping[str, Json], *, now: datetime) -> ForeignConversation:
    """Raises InvalidInput."""
    id = parse_source_id(element.get("uuid"))
    created_at = parse_time(element.get("created_at"), "created_at")
    updated_at = parse_time(element.get("updated_at"), "updated_at")
    messages = list(_messages(id, element, created_at or updated_at or now))
    times = [parsed.message.event_at for parsed in messages if parsed.message.event_at]
    return ForeignConversation(
        id=import_id(SOURCE, id),
        source=SOURCE,
        source_id=id,
        title=parse_title(element.get("name")),
        created_at=created_at or min(times, default=updated_at or now),
        updated_at=updated_at or max(times, default=created_at or now),
        messages=messages,
    )


def _messages(source: str, element: Mapping[str, Json], at: datetime) -> Iterator[ForeignMessage]:
    listed = [parse_object(value, "chat_messages") for value in element["chat_messages"]]
    messages = {parse_source_id(message.get("uuid")): message for message in listed}
    if len(messages) < len(listed):
        raise InvalidInput("Two of its messages have the same id.", field="uuid")
    times = {
        id: parse_time(message.get("created_at"), "created_at") for id, message in messages.items()
    }
    current = str_or_none(element.get("current_leaf_message_uuid"))
    for node in linearize(_nodes(messages, times), current):
        at = times[node.id] or at
        message = _parse_message(messages[node.id], import_id(SOURCE, source, node.id), at)
        if message is not None:
            yield ForeignMessage(message=message, is_active=node.is_active)


def _nodes(
    messages: Mapping[str, Mapping[str, Json]], times: Mapping[str, datetime | None]
) -> list[TreeNode]:
    """Unless every message names its parent, each one follows the message before it."""
    ids = [*messages]
    parents = {id: message.get("parent_message_uuid") for id, message in messages.items()}
    if not all(isinstance(parent, str) for parent in parents.values()):
        parents = {**dict.fromkeys(ids[:1]), **{after: id for id, after in pairwise(ids)}}
    at = {id: time.timestamp() if time else 0.0 for id, time in times.items()}
    return [TreeNode(id, parents[id], at[id]) for id in ids]


def _parse_message(message: Mapping[str, Json], id: str, at: datetime) -> MessageIn | None:
    """Return None for a message without text, files or tool calls."""
    role = _ROLES.get(str_or_none(message.get("sender")))
    if role is None:
        raise InvalidInput("A sender must be human or assistant.", field="sender")
    blocks = [
        parse_object(block, "content") for block in parse_list(message.get("content"), "content")
    ]
    texts = [text for block in blocks for text in non_blank_texts(block.get("text"))]
    calls = list(_tool_calls(blocks))
    if not texts and not calls:
        texts = non_blank_texts(message.get("text"))
    texts += _attached_texts(message)
    names = list(_file_names(message))
    if not texts:
        texts = [f"[File: {name}]" for name in names]
    if not texts and not calls:
        return None
    thinking = [text for block in blocks for text in non_blank_texts(block.get("thinking"))]
    return MessageIn(
        id=id,
        role=role,
        content="\n\n".join(texts),
        thinking="\n\n".join(thinking) or None,
        tool_calls=calls or None,
        metadata={"attachments": names} if names else {},
        event_at=at,
    )


def _tool_calls(blocks: Sequence[Mapping[str, Json]]) -> Iterator[dict[str, Json]]:
    """Each call gets the result with its id, or else the next result without an id."""
    results: dict[str | None, deque[Json]] = {}
    for block in blocks:
        if block.get("type") == "tool_result":
            call_id = str_or_none(block.get("tool_use_id"))
            results.setdefault(call_id, deque()).append(_tool_output(block.get("content")))
    for block in blocks:
        if block.get("type") != "tool_use":
            continue
        name, id = str_or_none(block.get("name")), str_or_none(block.get("id"))
        if name is None:
            raise InvalidInput("A tool has no name.", field="name")
        call = {"tool_name": name, "input": block.get("input")}
        if id is not None:
            call["id"] = id
        if outputs := results.get(id) or results.get(None):
            call["output"] = outputs.popleft()
        yield call


def _tool_output(content: Json) -> Json:
    """Join blocks that are all text; return anything else unchanged."""
    if not isinstance(content, list):
        return content
    texts = [block["text"] for block in content if isinstance(block, dict) and "text" in block]
    is_text = len(texts) == len(content) and all(isinstance(text, str) for text in texts)
    return "\n".join(texts) if is_text else content


def _attached_texts(message: Mapping[str, Json]) -> Iterator[str]:
    for value in parse_list(message.get("attachments"), "attachments"):
        attachment = parse_object(value, "attachments")
        for text in non_blank_texts(attachment.get("extracted_content")):
            name = non_blank_texts(attachment.get("file_name"))
            yield f"[File: {name[0]}]\n{text}" if name else text


def _file_names(message: Mapping[str, Json]) -> Iterator[str]:
    for field in ("attachments", "files"):
        for value in parse_list(message.get(field), field):
            yield from non_blank_texts(parse_object(value, field).get("file_name"))
