"""The ledger: exact values, carried from summary to summary beside the prose.

Prose loses figures first, so they are kept apart, to the letter. The ledger has a cap of its own,
and what does not fit is dropped by weight. A value stated by users about themselves or their task
outweighs one mentioned in passing, and one that came up again outweighs one that did not; but
mentions in passing, however many, lift a value only to the edge of what was stated, so a name that
small talk is full of does not push out an order number.

Two more things decide among values of about the same weight. Each one taken makes the next of its
kind lighter, so that no kind crowds out the others; and much lighter if the label is the same,
since then it is probably an older value of the same thing. Of equals, the latest is taken first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.core import tokens
from recollect.core.sanitize import render_exact_value, render_ledger
from recollect.core.types import ExactValue, ExactValueKind
from recollect.digest.summaries.exact_values import find_atoms

__all__ = ["find_atoms", "merge_atoms", "missing_atoms"]

_STATED = 6
"""From this weight on, a value was stated rather than mentioned."""
_HEAVIEST = 15
_CROWDING, _OUTDATED = 1, 3
_LARGEST_SHARE = 4
"""No atom takes more than one in so many of the cap's tokens."""
_CANDIDATES = 200


def merge_atoms(
    old: Sequence[ExactValue], new: Sequence[ExactValue], *, cap_tokens: int
) -> tuple[ExactValue, ...]:
    """The atoms that matter most, each value once, within `cap_tokens` as rendered."""
    known: dict[str, ExactValue] = {}
    for atom in _in_order([*old, *new]):
        key = _normal(atom.value).strip(" .,;:!?")
        known[key] = _again(known[key], atom) if key in known else atom
    heaviest = sorted(known.values(), key=lambda atom: (-atom.weight, -atom.seq))[:_CANDIDATES]
    return tuple(_in_order(_taken(heaviest, cap_tokens)))


def missing_atoms(atoms: Iterable[ExactValue], text: str) -> list[ExactValue]:
    """Those whose value is not in `text`, whatever its case and spacing.

    A part of a longer number or word does not count: "250 EUR" is not in "4,250 EUR".
    """
    said = _normal(text)
    return [atom for atom in atoms if not _holds(said, _normal(atom.value))]


def _again(known: ExactValue, atom: ExactValue) -> ExactValue:
    """What is known of a value after it came up again, in the same message or a later one."""
    lighter, heavier = sorted((known, atom), key=lambda each: each.weight)
    weight = heavier.weight
    if atom.seq > known.seq:
        ceiling = _HEAVIEST if lighter.weight >= _STATED else _STATED - 1
        weight = max(weight, min(weight + 1, ceiling))
    return replace(atom, kind=heavier.kind, label=heavier.label or lighter.label, weight=weight)


def _taken(atoms: Iterable[ExactValue], cap_tokens: int) -> list[ExactValue]:
    """As many as fit, the weightiest first."""
    left = list(atoms)
    taken: list[ExactValue] = []
    kinds: Counter[ExactValueKind] = Counter()
    labels: set[tuple[ExactValueKind, str]] = set()

    def worth(atom: ExactValue) -> tuple[int, int, int, str]:
        is_outdated = (atom.kind, _normal(atom.label)) in labels
        weight = atom.weight - _CROWDING * kinds[atom.kind] - _OUTDATED * is_outdated
        return weight, atom.seq, len(atom.value), atom.value

    while left:
        atom = max(left, key=worth)
        left.remove(atom)
        if _LARGEST_SHARE * tokens.count(render_exact_value(atom)) > cap_tokens:
            continue
        if not missing_atoms([atom], "\n".join(other.value for other in taken)):
            continue
        if tokens.count(render_ledger(_in_order([*taken, atom]))) > cap_tokens:
            continue
        taken.append(atom)
        kinds[atom.kind] += 1
        if atom.label:
            labels.add((atom.kind, _normal(atom.label)))
    return taken


def _in_order(atoms: Iterable[ExactValue]) -> list[ExactValue]:
    return sorted(atoms, key=lambda atom: atom.seq)


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()


def _holds(text: str, value: str) -> bool:
    at = text.find(value)
    while at >= 0:
        if not _goes_on(text, at) and not _goes_on(text, at + len(value)):
            return True
        at = text.find(value, at + 1)
    return False


def _goes_on(text: str, at: int) -> bool:
    """Whether a number or a word goes on across the border before `at`."""
    left, right = text[max(0, at - 1) : at], text[at : at + 1]
    if left.isdigit() and right in {".", ","}:
        return text[at + 1 : at + 2].isdigit()
    if left in {".", ","} and right.isdigit():
        return text[max(0, at - 2) : at - 1].isdigit()
    return (left.isdigit() and right.isdigit()) or (left.islower() and right.islower())
