"""Data sets: conversations between two people (LoCoMo) and our own assistant chats.

LoCoMo is not part of the project: it is read from its file and not copied. Its images are left out.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect import MessageIn

ROOT = Path(__file__).parents[2]
LOCOMO = ROOT.parent / "shared/data/locomo_dev.json"
ASSISTANTS = ROOT / "bench/data/assistants.json"

_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}


@dataclass(frozen=True, slots=True)
class Session:
    """A session becomes a conversation; `turns[0]` is the message with seq 1."""

    number: int
    turns: Sequence[str]
    messages: Sequence[MessageIn]


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    language: str
    category: str
    evidence: frozenset[str]
    """Turns that answer the question."""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A user with sessions and questions."""

    name: str
    sessions: Sequence[Session]
    questions: Sequence[Question]

    @property
    def texts(self) -> dict[str, str]:
        """Session number by turn."""
        return {
            turn: message.content
            for session in self.sessions
            for turn, message in zip(session.turns, session.messages, strict=True)
        }

    @property
    def session_of(self) -> dict[str, int]:
        return {turn: session.number for session in self.sessions for turn in session.turns}


@dataclass(frozen=True, slots=True)
class DataSet:
    name: str
    people: Sequence[Person]

    @property
    def asked(self) -> Iterator[tuple[Person, Question]]:
        return ((person, question) for person in self.people for question in person.questions)


def locomo(path: Path) -> DataSet:
    conversations = json.loads(path.read_text(encoding="utf-8"))
    return DataSet("LoCoMo", [_two_people(found) for found in conversations])


def assistants(path: Path = ASSISTANTS) -> DataSet:
    found = json.loads(path.read_text(encoding="utf-8"))
    sessions = [
        Session(
            session["session"],
            [turn["id"] for turn in session["turns"]],
            [
                MessageIn(
                    role=turn["role"],
                    content=turn["text"],
                    event_at=datetime.fromisoformat(session["date_time"]),
                )
                for turn in session["turns"]
            ],
        )
        for session in found["sessions"]
    ]
    questions = [
        Question(one["question"], one["language"], one["category"], frozenset(one["evidence"]))
        for one in found["questions"]
    ]
    return DataSet("assistants", [Person("assistants", sessions, questions)])


def _two_people(found: dict[str, Any]) -> Person:
    first, _ = found["speakers"]
    sessions = [
        Session(
            session["session"],
            [turn["id"] for turn in session["turns"]],
            [
                MessageIn(
                    role="user" if turn["speaker"] == first else "assistant",
                    content=turn["text"],
                    metadata={"speaker": turn["speaker"]},
                    event_at=_moment(session["date_time"]),
                )
                for turn in session["turns"]
            ],
        )
        for session in found["sessions"]
    ]
    known = {turn for session in sessions for turn in session.turns}
    questions = [
        Question(one["question"], "en", _KINDS[one["category"]], evidence, str(one["answer"]))
        for one in found["questions"]
        if one["category"] in _KINDS and (evidence := _evidence(one["evidence"]) & known)
    ]
    return Person(found["id"], sessions, questions)


def _evidence(entries: Sequence[str]) -> frozenset[str]:
    """Some entries have several ids in them."""
    return frozenset(id for entry in entries for id in re.split(r"[;,\s]+", entry))


def _moment(text: str) -> datetime:
    """From "1:56 pm on 8 May, 2023"."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
