"""Folds planted conversations generation by generation, and looks what is left."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.fidelity.conversations import Fact, Planted
from recollect import tokens
from recollect.digest.ledger import find_atoms, merge_atoms
from recollect.model import Atom, Message, Turn
from recollect.models import extractive
from recollect.text import render_ledger
from recollect.turns import group_turns

SUMMARY_CAP, LEDGER_CAP = 500, 250
_TAIL = 3
_FIGURE = re.compile(r"\S*\d\S*")
_AROUND_FIGURES = ".,;:!?()[]\"'«»“”"

Memory = tuple[str, tuple[Atom, ...]]
"""A summary and its ledger."""
Fold = Callable[[str, tuple[Atom, ...], Sequence[Turn]], Memory]


@dataclass(frozen=True, slots=True)
class Generation:
    number: int
    """From 1, the one in which the facts were planted."""
    survived: frozenset[Fact]
    unsupported: tuple[str, ...]
    summary: str
    ledger: str

    @property
    def summary_tokens(self) -> int:
        return tokens.count(self.summary)

    @property
    def ledger_tokens(self) -> int:
        return tokens.count(self.ledger)


def generation(summary: str, ledger: tuple[Atom, ...], turns: Sequence[Turn]) -> Memory:
    """One compaction, as a digest without a model does it."""
    found = [atom for turn in turns for message in turn.messages for atom in find_atoms(message)]
    return (
        extractive.summarize(summary, turns, cap_tokens=SUMMARY_CAP),
        merge_atoms(ledger, found, cap_tokens=LEDGER_CAP),
    )


def generations(planted: Planted, fold: Fold = generation) -> Iterator[Generation]:
    """Compacts after each part of the conversation; the last turns stay out until the next time."""
    summary = ""
    ledger: tuple[Atom, ...] = ()
    said: list[Message] = []
    tail: list[Turn] = []
    for number, messages in enumerate(planted.parts, start=1 - planted.before):
        said += messages
        turns = tail + group_turns(messages)
        turns, tail = turns[:-_TAIL], turns[-_TAIL:]
        summary, ledger = fold(summary, ledger, turns)
        rendered = render_ledger(ledger)
        memory = _normal(f"{summary}\n{rendered}")
        yield Generation(
            number,
            frozenset(fact for fact in planted.facts if _normal(fact.value) in memory),
            tuple(_unsupported(summary, ledger, said)),
            summary,
            rendered,
        )


def _unsupported(summary: str, ledger: Iterable[Atom], said: Sequence[Message]) -> Iterator[str]:
    """Figures of the summary and entries of the ledger that no message has."""
    everything = "\n".join(message.content for message in said)
    figures = [figure.strip(_AROUND_FIGURES) for figure in _FIGURE.findall(summary)]
    entries = [part for atom in ledger for part in (atom.value, atom.label)]
    yield from (part for part in figures + entries if part not in everything)


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()
