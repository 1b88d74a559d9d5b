"""Asking a model what to remember, and reading its answer.

The answer has to fit a schema. What does not is told to the model, once; what still does not is
dropped. A note that is well formed is still only a claim: the user must have said its names and
numbers and most of its words, or it was made up.
"""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import get_args

from recollect.core.memory_types import USER
from recollect.core.sanitize import quote, sanitized_json, truncate_middle
from recollect.core.types import Json, MemoryType
from recollect.digest.memories.instruction_filter import gives_orders
from recollect.language.analyzer import (
    analyze,
    content_words,
    folded_words,
    names_and_numbers,
    query_terms,
)
from recollect.language.facts.attributes import KEYED_ATTRIBUTES, SINGLE_ATTRIBUTES, has_one_name
from recollect.language.normalize import plain_words
from recollect.llm.protocols import CallContext, ChatMessage, ChatModel

logger = logging.getLogger(__name__)

_TYPES: tuple[str, ...] = get_args(MemoryType)
_LONGEST_NOTE, _LONGEST_LABEL = 300, 60
_MOST_NOTES = 50
_USER_TOKENS, _ASSISTANT_TOKENS = 1_500, 150
_MOST_READ, _LEAST_READ = 8_000, 500
_PROMPT_TOKENS, _ANSWER_TOKENS = 1_000, 1_500
_MODEL_SECONDS = 60.0
_MOST_OPENINGS = 100
_NUMBER = re.compile(r"\d+")
_LENIENT_JSON = json.JSONDecoder(strict=False)

EXTRACTION_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "memories": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "source": {"type": "integer"},
                    "memory_type": {"type": "string", "enum": list(_TYPES)},
                    "category": {"type": "string"},
                    "content": {"type": "string"},
                    "subject": {"type": "string"},
                    "attribute": {"type": ["string", "null"]},
                    "confidence": {"type": "number"},
                },
                "required": [
                    "source",
                    "memory_type",
                    "category",
                    "content",
                    "subject",
                    "attribute",
                    "confidence",
                ],
                "additionalProperties": False,
            },
        }
    },
    "required": ["memories"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMessage:
    """A message as an extraction may read it."""

    number: int
    by_user: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedMemory:
    """What is to be remembered, and the number of the message that says it."""

    source: int
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    confidence: float


class InvalidExtraction(Exception):
    """An answer that does not fit the schema; it says where."""


def room_in(window: int) -> int:
    """The tokens of a chat that can be read at once: beside the prompt, and an answer that may have
    to be given twice. 0 where that is too little to be worth it."""
    room = min(_MOST_READ, window - _PROMPT_TOKENS - 2 * _answer_tokens(window))
    return room if room >= _LEAST_READ else 0


def _answer_tokens(window: int) -> int:
    return min(_ANSWER_TOKENS, window // 5)


async def ask(
    model: ChatModel, said: Sequence[SourceMessage], *, call: CallContext
) -> list[ExtractedMemory] | None:
    """What the model notes; None if it cannot answer in the form asked for. Raises ModelFailed."""
    messages: list[ChatMessage] = [
        {"role": "system", "content": _prompt()},
        {"role": "user", "content": _chat(said)},
    ]
    limit = _answer_tokens(model.variant.window)
    for is_last in (False, True):
        reply = await model.complete(
            messages,
            call=call,
            max_tokens=limit,
            schema=EXTRACTION_SCHEMA,
            timeout=_MODEL_SECONDS,
        )
        try:
            notes = parse_notes(reply.text, said, drop_bad=is_last)
        except InvalidExtraction as fault:
            about = {"conversation_id": call.conversation_id, "reason": str(fault)}
            logger.warning("extraction_refused", extra=about)
            messages += [
                {"role": "assistant", "content": truncate_middle(reply.text, limit) or "(nothing)"},
                {"role": "user", "content": f"That does not fit: {fault} Answer with JSON only."},
            ]
        else:
            return [note for note in notes if _is_said(note, said)]
    return None


def parse_notes(
    answer: str, said: Sequence[SourceMessage], *, drop_bad: bool = False
) -> list[ExtractedMemory]:
    """BadAnswer for the first that is wrong, unless these are to be dropped."""
    users = {one.number for one in said if one.by_user}
    notes = []
    for number, item in enumerate(_items(answer)):
        try:
            notes.append(_note(item, f"memories[{number}]", users))
        except InvalidExtraction:
            if not drop_bad:
                raise
    return notes


def _items(answer: str) -> list[Json]:
    """The list in the first object that has one, whatever stands around it."""
    for opening in islice(re.finditer(r"\{", answer), _MOST_OPENINGS):
        try:
            given, _ = _LENIENT_JSON.raw_decode(answer, opening.start())
        except (ValueError, RecursionError):
            continue
        match given:
            case {"memories": [*items]} if len(items) <= _MOST_NOTES:
                return [sanitized_json(item) for item in items]
    raise InvalidExtraction(f"it must be an object with a list of at most {_MOST_NOTES} memories.")


def _note(item: Json, where: str, users: set[int]) -> ExtractedMemory:
    if not isinstance(item, dict):
        raise InvalidExtraction(f"{where} must be an object.")
    source, kind = item.get("source"), item.get("memory_type")
    confidence: Json = item.get("confidence")
    if type(source) is not int or source not in users:
        raise InvalidExtraction(f"{where}.source must be the number of a message by the user.")
    if kind not in _TYPES:
        raise InvalidExtraction(f"{where}.memory_type must be one of {', '.join(_TYPES)}.")
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        raise InvalidExtraction(f"{where}.confidence must be between 0 and 1.")
    content = _text(item.get("content"), f"{where}.content", _LONGEST_NOTE)
    if not content:
        raise InvalidExtraction(f"{where}.content is empty.")
    subject = plain_words(_text(item.get("subject"), f"{where}.subject", _LONGEST_LABEL)) or USER
    attribute = item.get("attribute")
    known = None
    if attribute is not None:
        known = known_attribute(_text(attribute, f"{where}.attribute", _LONGEST_LABEL), subject)
    return ExtractedMemory(
        source=source,
        memory_type=kind,
        category=_text(item.get("category"), f"{where}.category", _LONGEST_LABEL).lower() or None,
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
    """Only what is known to be single may retire anything; another word for it is none. Of sisters
    and dogs there may be two."""
    name, _, object = attribute.partition(":")
    name, object = plain_words(name).replace(" ", "_"), plain_words(object)
    if name in SINGLE_ATTRIBUTES and not object:
        return name if name != "name" or has_one_name(subject) else None
    return f"{name}:{object}" if name in KEYED_ATTRIBUTES and object else None


def _is_said(note: ExtractedMemory, said: Sequence[SourceMessage]) -> bool:
    """Whether the user said it: its names and numbers, and most of its telling words. What only the
    assistant said, and the user did not repeat, is not known of the user."""
    spoken = "\n".join(one.text for one in said if one.by_user)
    source = next(one.text for one in said if one.number == note.source)
    numbers = set(_NUMBER.findall(note.content)) <= set(_NUMBER.findall(spoken))
    names = names_and_numbers(note.content) <= folded_words(spoken)
    heard = set(analyze(spoken))
    telling = [set(query_terms(word)) for word in content_words(note.content)]
    repeated = sum(1 for stems in telling if not stems.isdisjoint(heard))
    is_there = not set(query_terms(note.content)).isdisjoint(analyze(source))
    return (
        numbers
        and names
        and is_there
        and 2 * repeated >= len(telling)
        and not gives_orders(note.content)
    )


def _chat(said: Sequence[SourceMessage]) -> str:
    return "\n".join(
        quote(
            truncate_middle(one.text, _USER_TOKENS if one.by_user else _ASSISTANT_TOKENS),
            message=one.number,
            by="user" if one.by_user else "assistant",
        )
        for one in said
        if one.text
    )


@cache
def _prompt() -> str:
    prompt = (files("recollect.digest") / "prompts" / "extract.md").read_text(encoding="utf-8")
    return prompt.format(attributes=", ".join(sorted(SINGLE_ATTRIBUTES)))
