"""Accuracy of `switch`: does a sentence lead to the conversation it asks for?

    python -m bench.switch [--misses] [--write docs/benchmarks.md]

33 conversations in English, Italian and Filipino, one a day, and 60 sentences that ask for one of
them in other words, often in another language. No chat model: topics are key phrases. A second user
has the same conversations, none of which may be returned.
"""

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any, Literal

from bench.common.databases import analyze, empty_databases
from bench.common.report import argument_parser, machine, publish, table, verdict
from bench.common.vector_cache import Vectors
from recollect import MessageIn
from recollect.engine import Recollect
from recollect.recall.switch import SwitchResult
from recollect.settings import Settings

DATA = Path(__file__).parent / "data/switch.json"
_ASKING, _OTHER, _NEW = "alice", "bob", "carol"
_LANGUAGES = {"it": "Italian", "en": "English", "fil": "Filipino"}
_AIMED_AT = ("it", "en")
_MIN_SHARE = 0.9
_QUERY_TIMEOUT_MS = 60_000  # embed even if the machine is busy

Outcome = Literal["match", "first", "listed", "wrong", "not listed", "nothing"]
_OUTCOMES: Mapping[Outcome, str] = {
    "match": "right match",
    "first": "to confirm, listed first",
    "listed": "to confirm, listed later",
    "wrong": "wrong match",
    "not listed": "to confirm, not listed",
    "nothing": "nothing found",
}
_RIGHT: tuple[Outcome, ...] = ("match", "first", "listed")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    language: str
    wanted: tuple[str, ...]
    """Acceptable conversations, best first."""
    is_across: bool
    """Whether the conversation is in another language."""


@dataclass(frozen=True, slots=True)
class Asked:
    sentence: Sentence
    outcome: Outcome
    candidates: tuple[tuple[str, float], ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Results:
    asked: Sequence[Asked]
    strangers: int
    """Number of returned conversations of another user."""

    def right(self, language: str) -> float:
        found = [one.outcome in _RIGHT for one in self.asked if one.sentence.language == language]
        return sum(found) / len(found)


class _Days:
    """A clock that is advanced day by day and ends today."""

    def __init__(self, count: int) -> None:
        self.now = datetime.now(UTC) - timedelta(days=count)

    def __call__(self) -> datetime:
        return self.now


def main() -> None:
    given = _arguments()
    vectors = Vectors(given.vectors)
    results: dict[str, Results] = {}
    with empty_databases("switch") as urls:
        for label, url in urls.items():
            results[label] = asyncio.run(_measure(url, vectors, given.margin))
    vectors.keep()
    publish("switch", _text(results), given.write)
    if given.misses:
        for label, found in results.items():
            print(f"\n{label}:", *_misses(found), sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    margin = Settings(database_url="sqlite:///:memory:").switch_margin
    parser.add_argument("--misses", action="store_true", help="print what went wrong, with scores")
    parser.add_argument("--margin", type=float, default=margin, help="RECOLLECT_SWITCH_MARGIN")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="keep vectors between runs")
    return parser.parse_args()


async def _measure(url: str, vectors: Vectors, margin: float) -> Results:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    settings = Settings(
        database_url=url, switch_margin=margin, query_milliseconds=_QUERY_TIMEOUT_MS
    )
    clock = _Days(len(data["conversations"]))
    async with Recollect.open(settings=settings, clock=clock) as memory:
        await vectors.serve(memory)
        keys: dict[str, str] = {}
        for conversation in data["conversations"]:
            clock.now += timedelta(days=1)
            messages = [*_messages(conversation["turns"], clock.now)]
            for user in (_OTHER, _ASKING):
                chat = await memory.conversations.create_conversation(
                    user_id=user, messages=messages
                )
                if user == _ASKING:
                    keys[chat.id] = conversation["key"]
        await memory.work()
        analyze(url)
        asked, strangers = [], 0
        for sentence in _sentences(data):
            found = await memory.recall.switch(sentence.text, user_id=_ASKING)
            before = time.perf_counter()  # the sentence's vector is cached now
            await memory.recall.switch(sentence.text, user_id=_ASKING)
            seconds = time.perf_counter() - before
            shown = _shown(found)
            strangers += len(shown - keys.keys())
            strangers += len(_shown(await memory.recall.switch(sentence.text, user_id=_NEW)))
            asked.append(_judged(sentence, found, keys, seconds))
        return Results(asked, strangers)


def _messages(turns: Sequence[tuple[str, str]], at: datetime) -> Iterator[MessageIn]:
    for question, answer in turns:
        yield MessageIn(role="user", content=question, event_at=at)
        yield MessageIn(role="assistant", content=answer, event_at=at)


def _sentences(data: dict[str, Any]) -> Iterator[Sentence]:
    languages = {one["key"]: one["language"] for one in data["conversations"]}
    for one in data["sentences"]:
        yield Sentence(
            text=one["text"],
            language=one["language"],
            wanted=(one["key"], *one.get("also", ())),
            is_across=one["language"] != languages[one["key"]],
        )


def _shown(found: SwitchResult) -> set[str]:
    matches = [found.match] if found.match is not None else []
    return {one.id for one in (*matches, *(other.conversation for other in found.candidates))}


def _judged(
    sentence: Sentence, found: SwitchResult, keys: Mapping[str, str], seconds: float
) -> Asked:
    candidates = tuple(
        (keys.get(one.conversation.id, "another user's"), one.score) for one in found.candidates
    )
    listed = [key for key, _ in candidates]
    outcome: Outcome
    if found.match is not None:
        outcome = "match" if keys.get(found.match.id) in sentence.wanted else "wrong"
    elif not found.needs_confirmation:
        outcome = "nothing"
    elif listed[0] in sentence.wanted:
        outcome = "first"
    else:
        outcome = "listed" if {*sentence.wanted} & {*listed} else "not listed"
    return Asked(sentence, outcome, candidates, seconds)


def _text(results: Mapping[str, Results]) -> str:
    groups: dict[str, Callable[[Sentence], bool]] = {
        **{name: _in(language) for language, name in _LANGUAGES.items()},
        "across languages": lambda sentence: sentence.is_across,
        "all": lambda sentence: True,
    }
    rows: list[list[str]] = []
    for name, belongs in groups.items():
        for label, found in results.items():
            counts = Counter(one.outcome for one in found.asked if belongs(one.sentence))
            right = sum(counts[outcome] for outcome in _RIGHT) / counts.total()
            shown = [str(counts[outcome] or "") for outcome in _OUTCOMES]
            row = [str(counts.total()), *shown, f"{right:.0%}"]
            if label == "SQLite":
                rows.append([name, *row])
            elif rows[-1][1:] != row:  # both databases usually give the same result
                rows.append([f"{name}, {label}", *row])
    head = ["sentences", "", *_OUTCOMES.values(), "right, or to be confirmed"]
    times = ", ".join(
        f"{median(one.seconds for one in found.asked) * 1e3:.0f} ms on {label}"
        for label, found in results.items()
    )
    note = f"A switch takes {times} (p50), without embedding the sentence."
    return "\n\n".join((machine(), table(head, rows), note, "\n".join(_aims(results))))


def _in(language: str) -> Callable[[Sentence], bool]:
    return lambda sentence: sentence.language == language


def _aims(results: Mapping[str, Results]) -> Iterator[str]:
    for label, found in results.items():
        shares = {_LANGUAGES[language]: found.right(language) for language in _AIMED_AT}
        yield verdict(
            min(shares.values()) >= _MIN_SHARE,
            f"{label}: {_MIN_SHARE:.0%} right in {' and in '.join(shares)}",
            " and ".join(f"{share:.0%}" for share in shares.values()),
        )
        yield verdict(
            not found.strangers,
            f"{label}: never a conversation of another user",
            str(found.strangers),
        )


def _misses(found: Results) -> Iterator[str]:
    for one in found.asked:
        if one.outcome != "match":
            scores = ", ".join(f"{key} {score:.3f}" for key, score in one.candidates)
            wanted = "/".join(one.sentence.wanted)
            yield f"{one.outcome:<10} {one.sentence.language:<3} {wanted}: {one.sentence.text!r}"
            yield f"{'':<14} {scores}"


if __name__ == "__main__":
    main()
