"""ChatGPT's `conversations.json`.

A conversation is a tree of nodes, `mapping`, and `current_node` ends its active path. A node may
have no message. An assistant message to a `recipient` is a call of that tool, and a following
message by the author `tool` is its result. Reasoning comes in separate messages and belongs to the
answer after it. Messages that the page does not show (instructions, the user's profile) are left
out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast, get_args

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

SOURCE = "chatgpt"

_HIDDEN_TYPES = frozenset({"user_editable_context", "model_editable_context", "reasoning_recap"})
_USER_RECIPIENTS = frozenset({None, "", "all", "assistant"})
_PLACEHOLDERS = {
    "image_asset_pointer": "Image",
    "audio_asset_pointer": "Audio",
    "video_container_asset_pointer": "Video",
    "real_time_user_audio_video_asset_pointer": "Audio",
}
_INCOMPLETE_STATUSES = frozenset({"in_progress", "finished_partial_completion"})


@dataclass(slots=True)
class _Thought:
    """A link in a chain of thoughts. The first answer after it takes the chain."""

    texts: Sequence[str]
    before: "_Thought | None"
    is_taken: bool = False

    def take(self) -> str:
        chain: list[_Thought] = []
        link: _Thought | None = self
        while link is not None and not link.is_taken:
            link.is_taken = True
            chain.append(link)
            link = link.before
        return "\n\n".join(text for link in reversed(chain) for text in link.texts)


@dataclass(frozen=True, slots=True)
class _PathState:
    """State that a node passes on to its children."""

    at: datetime
    thought: _Thought | None = None
    call_id: str | None = None


def matches(element: Mapping[str, Json]) -> bool:
    return isinstance(element.get("mapping"), dict)


def parse(element: Mapping[str, Json], *, now: datetime) -> ForeignConversation:
    """Raises InvalidInput."""
    id = parse_source_id(element.get("conversation_id"), element.get("id"))
    created_at = parse_time(element.get("create_time"), "create_time")
    updated_at = parse_time(element.get("update_time"), "update_time")
    messages = list(_messages(id, element, _PathState(created_at or updated_at or now)))
    times = [parsed.message.event_at for parsed in messages if parsed.message.event_at]
    return ForeignConversation(
        id=import_id(SOURCE, id),
        source=SOURCE,
        source_id=id,
        title=parse_title(element.get("title")),
        created_at=created_at or min(times, default=updated_at or now),
        updated_at=updated_at or max(times, default=created_at or now),
        is_archived=element.get("is_archived") is True,
        remember=element.get("is_do_not_remember") is not True,
        messages=messages,
    )


def _messages(
    source: str, element: Mapping[str, Json], initial: _PathState
) -> Iterator[ForeignMessage]:
    mapping = element["mapping"]
    messages = {id: _node_message(node) for id, node in mapping.items()}
    nodes = [
        TreeNode(id, str_or_none(node.get("parent")), _time_or_zero(messages[id]))
        for id, node in mapping.items()
    ]
    states: dict[str | None, _PathState] = {None: initial}
    for node in linearize(nodes, str_or_none(element.get("current_node"))):
        message = messages[node.id]
        state = states[node.parent]
        if message is None:
            states[node.id] = state
            continue
        state = replace(state, at=parse_time(message.get("create_time"), "create_time") or state.at)
        parsed, states[node.id] = _parse_message(message, node.id, state)
        if parsed is not None:
            yield ForeignMessage(
                message=replace(parsed, id=import_id(SOURCE, source, node.id)),
                is_active=node.is_active,
                is_complete=str_or_none(message.get("status")) not in _INCOMPLETE_STATUSES,
            )


def _node_message(node: Json) -> Mapping[str, Json] | None:
    if not isinstance(node, dict) or not isinstance(node.get("message"), dict | None):
        raise InvalidInput("A node of its mapping is not an object.", field="mapping")
    message: Mapping[str, Json] | None = node.get("message")
    return message


def _time_or_zero(message: Mapping[str, Json] | None) -> float:
    at = parse_time(message.get("create_time"), "create_time") if message else None
    return at.timestamp() if at else 0.0


def _parse_message(
    message: Mapping[str, Json], id: str, state: _PathState
) -> tuple[MessageIn | None, _PathState]:
    """Return the message, or None if it says nothing, and the state for its children."""
    content = parse_object(message.get("content"), "content")
    metadata = parse_object(message.get("metadata"), "metadata")
    content_type = str_or_none(content.get("content_type"))
    if content_type == "thoughts":
        return None, replace(state, thought=_Thought([*_thoughts(content)], state.thought))
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    names = _attachment_names(metadata)
    texts = [*_texts(content)] or [f"[File: {name}]" for name in names]
    if is_hidden or content_type in _HIDDEN_TYPES or not texts:
        return None, state
    author = parse_object(message.get("author"), "author")
    parsed = MessageIn(
        role=_role(author),
        content="\n".join(texts),
        metadata={"attachments": names} if names else {},
        event_at=state.at,
    )
    match parsed.role:
        case "assistant":
            return _parse_answer(parsed, message, id, state)
        case "tool":
            named = _text_fields(tool_call_id=state.call_id, tool_name=author.get("name"))
            return replace(parsed, metadata={**parsed.metadata, **named}), state
        case _:
            return parsed, replace(state, call_id=None)


def _parse_answer(
    parsed: MessageIn, message: Mapping[str, Json], id: str, state: _PathState
) -> tuple[MessageIn, _PathState]:
    metadata = parse_object(message.get("metadata"), "metadata")
    answer = replace(
        parsed,
        thinking=state.thought.take() or None if state.thought else None,
        metadata={**parsed.metadata, **_text_fields(model=metadata.get("model_slug"))},
    )
    recipient = str_or_none(message.get("recipient"))
    if recipient in _USER_RECIPIENTS:
        return answer, _PathState(state.at)
    call = {"id": id, "tool_name": recipient, "input": _tool_input(parsed.content)}
    return replace(answer, content="", tool_calls=[call]), _PathState(state.at, call_id=id)


def _role(author: Mapping[str, Json]) -> Role:
    role = str_or_none(author.get("role"))
    if role in get_args(Role):
        return cast(Role, role)
    known = ", ".join(get_args(Role))
    raise InvalidInput(f"A role must be one of {known}, not {str(role)[:40]!r}.", field="role")


def _texts(content: Mapping[str, Json]) -> Iterator[str]:
    parts = parse_list(content.get("parts"), "parts")
    for part in parts:
        if isinstance(part, dict):
            yield from _part_texts(part)
        elif part is not None and not isinstance(part, str):
            raise InvalidInput("A part of a message is neither text nor an object.", field="parts")
        else:
            yield from non_blank_texts(part)
    if not parts:
        yield from non_blank_texts(
            *(content.get(name) for name in ("title", "url", "text", "result", "output_str"))
        )


def _part_texts(part: Mapping[str, Json]) -> Iterator[str]:
    if texts := non_blank_texts(part.get("text")):
        yield from texts
    elif name := _PLACEHOLDERS.get(str(part.get("content_type"))):
        metadata = part.get("metadata")
        dalle = metadata.get("dalle") if isinstance(metadata, dict) else None
        prompt = non_blank_texts(dalle.get("prompt")) if isinstance(dalle, dict) else []
        yield f"[{': '.join([name, *prompt])}]"


def _thoughts(content: Mapping[str, Json]) -> Iterator[str]:
    for value in parse_list(content.get("thoughts"), "thoughts"):
        thought = parse_object(value, "thoughts")
        yield from non_blank_texts(thought.get("summary"), thought.get("content"))


def _attachment_names(metadata: Mapping[str, Json]) -> list[str]:
    return [
        name
        for attachment in parse_list(metadata.get("attachments"), "attachments")
        for name in non_blank_texts(parse_object(attachment, "attachments").get("name"))
    ]


def _tool_input(text: str) -> Json:
    """Return a JSON object if the text is one, else the text."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _text_fields(**fields: Json) -> dict[str, Any]:
    return {name: text for name, value in fields.items() for text in non_blank_texts(value)}
