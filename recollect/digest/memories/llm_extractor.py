"""Extracts memories with a model.

The answer must match a schema. After an invalid answer the model is told the error, once; then
invalid items are dropped. A valid item may still be made up: it is dropped unless the user's
messages contain its names, its numbers and most of its words.
"""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from typing import get_args

from recollect.core.memory_types import USER
from recollect.core.sanitize import quote, sanitized_json, truncate_middle
from recollect.core.types import Json, MemoryType, Message
from recollect.digest.memories.instruction_filter import is_instruction
from recollect.language.analyzer import (
    analyze,
    content_words,
    folded_words,
    names_and_numbers,
    query_terms,
)
from recollect.language.facts.attributes import KEYED_ATTRIBUTES, SINGLE_ATTRIBUTES, has_one_name
from recollect.language.normalize import plain_words
from recollect.llm.protocols import CallContext, ChatMessage, CompletionModel

logger = logging.getLogger(__name__)

_PROMPT = (
    files("recollect.digest")
    .joinpath("prompts", "extract.md")
    .read_text(encoding="utf-8")
    .format(attributes=", ".join(sorted(SINGLE_ATTRIBUTES)))
)
_TYPES: tuple[str, ...] = get_args(MemoryType)
_MAX_CONTENT_CHARS, _MAX_LABEL_CHARS = 300, 60
_MAX_MEMORIES = 50
_MAX_USER_TOKENS, _MAX_ASSISTANT_TOKENS = 1_500, 150
_MAX_INPUT_TOKENS, _MIN_INPUT_TOKENS = 8_000, 500
_PROMPT_TOKENS, _MAX_ANSWER_TOKENS = 1_000, 1_500
_MODEL_SECONDS = 60.0
_MAX_JSON_STARTS = 100
_NUMBER = re.compile(r"\d+")
_LENIENT_JSON = json.JSONDecoder(strict=False)

_ITEM_PROPERTIES: Mapping[str, Json] = {
    "source": {"type": "integer"},
    "memory_type": {"type": "string", "enum": list(_TYPES)},
    "category": {"type": "string"},
    "content": {"type": "string"},
    "subject": {"type": "string"},
    "attribute": {"type": ["string", "null"]},
    "confidence": {"type": "number"},
}


def _object(properties: Mapping[str, Json]) -> Mapping[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


EXTRACTION_SCHEMA = _object({"memories": {"type": "array", "items": _object(_ITEM_PROPERTIES)}})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedMemory:
    """A memory that was found, and the seq of its source message."""

    source: int
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    confidence: float


class InvalidExtraction(Exception):
    """An answer does not match the schema; the message says where."""


def max_input_tokens(window: int) -> int:
    """Return the tokens of a chat that fit into one call, beside the prompt and two answers; 0 if
    that is too little."""
    room = min(_MAX_INPUT_TOKENS, window - _PROMPT_TOKENS - 2 * _answer_tokens(window))
    return room if room >= _MIN_INPUT_TOKENS else 0


def _answer_tokens(window: int) -> int:
    return min(_MAX_ANSWER_TOKENS, window // 5)


async def extract_with_model(
    model: CompletionModel, chat: Sequence[Message], *, call: CallContext
) -> list[ExtractedMemory] | None:
    """Return the model's memories; None if it did not answer in valid form. Raises ModelFailed."""
    messages: list[ChatMessage] = [
        {"role": "system", "content": _PROMPT},
        {"role": "user", "content": _chat_text(chat)},
    ]
    limit = _answer_tokens(model.window)
    for is_last in (False, True):
        reply = await model.complete(
            messages,
            call=call,
            max_tokens=limit,
            schema=EXTRACTION_SCHEMA,
            timeout_seconds=_MODEL_SECONDS,
        )
        try:
            memories = parse_memories(reply.text, chat, drop_invalid=is_last)
        except InvalidExtraction as error:
            about = {"conversation_id": call.conversation_id, "reason": str(error)}
            logger.warning("extraction.rejected", extra=about)
            messages += [
                {"role": "assistant", "content": truncate_middle(reply.text, limit) or "(nothing)"},
                {"role": "user", "content": f"That does not fit: {error} Answer with JSON only."},
            ]
        else:
            return [memory for memory in memories if _is_grounded(memory, chat)]
    return None


def parse_memories(
    answer: str, chat: Sequence[Message], *, drop_invalid: bool = False
) -> list[ExtractedMemory]:
    """Parse an answer. Raise InvalidExtraction for the first invalid item, or drop these."""
    user_seqs = {message.seq for message in chat if message.role == "user"}
    memories = []
    for index, item in enumerate(_items(answer)):
        try:
            memories.append(_parse_item(item, f"memories[{index}]", user_seqs))
        except InvalidExtraction:
            if not drop_invalid:
                raise
    return memories


def _items(answer: str) -> list[Json]:
    """Return the list of the first JSON object that has one, ignoring text around it."""
    for start in islice(re.finditer(r"\{", answer), _MAX_JSON_STARTS):
        try:
            value, _ = _LENIENT_JSON.raw_decode(answer, start.start())
        except (ValueError, RecursionError):
            continue
        match value:
            case {"memories": [*items]} if len(items) <= _MAX_MEMORIES:
                return [sanitized_json(item) for item in items]
    raise InvalidExtraction(
        f"it must be an object with a list of at most {_MAX_MEMORIES} memories."
    )


def _parse_item(item: Json, where: str, user_seqs: set[int]) -> ExtractedMemory:
    if not isinstance(item, dict):
        raise InvalidExtraction(f"{where} must be an object.")
    source, kind = item.get("source"), item.get("memory_type")
    confidence: Json = item.get("confidence")
    if type(source) is not int or source not in user_seqs:
        raise InvalidExtraction(f"{where}.source must be the number of a message by the user.")
    if kind not in _TYPES:
        raise InvalidExtraction(f"{where}.memory_type must be one of {', '.join(_TYPES)}.")
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        raise InvalidExtraction(f"{where}.confidence must be between 0 and 1.")
    content = _text(item.get("content"), f"{where}.content", _MAX_CONTENT_CHARS)
    if not content:
        raise InvalidExtraction(f"{where}.content is empty.")
    subject = plain_words(_text(item.get("subject"), f"{where}.subject", _MAX_LABEL_CHARS)) or USER
    attribute = item.get("attribute")
    known = None
    if attribute is not None:
        known = known_attribute(_text(attribute, f"{where}.attribute", _MAX_LABEL_CHARS), subject)
    return ExtractedMemory(
        source=source,
        memory_type=kind,
        category=_text(item.get("category"), f"{where}.category", _MAX_LABEL_CHARS).lower() or None,
        content=content,
        subject=subject if known else None,
        attribute=known,
        confidence=float(confidence),
    )


def _text(value: Json, where: str, limit: int) -> str:
    if not isinstance(value, str) or len(value) > limit or not value.isprintable():
        raise InvalidExtraction(f"{where} must be one line of at most {limit} characters.")
    return value.strip().rstrip(".")


def known_attribute(attribute: str, subject: str) -> str | None:
    """Return the attribute in canonical form if a subject has only one value of it, else None.

    Only such attributes may supersede a memory: of sisters and dogs there may be two.
    """
    name, _, object = attribute.partition(":")
    name, object = plain_words(name).replace(" ", "_"), plain_words(object)
    if name in SINGLE_ATTRIBUTES and not object:
        return name if name != "name" or has_one_name(subject) else None
    return f"{name}:{object}" if name in KEYED_ATTRIBUTES and object else None


def _is_grounded(memory: ExtractedMemory, chat: Sequence[Message]) -> bool:
    """Whether the user's messages contain the memory's names, numbers and most of its words.

    Statements of the assistant that the user did not repeat are not facts about the user.
    """
    content = memory.content
    user_text = "\n".join(message.content for message in chat if message.role == "user")
    source = next(message.content for message in chat if message.seq == memory.source)
    user_terms = set(analyze(user_text))
    words = [set(query_terms(word)) for word in content_words(content)]
    repeated = sum(1 for stems in words if not stems.isdisjoint(user_terms))
    return (
        set(_NUMBER.findall(content)) <= set(_NUMBER.findall(user_text))
        and names_and_numbers(content).issubset(folded_words(user_text))
        and not set(query_terms(content)).isdisjoint(analyze(source))
        and 2 * repeated >= len(words)
        and not is_instruction(content)
    )


def _chat_text(chat: Sequence[Message]) -> str:
    limits = {"user": _MAX_USER_TOKENS, "assistant": _MAX_ASSISTANT_TOKENS}
    return "\n".join(
        quote(
            truncate_middle(message.content, limits[message.role]),
            message=message.seq,
            by=message.role,
        )
        for message in chat
        if message.role in limits and message.content
    )
