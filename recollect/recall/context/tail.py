"""Fit the recent turns of a context: drop the oldest, shorten the longest messages.

In the layout `cache` the first turn must stay the same from question to question, or the prompt of
each turn would differ from the last one at its beginning. So older turns are dropped in blocks: a
tail starts only where the running total of tokens crosses a multiple of the block. Shortened
messages, too, are cut to one of a few lengths.
"""

from collections.abc import Sequence
from dataclasses import replace

from recollect.recall.context.selection import (
    Selection,
    TurnEntries,
    by_turn,
    entry_cost,
    min_entry_cost,
)
from recollect.recall.context.shorten import shorten
from recollect.recall.context.tool_pairs import HistoryEntry

_MIN_SHORTENED_TOKENS = 40
"""A message is not shortened below this; it is dropped instead."""
_MIN_USEFUL_TOKENS = 120
"""Messages are shortened to this at least, as long as more than one turn is shown."""
_LENGTHS = (40, 60, 90, 120, 180, 260, 400, 600, 900, 1_300, 2_000, 3_000, 4_500, 7_000, 10_000)


def fit_tail(selection: Selection, tokens: int, *, block: int) -> None:
    """Fit the tail into `tokens`: as many turns as can be shown with useful parts of their
    messages, and at least the newest."""
    if selection.tail_cost() <= tokens:
        return
    room = tokens - selection.headings["tail"]
    turns = selection.turns
    costs = [[entry_cost(entry, selection.count) for entry in turn] for turn in turns]
    first = len(turns) - 1
    while first > 0 and _cap(selection, costs[first - 1 :], room) >= _MIN_USEFUL_TOKENS:
        first -= 1
    first = _block_start([sum(cost) for cost in costs], first, len(turns) - 1, block)
    selection.dropped_turns += turns[:first]
    selection.turns = turns[first:]
    if len(selection.turns) == 1:
        _drop_tool_calls_without_room(selection, room)
    entries = [entry for turn in selection.turns for entry in turn]
    each = _cap(selection, [[entry_cost(e, selection.count) for e in entries]], room)
    if each >= _MIN_SHORTENED_TOKENS:
        steps = _LENGTHS if block else (each,)
        _shorten_to(selection, max(length for length in steps if length <= each))
    while selection.turns and selection.tail_cost() > tokens:
        _drop_oldest_entry(selection)


def min_tail_cost(selection: Selection) -> int:
    """Return the tokens of the newest turn, shortened as far as it is useful."""
    if not selection.turns:
        return 0
    newest = selection.turns[-1][-2:]
    costs = (min(entry_cost(e, selection.count), 2 * _MIN_SHORTENED_TOKENS) for e in newest)
    return selection.headings["tail"] + selection.turn_heading + sum(costs)


def drop_oldest_turns(selection: Selection, over: int, *, keep: int, block: int = 0) -> bool:
    """Drop the oldest turns until `over` tokens are freed or `keep` turns are left."""
    costs = [selection.turn_cost(turn) for turn in selection.turns]
    last = max(0, len(costs) - keep)
    first = freed = 0
    while freed < over and first < last:
        freed += costs[first]
        first += 1
    if first:
        first = _block_start(costs, first, last, block)
    selection.dropped_turns += selection.turns[:first]
    selection.turns = selection.turns[first:]
    return first > 0


def drop_oldest_tool_calls(selection: Selection, over: int, limit: int) -> bool:
    """Drop tool calls with their results while the tail takes more than half of the limit."""
    return _drop_tool_calls(selection, min(over, selection.tail_cost() - limit // 2))


def shorten_tail(selection: Selection, over: int, limit: int) -> bool:
    """Truncate the longest messages of the tail, once; the tail keeps half of the limit."""
    costs = [entry_cost(entry, selection.count) for turn in selection.turns for entry in turn]
    target = max(limit // 2, sum(costs) - over)
    if sum(costs) <= target or selection.shortened_ids:
        return False
    max_tokens = max_per_item(costs, target)
    if max_tokens < _MIN_SHORTENED_TOKENS:
        return False
    _shorten_to(selection, max_tokens)
    return bool(selection.shortened_ids)


def max_per_item(costs: Sequence[int], target: int) -> int:
    """Return the cap per item with which all items together stay within the target."""
    rest, room = sorted(costs), target
    while rest and rest[0] <= room // len(rest):
        room -= rest.pop(0)
    return room // len(rest) if rest else target


def _block_start(costs: Sequence[int], first: int, last: int, block: int) -> int:
    """Return the index, from `first` to `last`, of the next turn that a tail may start with."""
    if not block or not first:
        return first
    total = sum(costs[:first])
    before = total - costs[first - 1]
    while first < last and before // block == total // block:
        before, total = total, total + costs[first]
        first += 1
    return first


def _cap(selection: Selection, turns: Sequence[Sequence[int]], room: int) -> int:
    costs = [cost for turn in turns for cost in turn]
    return max_per_item(costs, max(0, room - selection.turn_heading * len(turns)))


def _drop_tool_calls_without_room(selection: Selection, room: int) -> None:
    """Drop the oldest tool calls until each message can keep a useful part."""
    entries = [entry for turn in selection.turns for entry in turn]
    costs = [min(entry_cost(e, selection.count), _MIN_USEFUL_TOKENS) for e in entries]
    _drop_tool_calls(selection, sum(costs) - room)


def _drop_tool_calls(selection: Selection, excess: int) -> bool:
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


def _drop_oldest_entry(selection: Selection) -> None:
    first, *rest = selection.turns[0]
    selection.turns = [tuple(rest), *selection.turns[1:]] if rest else selection.turns[1:]
    selection.dropped_turns.append((first,))
    selection.shortened_ids.discard(first.message.id)


def _shorten_to(selection: Selection, max_tokens: int) -> None:
    selection.turns = [
        tuple(_shorten(selection, entry, max_tokens) for entry in turn) for turn in selection.turns
    ]


def _shorten(selection: Selection, entry: HistoryEntry, max_tokens: int) -> HistoryEntry:
    count, seq = selection.count, entry.message.seq
    if entry_cost(entry, count) <= max_tokens or entry.message.is_pinned:
        return entry
    texts = [entry.text, *(tool.output for tool in entry.tools)]
    room = max(0, max_tokens - min_entry_cost(entry, count))
    per_text = max_per_item([count(text) for text in texts], room)

    short = shorten(entry.text, per_text, count=count, seq=seq)
    selection.shortened_ids.add(entry.message.id)
    return replace(
        entry,
        # Not "": an empty tool result means something else.
        text=short.text or ("[…]" if entry.text else ""),
        omitted=(short.start, short.end),
        tools=tuple(
            replace(tool, output=shorten(tool.output, per_text, count=count, seq=seq).text or "[…]")
            if tool.output
            else tool
            for tool in entry.tools
        ),
    )
