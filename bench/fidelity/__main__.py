"""How many planted facts are still there after one compaction, and after ten.

    python -m bench.fidelity [--write docs/benchmarks.md]

Eight facts are buried under small talk and carried through ten generations of summary and ledger,
without a model. A fact has survived when its exact value is in either. They are stated in phrasings
of two sets, both older than the patterns: the first was in sight when those were made, and none was
made for the second, though common words are in both. Facts come at the start of a conversation, or
after four generations of small talk, which leave memory full.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bench._report import publish, table, target_given, verdict
from bench.fidelity.conversations import Planted, conversations
from bench.fidelity.language import KINDS, FactKind
from bench.fidelity.measure import LEDGER_CAP, SUMMARY_CAP, Generation, generations

_CONVERSATIONS = 24
_SHOWN = (1, 2, 3, 5, 10)
_FIRST, _LAST = _SHOWN[0], _SHOWN[-1]
_LEAST_FIRST, _LEAST_LAST = 0.97, 0.90
_LATE = 4


@dataclass(frozen=True, slots=True)
class _Run:
    name: str
    results: Sequence[tuple[Planted, Sequence[Generation]]]

    def survival(self, number: int, kind: FactKind | None = None) -> float:
        """The share of facts, of all kinds or one, that are left after so many generations."""
        facts = [
            fact in generation.survived
            for planted, measured in self.results
            for generation in measured
            for fact in planted.facts
            if generation.number == number and kind in {None, fact.kind}
        ]
        return sum(facts) / len(facts)

    @property
    def all_generations(self) -> list[Generation]:
        return [generation for _, measured in self.results for generation in measured]

    @property
    def whole_losses(self) -> int:
        """Conversations of which no fact is left at the end."""
        return sum(not measured[-1].survived for _, measured in self.results)


def _run(name: str, *, held_out: bool, before: int) -> _Run:
    planted = conversations(_CONVERSATIONS, held_out=held_out, before=before, after=_LAST)
    return _Run(name, [(one, list(generations(one))) for one in planted])


def main() -> None:
    target = target_given(__doc__)
    runs = [
        _run(f"{phrasings}, stated {when}", held_out=held_out, before=before)
        for phrasings, held_out in (("known phrasings", False), ("unseen phrasings", True))
        for when, before in (("at the start", 0), ("late", _LATE))
    ]
    publish("fidelity", _text(runs), target)


def _text(runs: Sequence[_Run]) -> str:
    by_generation = table(
        ["facts left after generation", *map(str, _SHOWN), "lost altogether"],
        [
            [run.name, *(f"{run.survival(n):.1%}" for n in _SHOWN), str(run.whole_losses)]
            for run in runs
        ],
    )
    by_kind = table(
        [f"by kind, after {_FIRST} and {_LAST}", *KINDS],
        [
            [
                run.name,
                *(f"{run.survival(_FIRST, k):.0%}, {run.survival(_LAST, k):.0%}" for k in KINDS),
            ]
            for run in runs
        ],
    )
    return "\n\n".join((by_generation, by_kind, _aims(runs)))


def _aims(runs: Sequence[_Run]) -> str:
    measured = [generation for run in runs for generation in run.all_generations]
    summary = max(generation.summary_tokens for generation in measured)
    ledger = max(generation.ledger_tokens for generation in measured)
    unsupported = sum(len(generation.unsupported) for generation in measured)
    aims = [
        verdict(
            run.survival(_FIRST) >= _LEAST_FIRST and run.survival(_LAST) >= _LEAST_LAST,
            f"{_LEAST_FIRST:.0%} after one generation and {_LEAST_LAST:.0%} after ten, {run.name}",
            f"{run.survival(_FIRST):.1%} and {run.survival(_LAST):.1%}",
        )
        for run in runs
    ]
    return "\n".join(
        [
            *aims,
            verdict(not unsupported, "no value that nobody said", f"{unsupported}"),
            verdict(
                summary <= SUMMARY_CAP and ledger <= LEDGER_CAP,
                f"a summary within {SUMMARY_CAP} tokens and a ledger within {LEDGER_CAP}",
                f"at most {summary} and {ledger}",
            ),
        ]
    )


if __name__ == "__main__":
    main()
