"""Fit the memory part of a context into its token budget.

`fit_to_budget` drops or shortens, in the order of its table of steps, until the rest is within the
limit. Pinned memories, the last turn and pinned messages go last, except those that could not stay
even alone: they go before anything else has to make room for them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from recollect.core.policy import Policy
from recollect.core.sanitize import escape_markers, quote, render_ledger, truncate_middle
from recollect.core.types import ExactValue, Message
from recollect.language.sentences import split_sentences
from recollect.recall.context.formats import ContextPart
from recollect.recall.context.tool_pairs import HistoryEntry
from recollect.recall.context.types import ContextMemory, ContextRequest, Count

TurnEntries = tuple[HistoryEntry, ...]
"""The entries of one turn, never empty."""

MESSAGE_OVERHEAD = 4
"""Tokens of a message beside its text: role and delimiters."""
_TOOL_OVERHEAD = 12
_RETRIEVED_SHARE = 1 / 3
"""Share of the budget for retrieved turns, so that they do not displace the tail."""
_MIN_SHORTENED_TOKENS = 40
"""A message is not shortened below this; it is dropped instead."""


def memory_budget(policy: Policy, request: ContextRequest) -> int:
    """Return the tokens that the memory part may take."""
    room = request.room
    if request.has_tools:
        room -= room // 4  # for their results
    if request.mode == "full":
        return room
    if request.budget is not None:
        return min(request.budget, room)
    return min(room, policy.prompt_tokens or room, request.max_memory_tokens or room)


@dataclass(frozen=True, slots=True)
class HeadingTokens:
    """Tokens of the longest heading of a section, of a turn, and of the whole tail."""

    section: int
    turn: int
    tail: int


@dataclass(slots=True, kw_only=True)
class Selection:
    """The contents of the memory part, while they are fitted, and what was dropped."""

    count: Count
    headings: HeadingTokens
    turns: list[TurnEntries]
    pinned: list[Message]
    """All pinned messages, also those that the tail shows."""
    retrieved: list[TurnEntries] = field(default_factory=list)
    """Candidates, best first; `shown_retrieved` has those that are sent."""
    max_retrieved: int = 0
    max_retrieved_tokens: float = 0
    referenced: list[TurnEntries] = field(default_factory=list)
    memories: list[ContextMemory] = field(default_factory=list)
    summary_text: str = ""
    user_text: str = ""
    """The part of the summary that the user wrote."""
    ledger: list[ExactValue] = field(default_factory=list)
    dropped_turns: list[TurnEntries] = field(default_factory=list)
    dropped_pins: list[Message] = field(default_factory=list)
    shortened_ids: set[str] = field(default_factory=set)
    is_summary_shortened: bool = False

    def tokens(self) -> int:
        summary = self.summary_block()
        return (
            self._section([self.count(summary)] if summary else [])
            + self._section([self.memory_cost(memory) for memory in self.memories])
            + self.pins_cost()
            + self._section([self.quoted_turn_cost(turn) for turn in self.shown_retrieved()])
            + self._section([self.quoted_turn_cost(turn) for turn in self.referenced])
            + self.tail_cost()
        )

    def tail_cost(self) -> int:
        tail = sum(self.turn_cost(turn) for turn in self.turns)
        return tail + (self.headings.tail if self.turns else 0)

    def pins_cost(self) -> int:
        return self._section([self.quote_cost(message) for message in self.shown_pins()])

    def _section(self, costs: Sequence[int]) -> int:
        return sum(costs) + self.section_cost if costs else 0

    @property
    def section_cost(self) -> int:
        """Tokens of a section beside its items."""
        return self.headings.section + overhead(self.count)

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

    def shown_retrieved(self) -> list[TurnEntries]:
        """The best retrieved turns within their limits, without messages shown elsewhere."""
        if not self.retrieved:
            return []
        shown = {message.id for message in (*messages_of(self.turns), *self.pinned)}
        selected: list[TurnEntries] = []
        room = self.max_retrieved_tokens
        for turn in self.retrieved:
            entries = tuple(entry for entry in turn if entry.message.id not in shown)
            cost = self.quoted_turn_cost(entries)
            if 0 < cost <= room and len(selected) < self.max_retrieved:
                room -= cost
                selected.append(entries)
        return selected

    def turn_cost(self, turn: TurnEntries) -> int:
        return self.headings.turn + sum(entry_cost(entry, self.count) for entry in turn)

    def memory_cost(self, memory: ContextMemory) -> int:
        return self.count(f"{memory.line}\n")

    def quote_cost(self, message: Message) -> int:
        return self.count(f"{quote_message(message)}\n")

    def quoted_turn_cost(self, turn: TurnEntries) -> int:
        return sum(self.quote_cost(entry.message) for entry in turn if entry.text)


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
    return count(entry.text) + outputs + _min_entry_cost(entry, count)


def _min_entry_cost(entry: HistoryEntry, count: Count) -> int:
    """Return the tokens of an entry without its text and the results of its tools."""
    calls = sum(
        count(tool.arguments) + count(f"{tool.id}{tool.id}{tool.name}") + _TOOL_OVERHEAD
        for tool in entry.tools
    )
    return overhead(count) + calls


def text_cost(text: str, count: Count) -> int:
    """Return the tokens of a message that has only text."""
    return count(text) + overhead(count)


def overhead(count: Count) -> int:
    """Return the tokens of a message beside its text; more with a calibrated counter."""
    return max(MESSAGE_OVERHEAD, count("Assistant: "))


def quote_message(message: Message) -> str:
    return quote(message.content, by=message.role, turn=message.turn)


def fit_to_budget(selection: Selection, limit: int, *, keep_turns: int | None) -> None:
    """Drop from the selection what is over the limit."""
    selection.max_retrieved_tokens = limit * _RETRIEVED_SHARE
    steps: Sequence[Callable[[int], bool]] = (
        lambda over: _drop_oldest_turns(selection, over, keep=keep_turns or len(selection.turns)),
        lambda over: _drop_worst_retrieved(selection),
        lambda over: _drop_oldest_turns(selection, over, keep=1),
        lambda over: bool(selection.referenced and selection.referenced.pop()),
        lambda over: _shorten_tail(selection, over, limit),
        lambda over: _drop_oldest_tool_calls(selection, over, limit),
        lambda over: _shorten_tail(selection, over, limit),
        lambda over: _drop_too_large(selection, limit),
        lambda over: _drop_memory(selection, pinned=False),
        lambda over: _shorten_summary(selection),
        lambda over: _drop_exact_value(selection),
        lambda over: _drop_memory(selection, pinned=True),
        lambda over: _drop_oldest_turns(selection, over, keep=0),
        lambda over: _drop_oldest_pin(selection),
    )
    over = selection.tokens() - limit
    for step in steps:
        while over > 0 and step(over):
            over = selection.tokens() - limit


def _drop_worst_retrieved(selection: Selection) -> bool:
    shown = selection.shown_retrieved()
    if shown:
        worst = shown[-1][0].turn
        selection.retrieved = [turn for turn in selection.retrieved if turn[0].turn != worst]
    return bool(shown)


def _drop_exact_value(selection: Selection) -> bool:
    if not selection.ledger:
        return False
    selection.ledger.remove(min(selection.ledger, key=lambda value: (value.weight, value.seq)))
    return True


def _drop_oldest_turns(selection: Selection, over: int, *, keep: int) -> bool:
    freed = 0
    before = len(selection.turns)
    while freed < over and len(selection.turns) > keep:
        freed += selection.turn_cost(selection.turns[0])
        selection.dropped_turns.append(selection.turns.pop(0))
    return len(selection.turns) < before


def _drop_oldest_tool_calls(selection: Selection, over: int, limit: int) -> bool:
    """Drop tool calls with their results while the tail takes more than half of the limit."""
    excess = min(over, selection.tail_cost() - limit // 2)
    dropped: list[TurnEntries] = []
    kept: list[HistoryEntry] = []
    for entry in (entry for turn in selection.turns for entry in turn):
        if excess > 0 and entry.tools and not entry.message.is_pinned:
            excess -= entry_cost(entry, selection.count)
            dropped.append((entry,))
        else:
            kept.append(entry)
    selection.turns = by_turn(kept)
    selection.dropped_turns += dropped
    return bool(dropped)


def _drop_too_large(selection: Selection, limit: int) -> bool:
    """Drop from the tail, or the oldest pinned message, if they alone are over the limit."""
    if selection.turns and selection.tail_cost() > limit:
        return _drop_oldest_turns(selection, selection.tail_cost() - limit, keep=0)
    return selection.pins_cost() > limit and _drop_oldest_pin(selection)


def _drop_memory(selection: Selection, *, pinned: bool) -> bool:
    for memory in reversed(selection.memories):
        if memory.is_pinned == pinned:
            selection.memories.remove(memory)
            return True
    return False


def _drop_oldest_pin(selection: Selection) -> bool:
    pins = selection.shown_pins()
    if not pins:
        return False
    selection.pinned.remove(pins[0])
    selection.dropped_pins.append(pins[0])
    return True


def _shorten_summary(selection: Selection) -> bool:
    """Drop the oldest generated sentence; if none is left, the last one that the user wrote."""
    sentences = split_sentences(selection.summary_text)
    if not sentences:
        return False
    by_user = set(split_sentences(selection.user_text))
    generated = [index for index, sentence in enumerate(sentences) if sentence not in by_user]
    del sentences[generated[0] if generated else -1]
    selection.summary_text = "\n".join(sentences)
    selection.is_summary_shortened = True
    return True


def _shorten_tail(selection: Selection, over: int, limit: int) -> bool:
    """Truncate the longest messages of the tail, once; the tail keeps half of the limit."""
    entries = [entry for turn in selection.turns for entry in turn]
    costs = [entry_cost(entry, selection.count) for entry in entries]
    target = max(limit // 2, sum(costs) - over)
    if sum(costs) <= target or selection.shortened_ids:
        return False
    max_tokens = _max_per_item(costs, target)
    if max_tokens < _MIN_SHORTENED_TOKENS:
        return False
    selection.turns = [
        tuple(_shorten(selection, entry, max_tokens) for entry in turn) for turn in selection.turns
    ]
    return bool(selection.shortened_ids)


def _max_per_item(costs: Sequence[int], target: int) -> int:
    """Return the cap per item with which all items together stay within the target."""
    rest, room = sorted(costs), target
    while rest and rest[0] <= room // len(rest):
        room -= rest.pop(0)
    return room // len(rest) if rest else target


def _shorten(selection: Selection, entry: HistoryEntry, max_tokens: int) -> HistoryEntry:
    count = selection.count
    if entry_cost(entry, count) <= max_tokens or entry.message.is_pinned:
        return entry
    texts = [entry.text, *(tool.output for tool in entry.tools)]
    room = max(0, max_tokens - _min_entry_cost(entry, count))
    per_text = _max_per_item([count(text) for text in texts], room)

    def truncate(text: str) -> str:
        # Not to "": an empty tool result means something else.
        return truncate_middle(text, per_text, count=count) or ("[…]" if text else "")

    selection.shortened_ids.add(entry.message.id)
    return replace(
        entry,
        text=truncate(entry.text),
        tools=tuple(replace(tool, output=truncate(tool.output)) for tool in entry.tools),
    )
