"""Share of planted facts that survive one and ten compactions.

    python -m bench.fidelity [--write docs/benchmarks.md]

Eight facts are surrounded by small talk and carried through ten compactions in a real engine,
without a model, and once with a model that returns bad answers. A fact has survived if its exact
value is in a context of 3,000 tokens. Facts use two sets of phrasings: the patterns were developed
with the first set only. Facts are stated at the start, or after four generations of small talk.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from bench.common.report import parse_target, publish, table, verdict
from bench.fidelity.conversations import Planted, conversations
from bench.fidelity.measure import LEDGER_CAP, SUMMARY_CAP, Generation, generations
from recollect import Settings
from recollect.sync import Recollect
from tests.scripted_model import Answer, Failure, Raw, ScriptedModel, fails, garbage

_CONVERSATIONS = 24
_SHOWN = (1, 2, 3, 5, 10)
_FIRST, _LAST = _SHOWN[0], _SHOWN[-1]
_MIN_FIRST, _MIN_LAST = 0.97, 0.90
_LATE = 4


@dataclass(frozen=True, slots=True)
class _Run:
    name: str
    results: Sequence[tuple[Planted, Sequence[Generation]]]

    def survival(self, number: int) -> float:
        """Return the share of facts left after `number` generations."""
        facts = [
            fact in generation.survived
            for planted, measured in self.results
            for generation in measured
            for fact in planted.facts
            if generation.number == number
        ]
        return sum(facts) / len(facts)

    @property
    def all_generations(self) -> list[Generation]:
        return [generation for _, measured in self.results for generation in measured]

    @property
    def total_losses(self) -> int:
        """Conversations without any surviving fact."""
        return sum(not measured[-1].survived for _, measured in self.results)


def _run(
    name: str, *, held_out: bool = False, before: int = 0, settings: Settings | None = None
) -> _Run:
    planted = conversations(_CONVERSATIONS, held_out=held_out, before=before, after=_LAST)
    with Recollect.open(settings=settings or _without_model()) as memory:
        return _Run(name, [(one, list(generations(one, memory))) for one in planted])


def _without_model() -> Settings:
    return Settings.from_environment({"DATABASE_URL": "sqlite:///:memory:"})


def _run_with_bad_model() -> _Run:
    """Run with a model that cycles through bad answers."""
    answers: tuple[str | Answer | Failure | Raw, ...] = (
        "",
        garbage(),
        fails(400),
        Answer(text="They", finish="length"),
        "They talked. " * 400,
        "<think>What now?</think> They talked.",
        "The budget is 987,654 EUR and the meeting on 2031-01-01.",
        "They talked about several things.",
    )
    bad = cycle(answers)
    with ScriptedModel() as model:
        model.always = lambda body: next(bad)
        settings = replace(
            _without_model(), chat_model="bad", openai_base_url=model.url, openai_api_key="none"
        )
        return _run("known phrasings, a bad model", settings=settings)


def main() -> None:
    target = parse_target(__doc__)
    runs = [
        _run(f"{phrasings}, stated {when}", held_out=held_out, before=before)
        for phrasings, held_out in (("known phrasings", False), ("unseen phrasings", True))
        for when, before in (("at the start", 0), ("late", _LATE))
    ]
    runs.append(_run_with_bad_model())
    publish("fidelity", _text(runs), target)


def _text(runs: Sequence[_Run]) -> str:
    by_generation = table(
        ["facts left after generation", *map(str, _SHOWN), "conversations with none left"],
        [
            [run.name, *(f"{run.survival(n):.1%}" for n in _SHOWN), str(run.total_losses)]
            for run in runs
        ],
    )
    return "\n\n".join((by_generation, _aims(runs)))


def _aims(runs: Sequence[_Run]) -> str:
    measured = [generation for run in runs for generation in run.all_generations]
    summary = max(generation.summary_tokens for generation in measured)
    ledger = max(generation.ledger_tokens for generation in measured)
    unsupported = sum(len(generation.unsupported) for generation in measured)
    aims = [
        verdict(
            run.survival(_FIRST) >= _MIN_FIRST and run.survival(_LAST) >= _MIN_LAST,
            f"{_MIN_FIRST:.0%} after one generation and {_MIN_LAST:.0%} after ten, {run.name}",
            f"{run.survival(_FIRST):.1%} and {run.survival(_LAST):.1%}",
        )
        for run in runs
    ]
    return "\n".join(
        [
            *aims,
            verdict(not unsupported, "no invented value", f"{unsupported}"),
            verdict(
                summary <= SUMMARY_CAP and ledger <= LEDGER_CAP,
                f"a summary within {SUMMARY_CAP} tokens and a ledger within {LEDGER_CAP}",
                f"at most {summary} and {ledger}",
            ),
        ]
    )


if __name__ == "__main__":
    main()
