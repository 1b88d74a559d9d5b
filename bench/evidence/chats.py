"""The conversations of the evidence benchmark, each held as one conversation.

BEAM and LoCoMo are not part of the project: they are read from their files and not copied. Their
questions are used for scoring only.
"""

import json
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from bench.recall.data import LOCOMO, DataSet, Person, Question, Session, locomo
from recollect import MessageIn

BEAM = LOCOMO.parent / "beam_dev.json"


def beam(path: Path) -> DataSet:
    """Long chats between a user and an assistant."""
    conversations = json.loads(path.read_text(encoding="utf-8"))
    return DataSet("BEAM", [_beam_chat(found) for found in conversations])


def two_people(path: Path) -> DataSet:
    """LoCoMo, with all sessions of two people in one conversation."""
    data = locomo(path)
    return DataSet(data.name, [_joined(person) for person in data.people])


def message_text(message: MessageIn) -> str:
    """Return the content and the outputs of the tools that the message called."""
    outputs = [str(call["output"]) for call in message.tool_calls or () if call.get("output")]
    return "\n".join([message.content, *outputs]) if outputs else message.content


def _joined(person: Person) -> Person:
    turns = [*chain.from_iterable(session.turns for session in person.sessions)]
    messages = [*chain.from_iterable(session.messages for session in person.sessions)]
    return Person(person.name, [Session(1, turns, messages)], person.questions)


def _beam_chat(found: dict[str, Any]) -> Person:
    day = ""
    messages = []
    for message in found["messages"]:
        day = message["time"] or day
        messages.append(
            MessageIn(role=message["role"], content=message["content"], event_at=_moment(day))
        )
    turns = [str(message["id"]) for message in found["messages"]]
    questions = [
        Question(
            one["question"], "en", one["kind"], frozenset(map(str, one["evidence"])), one["answer"]
        )
        for one in found["questions"]
    ]
    return Person(found["id"], [Session(1, turns, messages)], questions)


def _moment(day: str) -> datetime:
    """From "March-15-2024"."""
    return datetime.strptime(day, "%B-%d-%Y").replace(tzinfo=UTC)
