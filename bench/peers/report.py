"""Tables and verdicts of the comparison."""

import os
from collections.abc import Mapping, Sequence
from statistics import median

from bench.common.report import machine, table, verdict
from bench.common.runner import Result
from bench.peers.conversations import longest
from bench.peers.measure import BARE, NAMED, Kept, Measured
from bench.recall.data import DataSet

_ACTS = {"append": "append a message", "load": "load the last 20", "context": "build a context"}


def text(
    data: Sequence[DataSet],
    measured: Measured,
    results: Mapping[str, Result],
    load: float,
) -> str:
    """Return the section. `load` is the load average before the run."""
    parts = [machine()]
    if load > (os.cpu_count() or 1) / 2:
        parts.append(
            f"The machine had other work to do (load {load:.1f}): times are longer than they would"
            " be on an idle one."
        )
    parts.append(_storage_table(data, measured, results))
    parts += [_search_table(one, measured, results) for one in data]
    parts.append(
        f"To embed a text takes {median(measured.embedding) * 1e3:.0f} ms more (p50), for all"
        " alike: at an append, or behind it, and once for a search or a context."
    )
    return "\n\n".join((*parts, _verdicts(data, measured, results)))


def _storage_table(
    data: Sequence[DataSet], measured: Measured, results: Mapping[str, Result]
) -> str:
    count = len(longest(data).texts)
    head = [f"a conversation of {count} messages, p50", "append", "background work per message"]
    head += [
        "load the last 20",
        "build a context",
        "its tokens",
        "evidence in it",
        "stored in",
    ]
    rows = [_kept_row(result, measured.kept.get(name)) for name, result in results.items()]
    return table(head, rows)


def _kept_row(result: Result, kept: Kept | None) -> list[str]:
    if result.unavailable or kept is None:
        return [result.label, result.unavailable, *[""] * 6]
    times = {what: f"{seconds * 1e3:.2f} ms" for what, seconds in kept.times.items()}
    return [
        result.label,
        times["append"],
        f"{kept.behind * 1e3:.2f} ms" if kept.behind > 1e-5 else "none",
        times["load"],
        times["context"],
        f"{median(kept.tokens):,.0f}",
        f"{kept.held:.1%}",
        result.settings,
    ]


def _search_table(data: DataSet, measured: Measured, results: Mapping[str, Result]) -> str:
    asked = len([*data.asked])
    head = [f"{data.name}, {asked} questions", "p50 of a search"]
    head += [f"R@{k}, {form}" for form in ("bare", "named") for k in (5, 10)]
    rows = [_found_row(data, measured, result) for result in results.values()]
    return table(head, rows)


def _found_row(data: DataSet, measured: Measured, result: Result) -> list[str]:
    forms = [measured.found.get((result.spec.name, data.name, form)) for form in (BARE, NAMED)]
    if result.unavailable or None in forms:
        return [result.label, result.unavailable or "has no search", *[""] * 4]
    found = [one for one in forms if one is not None]
    return [
        result.label,
        f"{(found[-1].p50 or 0) * 1e3:.1f} ms",
        *(f"{one.turns_at(k):.1%}" for one in found for k in (5, 10)),
    ]


def _verdicts(data: Sequence[DataSet], measured: Measured, results: Mapping[str, Result]) -> str:
    """Compare Recollect with the best peer per criterion."""
    ours = next(name for name, result in results.items() if not result.spec.is_peer)
    peers = [name for name, one in results.items() if one.spec.is_peer and not one.unavailable]
    if not peers:
        return "- Not measured: the other libraries."
    lines = []
    for act, words in _ACTS.items():
        quickest = min(peers, key=lambda name: measured.kept[name].times[act])
        ratio = measured.kept[quickest].times[act] / measured.kept[ours].times[act]
        lines.append(_quicker(words, quickest, ratio))
    holding = max(peers, key=lambda name: measured.kept[name].held)
    held, best = measured.kept[ours].held, measured.kept[holding].held
    lines.append(verdict(held > best, "the most evidence in a context", _two(holding, best, held)))
    for one in data:
        found = {name: measured.found.get((name, one.name, NAMED)) for name in (ours, *peers)}
        searching = {name: results for name, results in found.items() if results is not None}
        times = {name: results.p50 or 0 for name, results in searching.items()}
        recalls = {name: results.turns_at(10) for name, results in searching.items()}
        others = [name for name in searching if name != ours]
        quickest = min(others, key=times.__getitem__)
        lines.append(_quicker(f"search ({one.name})", quickest, times[quickest] / times[ours]))
        best_peer = max(others, key=recalls.__getitem__)
        lines.append(
            verdict(
                recalls[ours] > recalls[best_peer],
                f"{one.name}: the highest R@10, named",
                _two(best_peer, recalls[best_peer], recalls[ours]),
            )
        )
    return "\n".join(lines)


def _quicker(words: str, peer: str, ratio: float) -> str:
    return verdict(
        ratio > 1,
        f"the quickest to {words}",
        f"the quickest other, {peer}, takes {ratio:.2g} times as long",
    )


def _two(peer: str, theirs: float, ours: float) -> str:
    return f"{ours:.1%}, and {theirs:.1%} by the best other, {peer}"
