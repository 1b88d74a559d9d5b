"""Latency and throughput of durable appends.

    python -m bench.append [--write docs/benchmarks.md]

Recollect and the peers append one message of about 110 characters per call. The baseline inserts
and commits the same row by hand with the same settings, from one caller. Each caller has its own
conversation, except in the last workload, where 64 callers share one.
"""

from bench.common.report import machine, parse_target, publish, table, verdict
from bench.common.runner import (
    AGENTS,
    BLOCKING,
    LANGCHAIN,
    LANGCHAIN_ASYNC,
    LLAMA,
    MINIMAL,
    OURS,
    RAW,
    LibrarySpec,
    Result,
    run_rounds,
    start_libraries,
)
from bench.common.timing import Series, rate_ratio, time_ratio

_ENTRIES = (RAW, MINIMAL, OURS, BLOCKING, AGENTS, LANGCHAIN, LANGCHAIN_ASYNC, LLAMA)
_ROUNDS = 7
_ALONE, _EIGHT, _MANY, _SHARED = "1 caller", "8 callers", "64 callers", "64 on one conversation"
_RATES = (_ALONE, _EIGHT, _MANY, _SHARED)
_MAX_RATIO_TO_RAW = 2.0
_MIN_RATE_RATIO_TO_RAW = 8.0


def main() -> None:
    target = parse_target(__doc__)

    def slice_of(callers: int, at_most: int, *, is_shared: bool = False) -> dict[str, object]:
        return {
            "do": "append",
            "store": "append",
            "callers": callers,
            "is_shared": is_shared,
            "at_most": at_most,
            "seconds": 0.35,
        }

    workloads = {
        _ALONE: slice_of(1, 600),
        _EIGHT: slice_of(8, 1_600),
        _MANY: slice_of(64, 3_200),
        _SHARED: slice_of(64, 3_200, is_shared=True),
    }
    with start_libraries(_ENTRIES, lambda runner: runner.open("append")) as (runners, results):
        run_rounds(runners, results, workloads, rounds=_ROUNDS, skip=_has_one_caller)
    publish("append", _text(results), target)


def _has_one_caller(spec: LibrarySpec, workload: str) -> bool:
    """The baseline is measured with one caller only."""
    return spec in (RAW, MINIMAL) and workload != _ALONE


def _text(results: dict[str, Result]) -> str:
    raw = results[RAW.name].series[_ALONE]
    head = ["", "p50 of one append", "times raw", *(f"appends/s, {rate}" for rate in _RATES)]
    rows = [_row(result, raw) for result in results.values()]
    return "\n\n".join((machine(), table([*head, "writes with"], rows), _aims(results, raw)))


def _row(result: Result, raw: Series) -> list[str]:
    if result.unavailable:
        return [result.label, result.unavailable, *[""] * (len(_RATES) + 2)]
    alone = result.series[_ALONE]
    return [
        result.label,
        f"{alone.p50 * 1e3:.3f} ms",
        f"{time_ratio(alone, raw):.2f}",
        *(_rate(result.series.get(rate), raw) for rate in _RATES),
        result.settings,
    ]


def _rate(series: Series | None, raw: Series) -> str:
    if series is None:
        return ""
    failed = f"; {series.failures} of {series.calls} failed" if series.failures else ""
    return f"{series.rate:,.0f} ({rate_ratio(series, raw):.2f}x{failed})"


def _aims(results: dict[str, Result], raw: Series) -> str:
    ours = results[OURS.name].series
    alone = time_ratio(ours[_ALONE], raw)
    spread, shared = rate_ratio(ours[_MANY], raw), rate_ratio(ours[_SHARED], raw)
    aims = [
        verdict(
            alone <= _MAX_RATIO_TO_RAW,
            f"an append alone takes at most {_MAX_RATIO_TO_RAW:g} times the raw commit",
            f"{alone:.2f} times",
        ),
        verdict(
            min(spread, shared) >= _MIN_RATE_RATIO_TO_RAW,
            f"64 callers reach at least {_MIN_RATE_RATIO_TO_RAW:g} times the raw rate",
            f"{spread:.2f} times, and {shared:.2f} on one conversation",
        ),
    ]
    peers = [
        result for result in results.values() if result.spec.is_peer and not result.unavailable
    ]
    if peers:
        quickest = min(peers, key=lambda peer: peer.series[_ALONE].p50)
        ratio = time_ratio(quickest.series[_ALONE], ours[_ALONE])
        busiest = max(peers, key=lambda peer: peer.series[_MANY].rate)
        gain = rate_ratio(ours[_MANY], busiest.series[_MANY])
        found = (
            f"the quickest alone, {quickest.spec.name}, takes {ratio:.2f} times as long, and with "
            f"64 callers Recollect appends {gain:.1f} times as many as {busiest.spec.name}"
        )
        aims.append(verdict(ratio > 1 and gain > 1, "ahead of every peer", found))
    else:
        aims.append("- Not measured: ahead of every peer.")
    return "\n".join(aims)


if __name__ == "__main__":
    main()
