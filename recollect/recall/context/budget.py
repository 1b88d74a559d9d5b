"""Fitting what is remembered into its budget.

What is over goes in this order: turns beyond those that the policy keeps, retrieved turns, the
oldest turns of the tail down to one, the turn that was referred to, then giant messages are
shortened and the oldest tool calls dropped until the tail takes half of the budget, unpinned
memories, the summary sentence by sentence from its oldest (what a user wrote last), the ledger from
its least important value. Only when nothing else is left do pinned memories, the last turn and
pinned messages go; but what could not stay even then goes before anything else has to. Whatever
the budget, the result is within it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from recollect.core.sanitize import escape_markers, quote, render_ledger, truncate_middle
from recollect.core.types import ExactValue, Message, Turn
from recollect.language.sentences import split_sentences
from recollect.recall.context.formats import Part
from recollect.recall.context.tool_pairs import HistoryEntry, ToolExchange, pair_tool_calls

Count = Callable[[str], int]

MESSAGE_OVERHEAD = 4
"""What a message costs beside its text: role and delimiters."""
_TOOL_OVERHEAD = 12
_RETRIEVED_SHARE = 1 / 3
"""Of the budget: what was retrieved must not drive out what was just said."""
_LEAST_USEFUL = 40
"""A message is not shortened below this; it is dropped instead."""


@dataclass(frozen=True, slots=True)
class ContextMemory:
    """A memory about the user."""

    id: str
    text: str
    is_pinned: bool = False
    is_relevant: bool = False
    """Whether it bears on the message; else it is there for being new."""

    @property
    def line(self) -> str:
        """One item of a list, on one line whatever it says."""
        return f"- {escape_markers(' '.join(self.text.split()))}"


@dataclass(frozen=True, slots=True)
class TailTurn:
    number: int
    entries: tuple[HistoryEntry, ...]

    @classmethod
    def of(cls, turn: Turn) -> Self:
        entries, _ = pair_tool_calls(turn.messages)
        return cls(turn.number, tuple(entries))


@dataclass(slots=True, kw_only=True)
class Selection:
    """What is in, while things are being taken out; and what was."""

    count: Count
    heading_tokens: int
    """For each section that is not empty."""
    turn_tokens: int
    """For the line with a turn's number, in the format that has one."""
    tail_tokens: int = 0
    """For a heading above all of them."""
    turns: list[TailTurn]
    pinned: list[Message]
    """All pinned messages; those in the tail are not sent twice."""
    retrieved: list[TailTurn] = field(default_factory=list)
    """Best first, and more than are to be sent: what the tail has of them is not sent twice."""
    most_retrieved: int = 0
    retrieved_tokens: float = 0
    """What those that are sent may take."""
    referenced: list[TailTurn] = field(default_factory=list)
    memories: list[ContextMemory] = field(default_factory=list)
    summary_text: str = ""
    kept_text: str = ""
    ledger: list[ExactValue] = field(default_factory=list)
    dropped_turns: list[TailTurn] = field(default_factory=list)
    dropped_pins: list[Message] = field(default_factory=list)
    shortened: dict[str, int] = field(default_factory=dict)
    """Ids of shortened messages, and how many tokens they had."""
    summary_is_short: bool = False

    def tokens(self) -> int:
        blocks = (
            self._section([self.count(self.summary_block())] if self.has_summary() else [])
            + self._section([self.memory_cost(known) for known in self.memories])
            + self.pins_cost()
            + self._section([self.quoted_cost(turn) for turn in self.recalled()])
            + self._section([self.quoted_cost(turn) for turn in self.referenced])
        )
        return blocks + self.tail_cost()

    def tail_cost(self) -> int:
        tail = sum(self.turn_cost(turn) for turn in self.turns)
        return tail + (self.tail_tokens if self.turns else 0)

    def pins_cost(self) -> int:
        return self._section([self.quote_cost(message) for message in self.pins()])

    def _section(self, costs: Sequence[int]) -> int:
        return sum(costs) + self.section_cost if costs else 0

    @property
    def section_cost(self) -> int:
        """What a block costs beside what stands in it."""
        return self.heading_tokens + overhead(self.count)

    def has_summary(self) -> bool:
        return bool(self.summary_text or self.ledger)

    def summary_block(self) -> str:
        values = (
            f"Exact values:\n{escape_markers(render_ledger(self.ledger))}" if self.ledger else ""
        )
        return "\n\n".join(part for part in (self.summary_text, values) if part)

    def pins(self) -> list[Message]:
        """Those that the tail does not show."""
        if not self.pinned:
            return []
        shown = self._shown()
        return [message for message in self.pinned if message.id not in shown]

    def recalled(self) -> list[TailTurn]:
        """Of the retrieved turns, the best that there is room for and that are not shown anyway."""
        if not self.retrieved:
            return []
        shown = self._shown() | {message.id for message in self.pinned}
        recalled: list[TailTurn] = []
        room = self.retrieved_tokens
        for turn in self.retrieved:
            left = tuple(entry for entry in turn.entries if entry.message.id not in shown)
            cost = self.quoted_cost(replace(turn, entries=left))
            if 0 < cost <= room and len(recalled) < self.most_retrieved:
                room -= cost
                recalled.append(replace(turn, entries=left))
        return recalled

    def _shown(self) -> set[str]:
        """Ids of the messages in the tail."""
        return {
            message.id
            for turn in self.turns
            for entry in turn.entries
            for message in entry.messages
        }

    def part_cost(self, part: Part) -> int:
        if isinstance(part, HistoryEntry):
            return self.entry_cost(part)
        return text_cost(part.text, self.count)

    def entry_cost(self, entry: HistoryEntry) -> int:
        tools = sum(self._call_cost(tool) + self.count(tool.output) for tool in entry.tools)
        return self.count(entry.text) + tools + overhead(self.count)

    def _call_cost(self, tool: ToolExchange) -> int:
        named = f"{tool.id}{tool.id}{tool.name}"
        return self.count(tool.arguments) + self.count(named) + _TOOL_OVERHEAD

    def fixed_cost(self, entry: HistoryEntry) -> int:
        """What is left of an entry when everything in it that can be is cut."""
        return overhead(self.count) + sum(map(self._call_cost, entry.tools))

    def turn_cost(self, turn: TailTurn) -> int:
        return self.turn_tokens + sum(self.entry_cost(entry) for entry in turn.entries)

    def memory_cost(self, known: ContextMemory) -> int:
        return self.count(f"{known.line}\n")

    def quote_cost(self, message: Message) -> int:
        return self.count(f"{quote_message(message)}\n")

    def quoted_cost(self, turn: TailTurn) -> int:
        return sum(self.quote_cost(entry.message) for entry in turn.entries if entry.text)


def text_cost(text: str, count: Count) -> int:
    """Of a message that is nothing but text."""
    return count(text) + overhead(count)


def overhead(count: Count) -> int:
    """Of a message: more where a tokenizer makes more of everything."""
    return max(MESSAGE_OVERHEAD, count("Assistant: "))


def quote_message(message: Message) -> str:
    return quote(message.content, by=message.role, turn=message.turn)


def fit(selection: Selection, limit: int, *, keep_turns: int | None) -> None:
    """Takes out of the selection what is over the limit, and what was retrieved over its share."""
    selection.retrieved_tokens = limit * _RETRIEVED_SHARE
    steps: Sequence[Callable[[int], bool]] = (
        lambda over: _drop_oldest_turns(selection, over, least=keep_turns or len(selection.turns)),
        lambda over: _drop_retrieved(selection),
        lambda over: _drop_oldest_turns(selection, over, least=1),
        lambda over: _drop_referenced(selection),
        lambda over: _shorten_tail(selection, over, limit),
        lambda over: _drop_oldest_steps(selection, over, limit),
        lambda over: _shorten_tail(selection, over, limit),
        lambda over: _drop_what_never_fits(selection, limit),
        lambda over: _drop_memory(selection, pinned=False),
        lambda over: _shorten_summary(selection),
        lambda over: _drop_atom(selection),
        lambda over: _drop_memory(selection, pinned=True),
        lambda over: _drop_oldest_turns(selection, over, least=0),
        lambda over: _drop_oldest_pin(selection),
    )
    over = selection.tokens() - limit
    for step in steps:
        while over > 0 and step(over):
            over = selection.tokens() - limit


def _drop_retrieved(selection: Selection) -> bool:
    recalled = selection.recalled()
    if not recalled:
        return False
    worst = recalled[-1].number
    selection.retrieved = [turn for turn in selection.retrieved if turn.number != worst]
    return True


def _drop_referenced(selection: Selection) -> bool:
    if not selection.referenced:
        return False
    selection.referenced.pop()
    return True


def _drop_atom(selection: Selection) -> bool:
    if not selection.ledger:
        return False
    selection.ledger.remove(min(selection.ledger, key=lambda atom: (atom.weight, atom.seq)))
    return True


def _drop_oldest_turns(selection: Selection, over: int, *, least: int) -> bool:
    freed = 0
    before = len(selection.turns)
    while freed < over and len(selection.turns) > least:
        freed += selection.turn_cost(selection.turns[0])
        selection.dropped_turns.append(selection.turns.pop(0))
    return len(selection.turns) < before


def _drop_oldest_steps(selection: Selection, over: int, limit: int) -> bool:
    """Tool calls with their results, as long as the tail takes more than half of the limit."""
    excess = min(over, selection.tail_cost() - limit // 2)
    dropped: list[TailTurn] = []
    for place, turn in enumerate(selection.turns):
        kept = []
        for entry in turn.entries:
            if excess > 0 and entry.tools and not entry.message.is_pinned:
                excess -= selection.entry_cost(entry)
                dropped.append(replace(turn, entries=(entry,)))
            else:
                kept.append(entry)
        selection.turns[place] = replace(turn, entries=tuple(kept))
    selection.turns = [turn for turn in selection.turns if turn.entries]
    selection.dropped_turns += dropped
    return bool(dropped)


def _drop_what_never_fits(selection: Selection, limit: int) -> bool:
    """The tail, or the oldest pinned message, if there is no room for them alone."""
    if selection.turns and selection.tail_cost() > limit:
        return _drop_oldest_turns(selection, selection.tail_cost() - limit, least=0)
    return selection.pins_cost() > limit and _drop_oldest_pin(selection)


def _drop_memory(selection: Selection, *, pinned: bool) -> bool:
    for index in range(len(selection.memories) - 1, -1, -1):
        if selection.memories[index].is_pinned == pinned:
            del selection.memories[index]
            return True
    return False


def _drop_oldest_pin(selection: Selection) -> bool:
    pins = selection.pins()
    if not pins:
        return False
    selection.pinned.remove(pins[0])
    selection.dropped_pins.append(pins[0])
    return True


def _shorten_summary(selection: Selection) -> bool:
    """Without its oldest sentence that no user wrote; else without the last one they wrote."""
    sentences = split_sentences(selection.summary_text)
    if not sentences:
        return False
    kept = set(split_sentences(selection.kept_text))
    ours = [index for index, sentence in enumerate(sentences) if sentence not in kept]
    del sentences[ours[0] if ours else -1]
    selection.summary_text = "\n".join(sentences)
    selection.summary_is_short = True
    return True


def _shorten_tail(selection: Selection, over: int, limit: int) -> bool:
    """Clamps the longest messages of the tail, which keeps at least half of the limit. Once."""
    entries = [entry for turn in selection.turns for entry in turn.entries]
    size = sum(selection.entry_cost(entry) for entry in entries)
    target = max(limit // 2, size - over)
    if size <= target or selection.shortened:
        return False
    ceiling = _ceiling([selection.entry_cost(entry) for entry in entries], target)
    if ceiling < _LEAST_USEFUL:
        return False
    selection.turns = [
        replace(turn, entries=tuple(_shorten(selection, entry, ceiling) for entry in turn.entries))
        for turn in selection.turns
    ]
    return bool(selection.shortened)


def _ceiling(costs: Sequence[int], target: int) -> int:
    """The most that one message may take so that all together take no more than the target."""
    rest, room = sorted(costs), target
    while rest and rest[0] <= room // len(rest):
        room -= rest.pop(0)
    return room // len(rest) if rest else target


def _shorten(selection: Selection, entry: HistoryEntry, ceiling: int) -> HistoryEntry:
    cost = selection.entry_cost(entry)
    if cost <= ceiling or entry.message.is_pinned:
        return entry
    texts = [entry.text, *(tool.output for tool in entry.tools)]
    room = max(0, ceiling - selection.fixed_cost(entry))
    most = _ceiling([selection.count(text) for text in texts], room)
    selection.shortened[entry.message.id] = cost
    return replace(
        entry,
        text=_clamped(selection, entry.text, most),
        tools=tuple(
            replace(tool, output=_clamped(selection, tool.output, most)) for tool in entry.tools
        ),
    )


def _clamped(selection: Selection, text: str, most: int) -> str:
    """Never nothing where there was something: an empty result would be another result."""
    return truncate_middle(text, most, count=selection.count) or ("[…]" if text else "")
