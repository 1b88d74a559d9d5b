"""Tables and verdicts of the recall benchmark."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from statistics import median

from bench.common.report import machine, table, verdict
from bench.recall.data import Question
from bench.recall.measure import Results
from recollect.recall.search.ranking import Weights

HYBRID = "both"
_MIN_TURNS, _MIN_SESSIONS, _MIN_AGREEMENT = 0.73, 0.86, 0.95


@dataclass(slots=True)
class Measured:
    """Results of all methods for a data set."""

    name: str
    results: list[Results] = field(default_factory=list)
    embedding_seconds: list[float] = field(default_factory=list)
    """Seconds to embed each question; empty if they were cached."""

    def of(self, name: str) -> Results:
        (found,) = (one for one in self.results if one.name == name)
        return found


def text(measured: Sequence[Measured]) -> str:
    parts = [machine()]
    aims = []
    for one in measured:
        parts += [_table(one), _break_down(one)]
        aims += _aims(one)
    if times := [seconds for one in measured for seconds in one.embedding_seconds]:
        parts.append(f"To embed a question takes {median(times) * 1e3:.0f} ms more (p50).")
    return "\n\n".join((*parts, "\n".join(aims)))


def line(results: Results, weights: Weights) -> str:
    """Return one line with the recall of these weights."""
    rolled = " ".join(f"{results.conversations_at(k) or 0:.3f}" for k in (5, 10))
    turns = " ".join(f"{results.turns_at(k):.3f}" for k in (1, 5, 10, 20))
    sessions = " ".join(f"{results.sessions_at(k):.3f}" for k in (5, 10))
    changed = ", ".join(
        f"{field.name}={value:g}"
        for field in fields(Weights)
        if (value := getattr(weights, field.name)) != field.default
    )
    return (
        f"{results.name:<10} turns @1,5,10,20 {turns}; sessions @5,10 {sessions}; "
        f"conversations @5,10 {rolled}; {changed or 'the weights as they are'}"
    )


def _table(measured: Measured) -> str:
    head = [
        f"{measured.name}, {len(measured.results[0].scored)} questions",
        *(f"turn R@{k}" for k in (1, 5, 10, 20)),
        *(f"session R@{k}" for k in (5, 10)),
        *(f"conversation R@{k}" for k in (5, 10)),
        "p50 of a search",
    ]
    rows = [
        [
            _label(one.name),
            *(_percent(one.turns_at(k)) for k in (1, 5, 10, 20)),
            *(_percent(one.sessions_at(k)) for k in (5, 10)),
            *(_percent(one.conversations_at(k)) for k in (5, 10)),
            "" if one.p50 is None else f"{one.p50 * 1e3:.1f} ms",
        ]
        for one in measured.results
        if not one.name.endswith("PostgreSQL") or one.name.startswith(HYBRID)
    ]
    return table(head, rows)


_LABELS = {"BM25": "BM25 (bm25s, English stems)", "cosine": "cosine, text without speaker and date"}


def _label(name: str) -> str:
    return _LABELS.get(name) or f"**Recollect**, {name}"


def _break_down(measured: Measured) -> str:
    """Recall by category and language of the question."""
    ways = ("BM25", "cosine", "words, SQLite", "vectors, SQLite", f"{HYBRID}, SQLite")
    asked = [one.question for one in measured.results[0].scored]
    groups: dict[str, Callable[[Question], bool]] = {
        name: lambda question, name=name: question.category == name  # type: ignore[misc]
        for name in sorted({question.category for question in asked})
    }
    languages = sorted({question.language for question in asked})
    if len(languages) > 1:
        groups |= {
            f"in {name}": lambda question, name=name: question.language == name  # type: ignore[misc]
            for name in languages
        }
    rows = []
    for name, belongs in groups.items():
        parts = [measured.of(way).only(belongs) for way in ways]
        rows.append(
            [f"{name} ({len(parts[0].scored)})", *(_percent(part.turns_at(10)) for part in parts)]
        )
    return table([f"{measured.name}, turn R@10", *map(_label, ways)], rows)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _aims(measured: Measured) -> list[str]:
    sqlite, postgres = (measured.of(f"{HYBRID}, {label}") for label in ("SQLite", "PostgreSQL"))
    aims = []
    if measured.name == "LoCoMo":
        for one in (sqlite, postgres):
            turns, sessions = one.turns_at(10), one.sessions_at(5)
            aims.append(
                verdict(
                    turns >= _MIN_TURNS and sessions >= _MIN_SESSIONS,
                    f"{measured.name}, {one.name}: {_MIN_TURNS:.0%} of the turns among the first"
                    f" ten, {_MIN_SESSIONS:.0%} of the sessions among the first five",
                    f"{turns:.1%} and {sessions:.1%}",
                )
            )
    agreement = sqlite.agreement(postgres)
    aims.append(
        verdict(
            agreement >= _MIN_AGREEMENT,
            f"{measured.name}: the same first hit on both databases for {_MIN_AGREEMENT:.0%} of"
            " the questions",
            f"{agreement:.1%}",
        )
    )
    return aims
