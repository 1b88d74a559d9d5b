"""Time to load the last 20 messages, depending on the length of the conversation.

    python -m bench.load [--write docs/benchmarks.md]

One database per size with one conversation, filled before the measurement.
"""

from bench.common.report import machine, parse_target, publish, table, verdict
from bench.common.runner import (
    AGENTS,
    BLOCKING,
    LANGCHAIN,
    LLAMA,
    MINIMAL,
    OURS,
    RAW,
    Result,
    Runner,
    run_rounds,
    start_libraries,
)
from bench.common.timing import Series, time_ratio

_ENTRIES = (RAW, MINIMAL, OURS, BLOCKING, AGENTS, LANGCHAIN, LLAMA)
_SIZES = (100, 1_000, 10_000, 100_000)
_ROUNDS = 12
_FLAT_WITHIN = 1.3


def main() -> None:
    target = parse_target(__doc__)

    def prepare(runner: Runner) -> None:
        for size in _SIZES:
            runner.open(str(size), messages=size)

    workloads = {
        str(size): {"do": "load", "store": str(size), "at_most": 300, "seconds": 0.12}
        for size in _SIZES
    }
    with start_libraries(_ENTRIES, prepare) as (runners, results):
        run_rounds(runners, results, workloads, rounds=_ROUNDS)
    publish("load", _text(results), target)


def _text(results: dict[str, Result]) -> str:
    raw = results[RAW.name].series
    head = ["p50 of loading 20 messages", *(f"of {size:,}" for size in _SIZES)]
    head += ["largest over smallest", f"times raw, of {_SIZES[-1]:,}"]
    rows = [_row(result, raw) for result in results.values()]
    return "\n\n".join((machine(), table(head, rows), _aims(results)))


def _row(result: Result, raw: dict[str, Series]) -> list[str]:
    if result.unavailable:
        return [result.label, result.unavailable, *[""] * (len(_SIZES) + 1)]
    largest = str(_SIZES[-1])
    return [
        result.label,
        *(f"{result.series[str(size)].p50 * 1e3:,.3f} ms" for size in _SIZES),
        f"{_growth(result):.2f}",
        f"{time_ratio(result.series[largest], raw[largest]):,.1f}",
    ]


def _growth(result: Result) -> float:
    return time_ratio(result.series[str(_SIZES[-1])], result.series[str(_SIZES[0])])


def _aims(results: dict[str, Result]) -> str:
    ours = results[OURS.name]
    growth = _growth(ours)
    aims = [
        verdict(
            growth <= _FLAT_WITHIN,
            f"flat, within {_FLAT_WITHIN:g} times, from {_SIZES[0]:,} to {_SIZES[-1]:,} messages",
            f"{growth:.2f} times",
        )
    ]
    peers = [
        result for result in results.values() if result.spec.is_peer and not result.unavailable
    ]
    if peers:
        leads = {
            size: min(time_ratio(peer.series[str(size)], ours.series[str(size)]) for peer in peers)
            for size in _SIZES
        }
        found = ", ".join(f"{lead:.2f} times as long at {size:,}" for size, lead in leads.items())
        aims.append(
            verdict(
                min(leads.values()) > 1,
                "ahead of every peer at every size",
                f"the quickest peer takes {found}",
            )
        )
    else:
        aims.append("- Not measured: ahead of every peer at every size.")
    return "\n".join(aims)


if __name__ == "__main__":
    main()
