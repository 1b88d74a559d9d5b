"""ChatGPT's `conversations.json`.

A conversation is a tree of nodes, `mapping`, and `current_node` says which way through it stands.
A node may have a message or none. What an assistant sends to a `recipient` is a call of that tool,
and what its author `tool` says after that is a result. Reasoning comes as messages of its own, and
belongs to the answer that follows it. What the page does not show (instructions, the user's
profile, and the like) was not said, and is left out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast, get_args

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

SOURCE = "chatgpt"

_NOT_SAID = frozenset({"user_editable_context", "model_editable_context", "reasoning_recap"})
_TO_ALL = frozenset({None, "", "all", "assistant"})
_PLACEHOLDERS = {
    "image_asset_pointer": "Image",
    "audio_asset_pointer": "Audio",
    "video_container_asset_pointer": "Video",
    "real_time_user_audio_video_asset_pointer": "Audio",
}
_UNFINISHED = frozenset({"in_progress", "finished_partial_completion"})


@dataclass(slots=True)
class _Thought:
    """A link of a chain of thoughts. Whoever answers first has thought it."""

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
class _Carried:
    """What a message leaves to those that follow it."""

    at: datetime
    thought: _Thought | None = None
    call: str | None = None


def is_one(element: Mapping[str, Json]) -> bool:
    return isinstance(element.get("mapping"), dict)


def read(element: Mapping[str, Json], *, now: datetime) -> Foreign:
    """Raises InvalidInput where it makes no sense."""
    id = source_id(element.get("conversation_id"), element.get("id"))
    created_at = moment(element.get("create_time"), "create_time")
    updated_at = moment(element.get("update_time"), "update_time")
    said = list(_said(id, element, _Carried(created_at or updated_at or now)))
    times = [one.message.event_at for one in said if one.message.event_at]
    return Foreign(
        id=derived_id(SOURCE, id),
        source=SOURCE,
        source_id=id,
        title=title_of(element.get("title")),
        created_at=created_at or min(times, default=updated_at or now),
        updated_at=updated_at or max(times, default=created_at or now),
        is_archived=element.get("is_archived") is True,
        remember=element.get("is_do_not_remember") is not True,
        messages=said,
    )


def _said(source: str, element: Mapping[str, Json], first: _Carried) -> Iterator[Said]:
    mapping = element["mapping"]
    messages = {id: _message(node) for id, node in mapping.items()}
    nodes = [
        Node(id, a_name(node.get("parent")), _time_or_zero(messages[id]))
        for id, node in mapping.items()
    ]
    carried: dict[str | None, _Carried] = {None: first}
    for placed in in_line(nodes, a_name(element.get("current_node"))):
        message = messages[placed.id]
        before = carried[placed.parent]
        if message is None:
            carried[placed.id] = before
            continue
        before = replace(before, at=moment(message.get("create_time"), "create_time") or before.at)
        found, carried[placed.id] = _read_message(message, placed.id, before)
        if found is not None:
            yield Said(
                message=replace(found, id=derived_id(SOURCE, source, placed.id)),
                stands=placed.stands,
                is_whole=a_name(message.get("status")) not in _UNFINISHED,
            )


def _message(node: Json) -> Mapping[str, Json] | None:
    if not isinstance(node, dict) or not isinstance(node.get("message"), dict | None):
        raise InvalidInput("A node of its mapping is no object.", field="mapping")
    message: Mapping[str, Json] | None = node.get("message")
    return message


def _time_or_zero(message: Mapping[str, Json] | None) -> float:
    at = moment(message.get("create_time"), "create_time") if message else None
    return at.timestamp() if at else 0.0


def _read_message(
    message: Mapping[str, Json], id: str, before: _Carried
) -> tuple[MessageIn | None, _Carried]:
    """What is said in it, if anything, and what it leaves to those that follow."""
    content = an_object(message.get("content"), "content")
    about = an_object(message.get("metadata"), "metadata")
    kind = a_name(content.get("content_type"))
    if kind == "thoughts":
        return None, replace(before, thought=_Thought([*_thoughts(content)], before.thought))
    is_hidden = about.get("is_visually_hidden_from_conversation") is True
    names = _attachments(about)
    texts = [*_texts(content)] or [f"[File: {name}]" for name in names]
    if is_hidden or kind in _NOT_SAID or not texts:
        return None, before
    author = an_object(message.get("author"), "author")
    said = MessageIn(
        role=_role(author),
        content="\n".join(texts),
        metadata={"attachments": names} if names else {},
        event_at=before.at,
    )
    match said.role:
        case "assistant":
            return _answer(said, message, id, before)
        case "tool":
            named = _named(tool_call_id=before.call, tool_name=author.get("name"))
            return replace(said, metadata={**said.metadata, **named}), before
        case _:
            return said, replace(before, call=None)


def _answer(
    said: MessageIn, message: Mapping[str, Json], id: str, before: _Carried
) -> tuple[MessageIn, _Carried]:
    about = _named(model=an_object(message.get("metadata"), "metadata").get("model_slug"))
    answer = replace(
        said,
        thinking=before.thought.take() or None if before.thought else None,
        metadata={**said.metadata, **about},
    )
    recipient = a_name(message.get("recipient"))
    if recipient in _TO_ALL:
        return answer, _Carried(before.at)
    call = {"id": id, "tool_name": recipient, "input": _input(said.content)}
    return replace(answer, content="", tool_calls=[call]), _Carried(before.at, call=id)


def _role(author: Mapping[str, Json]) -> Role:
    given = a_name(author.get("role"))
    for role in get_args(Role):
        if role == given:
            return cast(Role, role)
    known = ", ".join(get_args(Role))
    raise InvalidInput(f"A role must be one of {known}, not {str(given)[:40]!r}.", field="role")


def _texts(content: Mapping[str, Json]) -> Iterator[str]:
    parts = a_list(content.get("parts"), "parts")
    for part in parts:
        if isinstance(part, dict):
            yield from _of_part(part)
        elif part is not None and not isinstance(part, str):
            raise InvalidInput("A part of a message is neither text nor an object.", field="parts")
        else:
            yield from texts_of(part)
    if not parts:
        yield from texts_of(
            *(content.get(name) for name in ("title", "url", "text", "result", "output_str"))
        )


def _of_part(part: Mapping[str, Json]) -> Iterator[str]:
    if said := texts_of(part.get("text")):
        yield from said
    elif name := _PLACEHOLDERS.get(str(part.get("content_type"))):
        about = part.get("metadata")
        made = about.get("dalle") if isinstance(about, dict) else None
        prompt = texts_of(made.get("prompt")) if isinstance(made, dict) else []
        yield f"[{': '.join([name, *prompt])}]"


def _thoughts(content: Mapping[str, Json]) -> Iterator[str]:
    for thought in a_list(content.get("thoughts"), "thoughts"):
        given = an_object(thought, "thoughts")
        yield from texts_of(given.get("summary"), given.get("content"))


def _attachments(about: Mapping[str, Json]) -> list[str]:
    attached = a_list(about.get("attachments"), "attachments")
    return [
        name for one in attached for name in texts_of(an_object(one, "attachments").get("name"))
    ]


def _input(text: str) -> Json:
    """An object where it is written as one; code and the like as it stands."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _named(**given: Json) -> dict[str, Any]:
    return {name: text for name, value in given.items() for text in texts_of(value)}
