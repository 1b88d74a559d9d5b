"""Tables and verdicts of the evidence benchmark."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from bench.common.report import machine, table, verdict
from bench.evidence.cost import MESSAGES, ContextCost
from bench.evidence.measure import NAIVE, OURS, Measured, Scores
from bench.evidence.prefix import TURNS, Prefixes

_KINDS_AT = 3_000
_BETTER_FROM = 3_000
_MAX_FALSE_RECALL = 0.05
_MIN_PREFIX = 0.85
_MAX_SECONDS = 0.010
_AIMS = {
    "assistant": {1_000: 0.62, 2_000: 0.77, 3_000: 0.86, 6_000: 0.92},
    "LoCoMo": {1_000: 0.78, 2_000: 0.85, 3_000: 0.88, 6_000: 0.92},
}
_ANSWER_AIMS = {"assistant": {3_000: 0.72}, "LoCoMo": {3_000: 0.66}}
_LABELS = {OURS: "**Recollect**", NAIVE: "naive"}


def text(
    measured: Sequence[Measured],
    unavailable: Mapping[str, str],
    prefixes: Sequence[Prefixes],
    cost: ContextCost | None,
    embedding: Sequence[float],
) -> str:
    """`embedding` has the seconds of embedding each question, if they were not cached."""
    parts = [machine()]
    for one in measured:
        parts += [_table(one), _kinds_table(one)]
    parts += [f"Not measured: {name} ({reason})." for name, reason in unavailable.items()]
    if embedding:
        parts.append(
            f"To embed a question takes {median(embedding) * 1e3:.0f} ms more (p50), for all alike."
        )
    if prefixes:
        parts.append(_prefix_table(prefixes))
    if cost is not None:
        parts.append(_cost_table(cost))
    verdicts = [*(line for one in measured for line in _verdicts(one))]
    verdicts += _prefix_verdicts(prefixes)
    verdicts += _cost_verdicts(cost) if cost is not None else ()
    return "\n\n".join((*parts, "\n".join(verdicts)))


def _table(measured: Measured) -> str:
    head = [
        f"{measured.name}: {measured.chats} chats, {len(measured.questions)} questions",
        "evidence",
        "answer words",
        "tokens used",
        "p50 of a context",
        "false recall",
    ]
    rows = [
        [
            f"{_label(method)}, {budget:,} tokens",
            *_shares(scores := measured.scores(method, budget)),
            f"{scores.tokens:,.0f}",
            f"{scores.p50 * 1e3:.1f} ms",
            _percent(measured.false_recall(method)),
        ]
        for budget in measured.budgets
        for method in measured.methods
    ]
    return table(head, rows)


def _kinds_table(measured: Measured) -> str:
    budget = _KINDS_AT if _KINDS_AT in measured.budgets else measured.budgets[-1]
    counts = Counter(question.category for question in measured.questions)
    head = [f"{measured.name}, {budget:,} tokens: evidence, answer words"]
    rows = [
        [
            f"{kind} ({counts[kind]})",
            *(
                ", ".join(_shares(measured.scores(method, budget).of_kind(kind))).rstrip(", ")
                for method in measured.methods
            ),
        ]
        for kind in sorted(counts)
    ]
    return table([*head, *map(_label, measured.methods)], rows)


def _verdicts(measured: Measured) -> Iterator[str]:
    if OURS not in measured.methods:
        return
    group = measured.name if measured.name in _AIMS else "assistant"
    for budget in measured.budgets:
        ours = measured.scores(OURS, budget)
        where = f"{measured.name}, {budget:,} tokens"
        if (aim := _AIMS[group].get(budget)) is not None:
            yield verdict(ours.evidence >= aim, f"{where}: evidence {aim:.0%}", _shares(ours)[0])
        if (aim := _ANSWER_AIMS[group].get(budget)) is not None:
            found = _shares(ours)[1]
            yield verdict((ours.answer or 0) >= aim, f"{where}: answer words {aim:.0%}", found)
        if NAIVE in measured.methods and budget >= _BETTER_FROM:
            naive = measured.scores(NAIVE, budget)
            yield verdict(
                ours.evidence > naive.evidence and (ours.answer or 0) > (naive.answer or 0),
                f"{where}: more evidence and more answer words than naive",
                f"{' and '.join(_shares(ours))}, naive {' and '.join(_shares(naive))}",
            )
    yield _everywhere(measured, "within the budget", [one.over_budget for one in _all(measured)])
    yield _everywhere(
        measured,
        "with summary, exact values and the last turn",
        [one.incomplete for one in _all(measured)],
    )
    if (share := measured.false_recall(OURS)) is not None:
        yield verdict(
            share <= _MAX_FALSE_RECALL,
            f"{measured.name}: false recall at most {_MAX_FALSE_RECALL:.0%}",
            _percent(share),
        )


def _prefix_table(prefixes: Sequence[Prefixes]) -> str:
    head = [
        f"{TURNS} turns",
        "layout",
        "tokens sent before",
        "tokens of a prompt",
        "after a digest",
    ]
    rows = [
        [
            one.chat,
            f"`{one.layout}`",
            _percent(one.share),
            f"{one.tokens:,.0f}",
            f"{one.digests}, left out",
        ]
        for one in prefixes
    ]
    return table(head, rows)


def _prefix_verdicts(prefixes: Sequence[Prefixes]) -> Iterator[str]:
    for one in prefixes:
        if one.layout == "cache":
            aim = f"{one.chat}, layout `cache`: {_MIN_PREFIX:.0%} of the tokens were sent before"
            yield verdict(one.share >= _MIN_PREFIX, aim, _percent(one.share))


def _cost_table(cost: ContextCost) -> str:
    rows = [[name, f"{seconds * 1e3:.1f} ms"] for name, seconds in cost.seconds.items()]
    head = [f"a conversation of {MESSAGES} messages, SQLite", "p50 of a context with retrieval"]
    return table(head, rows)


def _cost_verdicts(cost: ContextCost) -> Iterator[str]:
    for name, seconds in cost.seconds.items():
        aim = f"{MESSAGES} messages, {name}: a context within {_MAX_SECONDS * 1e3:.0f} ms (p50)"
        yield verdict(seconds <= _MAX_SECONDS, aim, f"{seconds * 1e3:.1f} ms")
    sizes = " and ".join(f"{size:,}" for size in cost.statements)
    counts = " and ".join(str(count) for count in cost.statements.values())
    is_same = len({*cost.statements.values()}) == 1
    yield verdict(is_same, f"as many queries for a context of {sizes} messages", counts)


def _everywhere(measured: Measured, aim: str, failures: Sequence[int]) -> str:
    contexts = sum(len(one.scored) for one in _all(measured))
    return verdict(
        not any(failures),
        f"{measured.name}: every context {aim}",
        f"{sum(failures)} of {contexts:,} not",
    )


def _all(measured: Measured) -> list[Scores]:
    return [measured.scores(OURS, budget) for budget in measured.budgets]


def _label(method: str) -> str:
    return _LABELS.get(method, method)


def _shares(scores: Scores) -> list[str]:
    return [_percent(scores.evidence), _percent(scores.answer)]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
