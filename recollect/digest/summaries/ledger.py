"""The ledger: exact values, carried verbatim from summary to summary beside the prose.

Prose loses figures first. The ledger has its own token cap; the lightest values are dropped. A
value that users stated about themselves or their task outweighs one mentioned in passing, and
repetition adds weight. But repeated mentions never reach the weight of a statement, so that a name
from small talk does not push out an order number.

Among values of similar weight, each one taken makes the next of its kind lighter, so that no kind
crowds out the others, and much lighter if the label is the same, because then it is probably an
older value of the same thing. Of equals, the latest is taken first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.core import tokens
from recollect.core.sanitize import render_exact_value, render_ledger
from recollect.core.types import ExactValue, ExactValueKind

_STATED_WEIGHT = 6
"""The minimum weight of a value that was stated, not mentioned."""
_MAX_WEIGHT = 15
_SAME_KIND_PENALTY, _SAME_LABEL_PENALTY = 1, 3
_MAX_SHARE = 4
"""A value takes at most one in so many of the cap's tokens."""
_MAX_CANDIDATES = 200


def merge_exact_values(
    old: Sequence[ExactValue], new: Sequence[ExactValue], *, cap_tokens: int
) -> tuple[ExactValue, ...]:
    """Return the heaviest values, each once, within `cap_tokens` as rendered."""
    known: dict[str, ExactValue] = {}
    for value in _by_seq([*old, *new]):
        key = _normal(value.value).strip(" .,;:!?")
        known[key] = _repeated(known[key], value) if key in known else value
    heaviest = sorted(known.values(), key=lambda value: (-value.weight, -value.seq))
    return tuple(_by_seq(_fitting(heaviest[:_MAX_CANDIDATES], cap_tokens)))


def missing_exact_values(values: Iterable[ExactValue], text: str) -> list[ExactValue]:
    """Return the values that are not in `text`, ignoring case and spacing.

    A part of a longer number or word does not count: "250 EUR" is not in "4,250 EUR".
    """
    normal_text = _normal(text)
    return [value for value in values if not _contains(normal_text, _normal(value.value))]


def _repeated(known: ExactValue, value: ExactValue) -> ExactValue:
    """Return a known value with the weight and label that it has after a repetition."""
    lighter, heavier = sorted((known, value), key=lambda each: each.weight)
    weight = heavier.weight
    if value.seq > known.seq:
        ceiling = _MAX_WEIGHT if lighter.weight >= _STATED_WEIGHT else _STATED_WEIGHT - 1
        weight = max(weight, min(weight + 1, ceiling))
    return replace(value, kind=heavier.kind, label=heavier.label or lighter.label, weight=weight)


def _fitting(values: Iterable[ExactValue], cap_tokens: int) -> list[ExactValue]:
    """Choose the values that fit, the heaviest first."""
    left = list(values)
    taken: list[ExactValue] = []
    kinds: Counter[ExactValueKind] = Counter()
    labels: set[tuple[ExactValueKind, str]] = set()

    def worth(value: ExactValue) -> tuple[int, int, int, str]:
        weight = value.weight - _SAME_KIND_PENALTY * kinds[value.kind]
        if (value.kind, _normal(value.label)) in labels:
            weight -= _SAME_LABEL_PENALTY
        return weight, value.seq, len(value.value), value.value

    while left:
        value = max(left, key=worth)
        left.remove(value)
        if _MAX_SHARE * tokens.count(render_exact_value(value)) > cap_tokens:
            continue
        if not missing_exact_values([value], "\n".join(other.value for other in taken)):
            continue
        if tokens.count(render_ledger(_by_seq([*taken, value]))) > cap_tokens:
            continue
        taken.append(value)
        kinds[value.kind] += 1
        if value.label:
            labels.add((value.kind, _normal(value.label)))
    return taken


def _by_seq(values: Iterable[ExactValue]) -> list[ExactValue]:
    return sorted(values, key=lambda value: value.seq)


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()


def _contains(text: str, value: str) -> bool:
    at = text.find(value)
    while at >= 0:
        if not _is_inside_word(text, at) and not _is_inside_word(text, at + len(value)):
            return True
        at = text.find(value, at + 1)
    return False


def _is_inside_word(text: str, at: int) -> bool:
    """Whether a number or a word continues across the offset `at`."""
    left, right = text[max(0, at - 1) : at], text[at : at + 1]
    if left.isdigit() and right in {".", ","}:
        return text[at + 1 : at + 2].isdigit()
    if left in {".", ","} and right.isdigit():
        return text[max(0, at - 2) : at - 1].isdigit()
    return (left.isdigit() and right.isdigit()) or (left.islower() and right.islower())
