"""The memory part of a context while it is fitted into its budget, and the sizes of its parts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from recollect.core.sanitize import escape_markers, render_ledger
from recollect.core.types import ExactValue, Message
from recollect.recall.context.parts import ContextPart
from recollect.recall.context.quotes import GAP, Quote, quote_of
from recollect.recall.context.receipt import Section
from recollect.recall.context.tool_pairs import HistoryEntry
from recollect.recall.context.types import ContextMemory, Count, RetrievedPassage

TurnEntries = tuple[HistoryEntry, ...]
"""The entries of one turn, never empty."""

MESSAGE_OVERHEAD = 4
"""Tokens of a message beside its text: role and delimiters."""
_TOOL_OVERHEAD = 12
_MARK_TOKENS = 2
_MAX_GAP_CHARS = 2
"""Between neighbouring passages: the blank line between paragraphs."""
_MAX_ELSEWHERE_SHARE = 1 / 3
"""Of the share of retrieved passages, for those from other conversations."""


@dataclass(slots=True, kw_only=True)
class Selection:
    """What is sent, and what was dropped."""

    count: Count
    headings: Mapping[Section, int]
    """Tokens of each section beside its items."""
    turn_heading: int = 0
    turns: list[TurnEntries]
    pinned: list[Message]
    """All pinned messages, also those that the tail shows."""
    passages: Sequence[RetrievedPassage] = ()
    """Candidates, in the order in which they are taken."""
    taken_passages: list[RetrievedPassage] = field(default_factory=list)
    left_passages: list[RetrievedPassage] = field(default_factory=list)
    """Candidates that did not fit."""
    referenced: list[TurnEntries] = field(default_factory=list)
    memories: list[ContextMemory] = field(default_factory=list)
    splits_memories: bool = False
    """Whether memories that seldom change are a block of their own."""
    summary_text: str = ""
    user_text: str = ""
    """The part of the summary that the user wrote."""
    ledger: list[ExactValue] = field(default_factory=list)
    dropped_turns: list[TurnEntries] = field(default_factory=list)
    dropped_pins: list[Message] = field(default_factory=list)
    shortened_ids: set[str] = field(default_factory=set)
    hidden_ids: set[str] = field(default_factory=set)
    """Memories whose messages are shown."""
    is_summary_shortened: bool = False

    def tokens(self) -> int:
        return (
            self.summary_cost()
            + self.memories_cost()
            + self.pins_cost()
            + self.passages_cost(self.taken_passages)
            + self.referenced_cost()
            + self.tail_cost()
        )

    def summary_cost(self) -> int:
        block = self.summary_block()
        return self._section("summary", [self.count(block)] if block else [])

    def memories_cost(self) -> int:
        costs = [self.memory_cost(memory) for memory in self.memories]
        is_split = self.splits_memories and len(costs) > 1
        return self._section("memories", costs) + is_split * self.headings["memories"]

    def hide_memories(self) -> None:
        """Leave out memories while the recent turns show the messages that they were taken from.
        This keeps the end of a prompt short, which providers cannot cache."""
        in_tail = {m.id for m in messages_of(self.turns)} - self.shortened_ids
        shown = [m for m in self.memories if m.is_pinned or m.source_message_id not in in_tail]
        self.hidden_ids = {m.id for m in self.memories} - {m.id for m in shown}
        self.memories = shown

    def is_stable(self, memory: ContextMemory) -> bool:
        """Return whether a memory stays the same while the tail begins with the same turn."""
        if memory.is_pinned or not self.turns:
            return True
        if memory.is_relevant or memory.created_at is None:
            return False
        return memory.created_at < self.turns[0][0].message.created_at

    def pins_cost(self) -> int:
        return self._section("pinned", self._quote_costs(map(quote_of, self.shown_pins())))

    def referenced_cost(self) -> int:
        messages = [entry.message for turn in self.referenced for entry in turn if entry.text]
        return self._section("references", self._quote_costs(map(quote_of, messages)))

    def passages_cost(self, passages: Sequence[RetrievedPassage]) -> int:
        return self._section("retrieved", self._quote_costs(merge_passages(passages)))

    def tail_cost(self) -> int:
        tail = sum(self.turn_cost(turn) for turn in self.turns)
        return tail + (self.headings["tail"] if self.turns else 0)

    def _section(self, section: Section, costs: Sequence[int]) -> int:
        return sum(costs) + self.headings[section] if costs else 0

    def _quote_costs(self, quotes: Iterator[Quote] | Sequence[Quote]) -> list[int]:
        costs = []
        for source, group in groupby(quotes, key=lambda quote: quote.source):
            costs.append(self.line_cost(source))
            costs += [self.line_cost(quote.line) for quote in group]
        return costs

    def line_cost(self, line: str) -> int:
        return self.count(f"{line}\n") + _MARK_TOKENS

    def summary_block(self) -> str:
        values = (
            f"Exact values:\n{escape_markers(render_ledger(self.ledger))}" if self.ledger else ""
        )
        return "\n\n".join(part for part in (self.summary_text, values) if part)

    def shown_pins(self) -> list[Message]:
        """Pinned messages that the tail does not show."""
        if not self.pinned:
            return []
        in_tail = {message.id for message in messages_of(self.turns)}
        return [message for message in self.pinned if message.id not in in_tail]

    def take_passages(self, room: int, *, share: int) -> None:
        """Take the passages that fit and that no other section shows, in their order. `share` is
        what their section is sure of, and bounds those from other conversations."""
        self.taken_passages = []
        self.left_passages = []
        is_shown = self._shown_check()
        elsewhere_room = int(share * _MAX_ELSEWHERE_SHARE) - self.headings["retrieved"]
        room -= self.headings["retrieved"]
        sources: set[str] = set()
        quoted: set[str] = set()
        for passage in self.passages:
            if is_shown(passage):
                continue
            quote = passage.quote
            if passage.message_id in quoted:
                cost = self.count(f"{GAP}{quote.text}")
            else:
                cost = self.line_cost(quote.line)
                cost += 0 if quote.source in sources else self.line_cost(quote.source)
            if cost > (min(room, elsewhere_room) if passage.is_elsewhere else room):
                self.left_passages.append(passage)
                continue
            room -= cost
            elsewhere_room -= cost if passage.is_elsewhere else 0
            sources.add(quote.source)
            quoted.add(passage.message_id)
            self.taken_passages.append(passage)

    def _shown_check(self) -> "_ShownCheck":
        referenced = [m.id for m in messages_of(self.referenced)]
        whole = {m.id for m in messages_of(self.turns)} | {m.id for m in self.pinned}
        omitted = {
            entry.message.id: entry.omitted
            for turn in self.turns
            for entry in turn
            if entry.omitted[1]
        }
        texts = {message.content.strip() for message in (*messages_of(self.turns), *self.pinned)}
        return _ShownCheck(whole.union(referenced) - omitted.keys(), omitted, texts)

    def turn_cost(self, turn: TurnEntries) -> int:
        return self.turn_heading + sum(entry_cost(entry, self.count) for entry in turn)

    def memory_cost(self, memory: ContextMemory) -> int:
        return self.count(f"{memory.line}\n")

    def quote_cost(self, message: Message) -> int:
        return self.line_cost(quote_of(message).line)


@dataclass(frozen=True, slots=True)
class _ShownCheck:
    """Tells whether other sections show a passage, or a part of it: `whole` has the messages that
    they show, `omitted` the ranges that they leave out of shortened ones."""

    whole: set[str]
    omitted: Mapping[str, tuple[int, int]]
    texts: set[str]
    """Of the shown messages: a fork repeats those of its original."""

    def __call__(self, passage: RetrievedPassage) -> bool:
        text = passage.quote.text.strip()
        if passage.message_id in self.whole or not text:
            return True
        if passage.is_elsewhere:
            return text in self.texts
        start, end = self.omitted.get(passage.message_id, (0, passage.end))
        return not start <= passage.start <= passage.end <= end


def in_order(passages: Sequence[RetrievedPassage]) -> list[RetrievedPassage]:
    """Return the passages oldest first, those of other conversations last."""

    def key(passage: RetrievedPassage) -> tuple[str, int, int]:
        quote = passage.quote
        other = f"{quote.said_at.date()}{passage.conversation_id}" if passage.is_elsewhere else ""
        return other, quote.seq, passage.start

    return sorted(passages, key=key)


def merge_passages(passages: Sequence[RetrievedPassage]) -> list[Quote]:
    """Return one quote per message, in order."""
    quotes = []
    for _, group in groupby(in_order(passages), key=lambda passage: passage.message_id):
        first, *others = group
        text, end = first.quote.text.strip(), first.end
        for passage in others:
            is_neighbour = passage.start - end <= _MAX_GAP_CHARS
            text += ("\n" if is_neighbour else GAP) + passage.quote.text.strip()
            end = passage.end
        quotes.append(replace(first.quote, text=text))
    return quotes


def by_turn(entries: Sequence[HistoryEntry]) -> list[TurnEntries]:
    return [tuple(members) for _, members in groupby(entries, key=lambda entry: entry.turn)]


def messages_of(turns: Sequence[TurnEntries]) -> list[Message]:
    return [message for turn in turns for entry in turn for message in entry.messages]


def part_cost(part: ContextPart, count: Count) -> int:
    if isinstance(part, HistoryEntry):
        return entry_cost(part, count)
    return text_cost(part.text, count)


def entry_cost(entry: HistoryEntry, count: Count) -> int:
    outputs = sum(count(tool.output) for tool in entry.tools)
    return count(entry.text) + outputs + min_entry_cost(entry, count)


def min_entry_cost(entry: HistoryEntry, count: Count) -> int:
    """Return the tokens of an entry without its text and the results of its tools."""
    calls = sum(
        count(tool.arguments) + count(f"{tool.id}{tool.id}{tool.name}") + _TOOL_OVERHEAD
        for tool in entry.tools
    )
    tags = count(f"<said {entry.tag}>\n") + count(f"\n</said {entry.tag}>") if entry.tag else 0
    return overhead(count) + calls + tags


def text_cost(text: str, count: Count) -> int:
    """Return the tokens of a message that has only text."""
    return count(text) + overhead(count)


def overhead(count: Count) -> int:
    """Return the tokens of a message beside its text; more with a calibrated counter."""
    return max(MESSAGE_OVERHEAD, count("Assistant: "))
