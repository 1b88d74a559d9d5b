"""Our own chats with an assistant: 120 to 200 messages with answers of 800 to 1,500 tokens.

A file per topic (`bench/data/long_chats`) has what the topic is talked about with, and statements
to plant: facts, changes, contradictions, events, tool results and wishes, each with a question. The
rest is filled in from phrases, seeded, so that the chats are always the same. A planted statement
never stands at the beginning of its message. No sentence is said twice in a chat, so that a quoted
sentence proves which message it is from.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from bench.evidence.scoring import count_tokens
from bench.recall.data import ROOT, DataSet, Person, Question, Session
from recollect import MessageIn
from recollect.core.types import Json

FOLDER = ROOT / "bench/data/long_chats"
MIN_ANSWER, MAX_ANSWER = 800, 1_500
_PHRASES = "phrases.json"
_MIN_TURNS, _MAX_TURNS = 60, 95
_TURNS_A_DAY = 5
_BETWEEN = timedelta(minutes=7)

Found = Mapping[str, Any]


def long_chats(folder: Path = FOLDER) -> DataSet:
    phrases = _read(folder / _PHRASES)
    files = (file for file in sorted(folder.glob("*.json")) if file.name != _PHRASES)
    people = [ChatWriter(_read(file), phrases).write() for file in files]
    return DataSet("Our own", people)


def _read(path: Path) -> Found:
    found: Found = json.loads(path.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True, slots=True)
class Statement:
    """A planted statement, for the turn `turn`, as evidence of the question `question`."""

    turn: int
    question: int
    role: str
    text: str
    tool: str = ""
    input: Json = None


@dataclass(slots=True)
class ChatWriter:
    """Writes the chat of one topic."""

    topic: Found
    phrases: Found
    _random: Random = field(init=False)
    _said: set[str] = field(default_factory=set)
    _messages: list[MessageIn] = field(default_factory=list)
    _evidence: dict[int, set[str]] = field(default_factory=dict)
    _at: datetime = field(init=False)

    def __post_init__(self) -> None:
        self._random = Random(self.topic["name"])
        self._at = datetime.fromisoformat(f"{self.topic['start']}T09:00").replace(tzinfo=UTC)

    def write(self) -> Person:
        turns = self._random.randint(_MIN_TURNS, _MAX_TURNS)
        planted = self._placed(turns)
        area = None
        for turn in range(turns):
            if turn % _TURNS_A_DAY == 0:
                area = self._next_area(area)
                self._at += timedelta(days=self._random.randint(1, 9))
                self._at = self._at.replace(hour=self._random.randint(8, 19), minute=0)
            assert area is not None
            self._write_turn(area, [one for one in planted if one.turn == turn])
        return Person(self.topic["name"], [self._session()], [*self._questions()])

    def _placed(self, turns: int) -> list[Statement]:
        """Return the statements, at most one for each turn and role."""
        taken: set[tuple[int, str]] = set()
        placed = []
        for number, planted in enumerate(self.topic["plants"]):
            for says in planted["says"]:
                speaker = "user" if says["role"] == "user" else "assistant"
                turn = round(says["at"] * turns)
                while (turn, speaker) in taken:
                    turn += 1
                taken.add((turn, speaker))
                tool, given = says.get("name", ""), says.get("input")
                placed.append(Statement(turn, number, says["role"], says["text"], tool, given))
        return placed

    def _next_area(self, last: Found | None) -> Found:
        area: Found = self._random.choice([one for one in self.topic["areas"] if one is not last])
        return area

    def _write_turn(self, area: Found, planted: Sequence[Statement]) -> None:
        by_role = {one.role: one for one in planted}
        self._add(self._asked(area, by_role.get("user")), by_role.get("user"), role="user")
        for role in ("tool", "output"):
            if (one := by_role.get(role)) is not None:
                self._call_tool(one)
        said = by_role.get("assistant")
        self._add(self._answer(area, said), said, role="assistant")
        self._at += _BETWEEN

    def _call_tool(self, statement: Statement) -> None:
        """Write a call with its result: in a message of its own, or within the call."""
        id = f"call-{len(self._messages)}"
        call: dict[str, Json] = {"id": id, "tool_name": statement.tool, "input": statement.input}
        if statement.role == "output":
            self._add("", statement, role="assistant", calls=[{**call, "output": statement.text}])
            return
        self._add("", None, role="assistant", calls=[call])
        self._add(statement.text, statement, role="tool", metadata={"tool_call_id": id})

    def _add(
        self,
        content: str,
        statement: Statement | None,
        *,
        role: Any,
        calls: Sequence[Mapping[str, Json]] | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> None:
        self._messages.append(
            MessageIn(
                role=role,
                content=content,
                tool_calls=calls,
                metadata=metadata or {},
                event_at=self._at,
            )
        )
        if statement is not None:
            self._evidence.setdefault(statement.question, set()).add(str(len(self._messages)))

    def _asked(self, area: Found, statement: Statement | None) -> str:
        sentences = [self._fill("user_openers", area)]
        sentences += (self._fill("user_sentences", area) for _ in range(self._random.randint(2, 4)))
        if statement is not None:
            sentences.insert(self._random.randint(1, len(sentences)), statement.text)
        return " ".join([*sentences, self._fill("user_closers", area)])

    def _answer(self, area: Found, statement: Statement | None) -> str:
        wanted = self._random.randint(MIN_ANSWER + 50, MAX_ANSWER - 250)
        blocks = [self._paragraph(area, "openers", 2)]
        while count_tokens("\n\n".join(blocks)) < wanted:
            blocks += self._section(area)
        if statement is not None:
            middle = self._random.randrange(len(blocks) // 3, len(blocks) - 1)
            paragraph = self._sentences(area, 2)
            paragraph.insert(1, statement.text)
            blocks.insert(middle, " ".join(paragraph))
        blocks.append(self._fill("closers", area))
        return "\n\n".join(blocks)

    def _section(self, area: Found) -> Iterator[str]:
        """Write a heading and what stands below it."""
        yield f"### {self._fill('headings', area)}"
        form = self._random.choice(["text", "text", "text", "steps", "table", "code"])
        if form == "code" and not self.topic["code"]:
            form = "text"
        if form == "steps":
            yield self._fill("sentences", area)
            yield "\n".join(
                f"{number}. **{_capitalized(action)}.** {self._fill('steps', area)}"
                for number, action in enumerate(self._random.sample(area["actions"], 4), 1)
            )
        elif form == "table":
            yield self._fill("sentences", area)
            yield self._table(area)
        elif form == "code":
            yield self._fill("sentences", area)
            yield self._code(area)
        else:
            yield self._paragraph(area, "sentences", self._random.randint(2, 4))

    def _paragraph(self, area: Found, first: str, more: int) -> str:
        return " ".join([self._fill(first, area), *self._sentences(area, more)])

    def _sentences(self, area: Found, count: int) -> list[str]:
        return [self._fill("sentences", area) for _ in range(count)]

    def _table(self, area: Found) -> str:
        rows = [self._unique(self._row, area) for _ in range(4)]
        return "\n".join(["| part | what to do | time |", "| --- | --- | --- |", *rows])

    def _code(self, area: Found) -> str:
        lines = [self._unique(self._line, area) for _ in range(4)]
        return "\n".join(["```python", *lines, "```"])

    def _row(self, area: Found) -> str:
        thing, action = (self._random.choice(area[kind]) for kind in ("things", "actions"))
        return f"| {thing} | {action} | {self._span()} |"

    def _line(self, area: Found) -> str:
        one, other = self._random.sample(area["things"], 2)
        return f"check({one!r}, before={other!r}, after={self._span()!r})"

    def _fill(self, kind: str, area: Found) -> str:
        """Return a phrase of this kind about the area."""

        def fill(area: Found) -> str:
            thing, other = self._random.sample(area["things"], 2)
            choices = ("asks", "actions", "problems")
            ask, action, problem = (self._random.choice(area[name]) for name in choices)
            text: str = self._random.choice(self.phrases[kind]).format(
                thing=thing,
                Thing=_capitalized(thing),
                other=other,
                area=area["name"],
                ask=ask,
                action=action,
                problem=problem,
                span=self._span(),
            )
            return text

        return self._unique(fill, area)

    def _unique(self, make: Callable[[Found], str], area: Found) -> str:
        """Return a text that was not said before."""
        while (text := make(area)) in self._said:
            pass
        self._said.add(text)
        return text

    def _span(self) -> str:
        span: str = self._random.choice(self.phrases["spans"])
        return span

    def _session(self) -> Session:
        turns = [str(number) for number, _ in enumerate(self._messages, 1)]
        return Session(1, turns, self._messages)

    def _questions(self) -> Iterator[Question]:
        for number, planted in enumerate(self.topic["plants"]):
            evidence = frozenset(self._evidence[number])
            yield Question(planted["question"], "en", planted["kind"], evidence, planted["answer"])


def _capitalized(text: str) -> str:
    return text[0].upper() + text[1:]
