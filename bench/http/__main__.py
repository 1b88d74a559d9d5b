"""Cost of the HTTP service compared with a minimal FastAPI app.

    python -m bench.http [--write docs/benchmarks.md]

Appends and contexts over HTTP from 16 callers. The baseline (`baseline_app`) runs on the same
database with the same uvicorn settings: it inserts one row, or reads the last 20 messages. Both
servers are measured in alternating rounds, with `load_generator` in a third process.

Then the time to the first token of an answer in a conversation of 20 messages, compared with asking
the scripted model directly.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles

from bench.common.databases import analyze, empty_databases
from bench.common.report import machine, parse_target, publish, table, verdict
from bench.common.store_process import LAST, TEXT
from bench.common.timing import Series, rate_ratio
from bench.http.baseline_app import USER
from bench.http.load_generator import LoadGenerator, request
from bench.http.processes import MODEL_TEXT, start_process
from recollect.core.types import MessageIn, Role
from recollect.sync import Recollect

_CALLERS = 16
_ROUNDS = 10
_SLICE_SECONDS = 0.8
_QUESTIONS = 150
_QUESTION = "And when is it?"
_MIN_SHARE = 0.5
_MAX_OVERHEAD_SECONDS = 0.030
_APPEND, _CONTEXT = "append", "context"


@dataclass(frozen=True, slots=True)
class Stand:
    """Both servers, the model, and the requests to send."""

    ours: str
    bare: str
    model: str
    requests: dict[tuple[str, str], list[str]]
    """By server and operation: one request per caller."""
    questions: list[str]
    direct: str


@dataclass(slots=True)
class Result:
    series: dict[tuple[str, str], Series] = field(default_factory=dict)
    first: dict[str, list[float]] = field(default_factory=lambda: {"ours": [], "model": []})

    def share(self, what: str) -> float:
        return rate_ratio(self.series["ours", what], self.series["bare", what])

    @property
    def overhead(self) -> float:
        pairs = zip(self.first["ours"], self.first["model"], strict=True)
        return median(ours - model for ours, model in pairs)


def main() -> None:
    target = parse_target(__doc__)
    results = {}
    with empty_databases("http") as urls, LoadGenerator() as traffic:
        for label, url in urls.items():
            with _stand(url) as stand:
                results[label] = _measure(stand, traffic)
    publish("http", _text(results), target)


@contextmanager
def _stand(url: str) -> Iterator[Stand]:
    roles: tuple[Role, Role] = ("user", "assistant")
    said = [MessageIn(role=roles[n % 2], content=TEXT) for n in range(LAST)]
    with Recollect.open(url) as memory:
        key = memory.keys.create_key(user_id=USER)

        def talks(count: int) -> list[str]:
            create = memory.conversations.create_conversation
            return [create(user_id=USER, messages=said).id for _ in range(count)]

        appended = {"ours": talks(_CALLERS), "bare": talks(_CALLERS)}
        shown, asked = talks(_CALLERS), talks(_QUESTIONS)
    analyze(url)
    with ExitStack() as stack:
        model = stack.enter_context(start_process("bench.http.processes"))
        variables = {
            "RECOLLECT_WORKER": "false",
            "RECOLLECT_EMBEDDER": "none",
            "RECOLLECT_REQUESTS_PER_MINUTE": "0",
            "RECOLLECT_ANSWERS_PER_MINUTE": "0",
            "RECOLLECT_CHAT_MODEL": "scripted",
            "OPENAI_BASE_URL": model,
            "OPENAI_API_KEY": "k",
        }
        serve = ("recollect", "serve", "--port", "0", "--database", url)
        ours = stack.enter_context(start_process(*serve, variables=variables))
        bare = stack.enter_context(start_process("bench.http.baseline_app", url))
        auth = {"authorization": f"Bearer {key}"}
        one = {"role": "user", "content": TEXT}
        requests = {
            ("ours", _APPEND): [
                request(ours, f"/api/conversations/{id}/messages", {"messages": [one]}, auth)
                for id in appended["ours"]
            ],
            ("bare", _APPEND): [
                request(bare, f"/conversations/{id}/messages", one) for id in appended["bare"]
            ],
            ("ours", _CONTEXT): [
                request(ours, f"/api/conversations/{id}/context", {"message": _QUESTION}, auth)
                for id in shown
            ],
            ("bare", _CONTEXT): [
                request(bare, f"/conversations/{id}/context", {"message": _QUESTION})
                for id in shown
            ],
        }
        questions = [
            request(ours, "/api/chat", {"message": _QUESTION, "conversation_id": id}, auth)
            for id in asked
        ]
        messages = [{"role": message.role, "content": message.content} for message in said]
        body = {
            "model": "scripted",
            "stream": True,
            "messages": [*messages, {"role": "user", "content": _QUESTION}],
        }
        direct = request(model, "/v1/chat/completions", body)
        yield Stand(ours, bare, model, requests, questions, direct)


def _measure(stand: Stand, traffic: LoadGenerator) -> Result:
    result = Result()
    addresses = {"ours": stand.ours, "bare": stand.bare}
    for what in (_APPEND, _CONTEXT):
        for number in range(_ROUNDS + 1):  # round 0 is a warm-up
            for server, url in addresses.items():
                requests = stand.requests[server, what]
                part = traffic.run_load(url, requests, seconds=_SLICE_SECONDS)
                if number:
                    result.series.setdefault((server, what), Series()).rounds[number] = part
    warm_up, *questions = stand.questions
    traffic.time_to_marker(stand.ours, warm_up, "text-delta")
    for question in questions:
        first_word = MODEL_TEXT.split()[0]
        result.first["model"].append(traffic.time_to_marker(stand.model, stand.direct, first_word))
        result.first["ours"].append(traffic.time_to_marker(stand.ours, question, "text-delta"))
    return result


def _text(results: dict[str, Result]) -> str:
    head = ["", "appends/s", "p50", "p99", "contexts/s", "p50", "p99"]
    rows = [
        [f"{name} on {label}", *_figures(result, server)]
        for label, result in results.items()
        for server, name in (("ours", "**Recollect**"), ("bare", "A minimal FastAPI route"))
    ]
    first = [
        [
            label,
            *(f"{median(result.first[who]) * 1e3:.1f} ms" for who in ("model", "ours")),
            f"{result.overhead * 1e3:.1f} ms",
            f"{_p99(result.first['ours']) * 1e3:.1f} ms",
        ]
        for label, result in results.items()
    ]
    first_head = ["to the first word, p50", "the model alone", "**Recollect**", "more", "p99"]
    tables = (table(head, rows), table(first_head, first))
    return "\n\n".join((machine(), *tables, _aims(results)))


def _figures(result: Result, server: str) -> list[str]:
    figures = []
    for what in (_APPEND, _CONTEXT):
        series = result.series[server, what]
        failed = f"; {series.failures} of {series.calls} failed" if series.failures else ""
        share = f" ({result.share(what):.0%})" if server == "ours" else ""
        times = [time for part in series.rounds.values() for time in part.times]
        figures += [
            f"{series.rate:,.0f}{share}{failed}",
            f"{series.p50 * 1e3:.1f} ms",
            f"{_p99(times) * 1e3:.1f} ms",
        ]
    return figures


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100)[98]


def _aims(results: dict[str, Result]) -> str:
    aims = [
        verdict(
            result.share(what) >= _MIN_SHARE,
            f"{label}: at least {_MIN_SHARE:.0%} of the {what}s of a minimal route",
            f"{result.share(what):.0%}",
        )
        for label, result in results.items()
        for what in (_APPEND, _CONTEXT)
    ]
    aims += [
        verdict(
            result.overhead < _MAX_OVERHEAD_SECONDS,
            f"{label}: first token at most {_MAX_OVERHEAD_SECONDS * 1e3:.0f} ms after the model's",
            f"{result.overhead * 1e3:.1f} ms",
        )
        for label, result in results.items()
    ]
    return "\n".join(aims)


if __name__ == "__main__":
    main()
