"""Asking a model what to remember, and reading its answer.

The answer has to fit a schema. What does not is told to the model, once; what still does not is
dropped. A note that is well formed is still only a claim: its names and numbers must stand in what
was said, and its words in the message it names, or it was made up.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import get_args

from recollect.digest.orders import gives_orders
from recollect.memories import USER
from recollect.model import Json, MemoryType
from recollect.models.base import ChatMessage, ChatModel, Purpose
from recollect.statements.kinds import KEYED_ATTRIBUTES, SINGLE_ATTRIBUTES, has_one_name
from recollect.terms import names_in, query_terms, words_of
from recollect.text import clamp, plain_words, quote

_TYPES: tuple[str, ...] = get_args(MemoryType)
_LONGEST_NOTE, _LONGEST_LABEL = 300, 60
_MOST_NOTES = 50
_USER_TOKENS, _ASSISTANT_TOKENS = 1_500, 150
_ANSWER_TOKENS = 1_500
_MODEL_SECONDS = 60.0
_NUMBER = re.compile(r"\d+")

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
class Said:
    """A message as an extraction may read it."""

    number: int
    by_user: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is to be remembered, and the number of the message that says it."""

    source: int
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    confidence: float


class BadAnswer(Exception):
    """An answer that does not fit the schema; it says where."""


async def ask(model: ChatModel, said: Sequence[Said], *, purpose: Purpose) -> list[Note] | None:
    """What the model notes; None if it cannot answer in the form asked for. Raises ModelFailed."""
    messages: list[ChatMessage] = [
        {"role": "system", "content": _prompt()},
        {"role": "user", "content": _chat(said)},
    ]
    for _ in range(2):
        reply = await model.complete(
            messages,
            purpose=purpose,
            max_tokens=_ANSWER_TOKENS,
            schema=EXTRACTION_SCHEMA,
            timeout=_MODEL_SECONDS,
        )
        try:
            return [note for note in parse_notes(reply.text, said) if _is_said(note, said)]
        except BadAnswer as fault:
            messages += [
                {"role": "assistant", "content": reply.text or "(nothing)"},
                {"role": "user", "content": f"That does not fit: {fault} Answer with JSON only."},
            ]
    return None


def parse_notes(answer: str, said: Sequence[Said]) -> list[Note]:
    """All of them, or BadAnswer for the first that is wrong."""
    try:
        given, _ = json.JSONDecoder(strict=False).raw_decode(answer, answer.index("{"))
    except (ValueError, RecursionError):
        raise BadAnswer("it is not JSON.") from None
    match given:
        case {"memories": [*items]} if len(items) <= _MOST_NOTES:
            users = {one.number for one in said if one.by_user}
            return [_note(item, f"memories[{n}]", users) for n, item in enumerate(items)]
    raise BadAnswer(f"it must be an object with a list of at most {_MOST_NOTES} memories.")


def _note(item: Json, where: str, users: set[int]) -> Note:
    if not isinstance(item, dict):
        raise BadAnswer(f"{where} must be an object.")
    source, kind = item.get("source"), item.get("memory_type")
    confidence: Json = item.get("confidence")
    if type(source) is not int or source not in users:
        raise BadAnswer(f"{where}.source must be the number of a message by the user.")
    if kind not in _TYPES:
        raise BadAnswer(f"{where}.memory_type must be one of {', '.join(_TYPES)}.")
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        raise BadAnswer(f"{where}.confidence must be between 0 and 1.")
    content = _text(item.get("content"), f"{where}.content", _LONGEST_NOTE)
    if not content:
        raise BadAnswer(f"{where}.content is empty.")
    subject = plain_words(_text(item.get("subject"), f"{where}.subject", _LONGEST_LABEL)) or USER
    attribute = item.get("attribute")
    known = None
    if attribute is not None:
        known = known_attribute(_text(attribute, f"{where}.attribute", _LONGEST_LABEL), subject)
    return Note(
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
        raise BadAnswer(f"{where} must be one line of at most {limit} characters.")
    return value.strip().rstrip(".")


def known_attribute(attribute: str, subject: str) -> str | None:
    """Only what is known to be single may retire anything; another word for it is none. Of sisters
    and dogs there may be two."""
    name, _, object = attribute.partition(":")
    name, object = plain_words(name).replace(" ", "_"), plain_words(object)
    if name in SINGLE_ATTRIBUTES and not object:
        return name if name != "name" or has_one_name(subject) else None
    return f"{name}:{object}" if name in KEYED_ATTRIBUTES and object else None


def _is_said(note: Note, said: Sequence[Said]) -> bool:
    """Whether its words are those of the message it names, and its names and numbers were said."""
    everything = "\n".join(one.text for one in said)
    source = next(one.text for one in said if one.number == note.source)
    numbers = set(_NUMBER.findall(note.content)) <= set(_NUMBER.findall(everything))
    names = names_in(note.content) <= words_of(everything)
    words = not set(query_terms(note.content)).isdisjoint(query_terms(source))
    return numbers and names and words and not gives_orders(note.content)


def _chat(said: Sequence[Said]) -> str:
    return "\n".join(
        quote(
            clamp(one.text, _USER_TOKENS if one.by_user else _ASSISTANT_TOKENS),
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
