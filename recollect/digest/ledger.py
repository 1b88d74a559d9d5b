"""The ledger: exact values, carried from summary to summary beside the prose.

A prose summary loses figures first, so they are kept apart, to the letter. The ledger has a cap of
its own, and what does not fit is dropped by weight: a value stated by a user about themselves or
their task outweighs one mentioned in passing, one that came up again outweighs one that did not,
and of equals the more recent stays. Mentions in passing, however many, lift a value only to the
edge of what was stated: a name that small talk is full of does not push out an order number.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect import tokens
from recollect.digest.atoms import find_atoms
from recollect.model import Atom, AtomKind

__all__ = ["find_atoms", "merge_atoms", "missing_atoms", "render_ledger"]

_HEADINGS: dict[AtomKind, str] = {
    "decision": "Decisions",
    "constraint": "Constraints",
    "preference": "Preferences",
    "name": "Names",
    "date": "Dates",
    "amount": "Amounts",
    "identifier": "Identifiers",
    "path": "Paths",
    "url": "URLs",
    "quote": "Quotes",
}
_STATED = 6
"""From this weight on, a value was stated rather than mentioned."""
_HEAVIEST = 15
_LARGEST_SHARE = 0.25
_CANDIDATES = 300
_CROWDING = 1
_OUTDATED = 3


def merge_atoms(old: Sequence[Atom], new: Sequence[Atom], *, cap_tokens: int) -> tuple[Atom, ...]:
    """The atoms that matter most, each value once, within `cap_tokens` as rendered."""
    known: dict[str, Atom] = {}
    for atom in sorted((*old, *new), key=lambda atom: atom.seq):
        key = _normal(atom.value).strip(" .,;:!?")
        known[key] = _again(known[key], atom) if key in known else atom
    return tuple(sorted(_heaviest(list(known.values()), cap_tokens), key=lambda atom: atom.seq))


def _heaviest(atoms: list[Atom], cap_tokens: int) -> list[Atom]:
    """Those of the greatest weight that fit.

    So that no kind crowds out the others, each atom taken makes the next of its kind lighter; and
    much lighter if the label is the same, since then it is probably an older value of the same
    thing. Of equals, the latest and the earliest come first, and those in between last.
    """
    left = _from_both_ends(sorted(atoms, key=lambda atom: -atom.weight)[:_CANDIDATES])
    taken: list[Atom] = []
    kinds: Counter[AtomKind] = Counter()
    labels: set[tuple[AtomKind, str]] = set()

    def worth(atom: Atom) -> float:
        repeats = (atom.kind, _normal(atom.label)) in labels
        return atom.weight - _CROWDING * kinds[atom.kind] - _OUTDATED * repeats

    while left:
        atom = max(left, key=worth)
        left.remove(atom)
        if any(_normal(atom.value) in _normal(other.value) for other in taken):
            continue
        if tokens.count(_entry(atom)) > cap_tokens * _LARGEST_SHARE:
            continue
        if tokens.count(render_ledger([*taken, atom])) <= cap_tokens:
            taken.append(atom)
            kinds[atom.kind] += 1
            if atom.label:
                labels.add((atom.kind, _normal(atom.label)))
    return taken


def _from_both_ends(atoms: Iterable[Atom]) -> list[Atom]:
    """The latest, the earliest, the second latest, and so on."""
    ordered = sorted(atoms, key=lambda atom: atom.seq)
    half = (len(ordered) + 1) // 2
    latest, earliest = ordered[half - len(ordered) % 2 :][::-1], ordered
    mixed = [atom for pair in zip(latest, earliest, strict=False) for atom in pair]
    return list(dict.fromkeys(mixed))


def render_ledger(atoms: Iterable[Atom]) -> str:
    """What a model reads: a line per kind, values in the order in which they came up."""
    by_kind: dict[AtomKind, list[str]] = {kind: [] for kind in _HEADINGS}
    for atom in sorted(atoms, key=lambda atom: atom.seq):
        by_kind[atom.kind].append(_entry(atom))
    return "\n".join(
        f"{heading}: {'; '.join(by_kind[kind])}" for kind, heading in _HEADINGS.items() if by_kind[kind]
    )


def missing_atoms(atoms: Iterable[Atom], text: str) -> list[Atom]:
    """Those whose value is not in `text`, however it is spaced and whatever its case."""
    said = _normal(text)
    return [atom for atom in atoms if _normal(atom.value) not in said]


def _again(known: Atom, atom: Atom) -> Atom:
    """What is known of a value after it came up again."""
    weight = max(known.weight, atom.weight)
    if atom.seq > known.seq:
        if min(known.weight, atom.weight) >= _STATED:
            weight = min(weight + 1, _HEAVIEST)
        elif weight < _STATED - 1:
            weight += 1
    fuller = max(known, atom, key=lambda each: (each.weight, bool(each.label), each.seq))
    return replace(fuller, seq=max(known.seq, atom.seq), weight=weight)


def _entry(atom: Atom) -> str:
    return f"{atom.value} ({atom.label})" if atom.label else atom.value


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()
