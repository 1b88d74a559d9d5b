"""Finds the exact values in what tools returned.

A result in JSON gives the values of its fields, with the field's name as label: from
`{"booking_reference": "QX7T42"}` comes the identifier QX7T42, the booking reference. Any other text
gives the values of its sentences. Fields that hold secrets are left out.

A result may be large and mostly noise, so only a part of it is read, and only the best values are
taken: identifiers first, then dates, amounts of money and names. None weighs as much as a value
that a user states.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recollect.core.types import ExactValueKind, Json
from recollect.digest.summaries.labels import is_stated, label_in, label_of_field
from recollect.digest.summaries.value_weights import exactness
from recollect.language.exact_values import find_values
from recollect.language.normalize import plain
from recollect.language.patterns import words
from recollect.language.registry import merged
from recollect.language.sentences import split_sentences

MAX_VALUES = 10
"""Per result."""
_MAX_FIELDS = 2_000
_MAX_JSON_CHARS = 2_000_000
_MAX_START_CHARS, _MAX_END_CHARS = 20_000, 5_000
_MAX_SENTENCE_CHARS = 1_000
_MAX_FIELD_CHARS = 200
_MAX_NUMBER_CHARS = 9
"""Longer numbers without a name for them are times or internal."""
_MIN_WEIGHT = 2
_UNSTATED_PENALTY = 2
_CODE = re.compile(r"[^\s\"']{4,40}")
_PAIR = re.compile(r'"([^"\\\n]{1,60})"\s{0,9}:\s{0,9}(?:"([^"\\\n]{1,200})"|(-?\d[\d.]{0,20}))')
_CURRENCY = "currency"
_WORDS = merged("value_labels")
_IDENTIFIERS, _SECRETS = words(_WORDS["identifiers"]), words(_WORDS["secrets"])
_WEIGHTS: dict[ExactValueKind, int] = {
    "identifier": 3,
    "date": 3,
    "amount": 3,
    "name": 2,
    "url": 0,
    "path": 0,
}
"""Without `exactness`: from 1 for a first name to 5 for a code."""


class ToolValue(NamedTuple):
    kind: ExactValueKind
    value: str
    label: str
    weight: int


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


class _Field(NamedTuple):
    name: str
    parent: str
    value: Json
    currency: str = ""


def find_tool_values(output: Json) -> list[ToolValue]:
    """Return the best values of a tool's result, at most `MAX_VALUES`, in their order."""
    found: dict[str, ToolValue] = {}
    for value in _values_of(output):
        if value.weight >= _MIN_WEIGHT:
            found.setdefault(value.value, value)
    labels: Counter[str] = Counter()
    ranked = []
    for index, value in enumerate(found.values()):
        ranked.append((value.weight - labels[value.label], -index, value))
        labels[value.label] += 1  # the tenth price of a list matters less than the first date
    best = sorted(ranked, reverse=True)[:MAX_VALUES]
    return [value for _, _, value in sorted(best, key=lambda each: -each[1])]


def _values_of(output: Json) -> Iterator[ToolValue]:
    for field in _fields(output):
        if isinstance(field.value, str):
            yield from _field_values(field, field.value)


def _fields(output: Json) -> Iterator[_Field]:
    """Yield the texts and numbers of a result in their order, also those of JSON in a text."""
    waiting = [_Field("", "", output)]
    for _ in range(_MAX_FIELDS):
        if not waiting:
            return
        field = waiting.pop()
        value = field.value
        if isinstance(value, str) and not isinstance(value, _Number):
            value = _parsed(value)
            if not isinstance(value, str):
                field = _Field("", "", value)
        if isinstance(value, dict):
            waiting += reversed([*_members(value, field.name)])
        elif isinstance(value, list | tuple):
            items = value[:_MAX_FIELDS]
            waiting += reversed([field._replace(value=item) for item in items])
        elif isinstance(value, str):
            yield field._replace(value=value)
        elif _is_number(value) and abs(value) < 10**_MAX_NUMBER_CHARS:
            yield field._replace(value=_Number(value))


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float | _Number) and not isinstance(value, bool)


def _members(value: dict[str, Json], parent: str) -> Iterator[_Field]:
    members = [*value.items()][:_MAX_FIELDS]
    currencies = [member for name, member in members if _CURRENCY in name.lower()]
    is_only_number = sum(_is_number(member) for _, member in members) == 1
    for name, member in members:
        has_cents = isinstance(member, float) or (isinstance(member, _Number) and "." in member)
        is_money = has_cents or (is_only_number and _is_number(member))
        has_currency = is_money and currencies and isinstance(currencies[0], str)
        yield _Field(name, parent, member, currencies[0][:4] if has_currency else "")


def _parsed(text: str) -> Json:
    """Return the contents of a JSON text, the pairs of a broken one, or the text itself."""
    if text.lstrip()[:1] not in {"{", "["}:
        return text
    if len(text) <= _MAX_JSON_CHARS:
        try:
            return json.loads(text, parse_int=_Number, parse_float=_Number)
        except (ValueError, RecursionError):
            pass
    pairs = _PAIR.findall(_ends(text))
    return [{name: string or _Number(number)} for name, string, number in pairs] or text


def _ends(text: str) -> str:
    if len(text) <= _MAX_START_CHARS + _MAX_END_CHARS:
        return text
    return f"{text[:_MAX_START_CHARS]}\n{text[-_MAX_END_CHARS:]}"


def _field_values(field: _Field, text: str) -> Iterable[ToolValue]:
    label = label_of_field(field.name, field.parent)
    named = plain(label).split()
    if not _SECRETS.isdisjoint(named):
        return []
    if len(text) > _MAX_FIELD_CHARS or "\n" in text or not label:
        return _text_values(text)
    text = text.strip()
    is_code = bool(named) and named[-1] in _IDENTIFIERS and _CODE.fullmatch(text) is not None
    if is_code:
        return [ToolValue("identifier", text, label, _weight("identifier", text))]
    if isinstance(field.value, _Number):
        return _number_values(text, label, field.currency)
    return [
        ToolValue(kind, text[start:end], label, _weight(kind, text[start:end]))
        for kind, start, end in find_values(text)
        if kind in _WEIGHTS
    ]


def _number_values(text: str, label: str, currency: str) -> list[ToolValue]:
    if len(text) > _MAX_NUMBER_CHARS:
        return []
    if currency:
        return [ToolValue("amount", text, f"{label} {currency}", _WEIGHTS["amount"] + 1)]
    return [ToolValue("amount", text, label, _WEIGHTS["amount"] - 1)] if len(text) > 1 else []


def _text_values(text: str) -> Iterator[ToolValue]:
    for sentence in split_sentences(_ends(text)):
        part = sentence[:_MAX_SENTENCE_CHARS]
        for kind, start, end in find_values(part):
            if kind in _WEIGHTS:
                penalty = 0 if is_stated(part, start, end) else _UNSTATED_PENALTY
                weight = _weight(kind, part[start:end]) - penalty
                yield ToolValue(kind, part[start:end], label_in(part, start, end), weight)


def _weight(kind: ExactValueKind, value: str) -> int:
    """Return the weight of a value; a word of letters only is a state rather than a code."""
    if kind == "identifier" and not any(map(str.isdigit, value)) and not value.isupper():
        return 1
    return _WEIGHTS[kind] + exactness(kind, value)
