"""Build the items of a receipt: one for each candidate of a context."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from recollect.core.sanitize import escape_markers, render_ledger
from recollect.core.types import Message
from recollect.recall.context import reasons
from recollect.recall.context.budget import Limits
from recollect.recall.context.layout import Slot
from recollect.recall.context.parts import ContextPart
from recollect.recall.context.quotes import quote_of
from recollect.recall.context.reasons import OVER_BUDGET, Reason
from recollect.recall.context.receipt import Outcome, ReceiptItem, Section, SectionShare
from recollect.recall.context.selection import (
    Selection,
    TurnEntries,
    entry_cost,
    in_order,
    merge_passages,
    part_cost,
)
from recollect.recall.context.shares import floors
from recollect.recall.context.tool_pairs import ExcludedMessage, HistoryEntry, pair_tool_calls
from recollect.recall.context.types import (
    ContextRequest,
    ContextSources,
    Recalled,
    RetrievedPassage,
)

_MAX_DROPPED_PASSAGES = 20
"""Listed in a receipt."""
_MAX_DROPPED_MESSAGES = 20
_MAX_SENT_MESSAGES = 200
"""Listed one by one; if there are more, neighbours are joined, of sent messages the older ones."""


class ReceiptBuilder:
    """Compares the candidates, in `sources` and `recalled`, with the fitted selection.

    The tokens of a heading are counted with the first item below it.
    """

    def __init__(
        self,
        sources: ContextSources,
        recalled: Recalled,
        request: ContextRequest,
        selection: Selection,
    ) -> None:
        self._sources = sources
        self._recalled = recalled
        self._request = request
        self._selection = selection
        self._pins = selection.shown_pins()
        self._pin_ids = {message.id for message in self._pins}
        self._quoted_ids = {passage.message_id for passage in selection.taken_passages}
        self._without_heading: set[Section] = {"memories", "pinned", "retrieved", "references"}
        self.items: list[ReceiptItem] = []

    def add_fixed(
        self, fixed: Mapping[Slot, list[ContextPart]], current: Message | None, *, heading: int
    ) -> None:
        """Add the parts that no budget bounds. `current` is the current message, if stored;
        `heading` counts the heading of the messages after it."""
        count = self._selection.count
        for part in fixed.get("system", ()):
            self._add("system", "system prompt", part_cost(part, count), reasons.INSTRUCTIONS)
        for part in fixed.get("date", ()):
            self._add("system", "current date", part_cost(part, count), reasons.CURRENT_DATE)
        for part in fixed.get("note", ()):
            self._add("system", "note", part_cost(part, count), reasons.DATA_NOTE)
        for name, part in zip(self._request.contexts or (), fixed.get("contexts", ()), strict=True):
            self._add("contexts", name, part_cost(part, count), reasons.CALLER_CONTEXT)
        for part in fixed.get("message", ()):
            if isinstance(part, HistoryEntry):
                self._add_entry("message", part, reasons.AFTER_CURRENT_MESSAGE, heading=heading)
                heading = 0
            else:
                source, cost = current or "current message", part_cost(part, count)
                self._add("message", source, cost, reasons.CURRENT_MESSAGE)

    def add_memory(
        self, *, older_turns: Sequence[TurnEntries], excluded: Sequence[ExcludedMessage]
    ) -> None:
        """Add the memory part. `older_turns` are turns that the policy does not show, `excluded`
        messages that cannot be sent."""
        self._add_summary()
        self._add_memories()
        self._add_quotes("pinned", self._pins, reasons.PINNED)
        for pin in self._selection.dropped_pins:
            self._add("pinned", pin, self._selection.quote_cost(pin), OVER_BUDGET, "dropped")
        self._add_retrieved()
        if self._recalled.is_lexical_only:
            self._add("retrieved", "search by meaning", 0, reasons.LEXICAL_ONLY, "dropped")
        self._add_referenced()
        self._add_tail(older_turns, excluded)

    def section_shares(self, limits: Limits) -> tuple[SectionShare, ...]:
        """Return the size of each section of the memory part, and what flowed to or from it."""
        tokens: dict[Section, int] = dict.fromkeys(self._selection.headings, 0)
        for item in self.items:
            if item.outcome != "dropped" and item.section in tokens:
                tokens[item.section] += item.tokens
        shares: dict[Section, int] = {}
        if limits.is_shared:
            budget = limits.total - (limits.retrieved or 0)
            shares.update((s, n) for s, n in floors(budget, self._sources.policy.shares).items())
        if limits.retrieved is not None:
            shares["retrieved"] = limits.retrieved
        return tuple(
            SectionShare(
                section=section,
                share=shares.get(section, 0),
                tokens=size,
                flowed=size - shares.get(section, 0) if limits.is_shared else 0,
            )
            for section, size in tokens.items()
            if size or shares.get(section)
        )

    def _add_summary(self) -> None:
        summary, selection = self._sources.summary, self._selection
        count = selection.count
        source = f"summary version {summary.version}"
        if summary.text:
            cut = reasons.CUT_BY_SENTENCES if selection.is_summary_shortened else None
            outcome, reason = self._summary_outcome(
                selection.summary_text, cut, reasons.EARLIER_MESSAGES
            )
            tokens = count(selection.summary_text or escape_markers(summary.text))
            seqs = (1, summary.through_seq) if summary.through_seq else (None, None)
            tokens += selection.headings["summary"]
            self._add("summary", source, tokens, reason, outcome, seqs)
        if summary.ledger:
            kept, total = len(selection.ledger), len(summary.ledger)
            cut = reasons.items_kept(kept, total) if kept < total else None
            outcome, reason = self._summary_outcome(kept, cut, reasons.EXACT_VALUES)
            if kept:
                tokens = count(selection.summary_block()) - count(selection.summary_text)
                tokens += 0 if selection.summary_text else selection.headings["summary"]
            else:
                tokens = count(render_ledger(summary.ledger))
            self._add("summary", f"ledger of {source}", tokens, reason, outcome)

    def _summary_outcome(
        self, shown: str | int, cut: Reason | None, included: Reason
    ) -> tuple[Outcome, Reason]:
        is_tail_cut = self._selection.dropped_turns or self._sources.unread_from
        if self._request.mode == "full" and not is_tail_cut:
            return "dropped", reasons.MESSAGES_ARE_SENT
        if not shown:
            return "dropped", OVER_BUDGET
        return ("shortened", reasons.joined(OVER_BUDGET, cut)) if cut else ("included", included)

    def _add_memories(self) -> None:
        memories, hidden = self._selection.memories, self._selection.hidden_ids
        shown = {memory.id for memory in memories}
        second_heading = self._selection.memories_cost() - sum(
            map(self._selection.memory_cost, memories)
        )
        second_heading -= self._selection.headings["memories"] if shown else 0
        for memory in self._recalled.memories:
            tokens = self._selection.memory_cost(memory)
            reason = reasons.RELEVANT if memory.is_relevant else reasons.NEWEST
            reason = reasons.PINNED if memory.is_pinned else reason
            if memory.id in shown:
                self._add("memories", memory.id, tokens + second_heading, reason)
                second_heading = 0
            else:
                left_out = reasons.SOURCE_IS_SHOWN if memory.id in hidden else OVER_BUDGET
                self._add("memories", memory.id, tokens, left_out, "dropped")

    def _add_retrieved(self) -> None:
        selection = self._selection
        taken = in_order(selection.taken_passages)
        source = None
        for _, group in groupby(taken, key=lambda passage: passage.message_id):
            merged: list[RetrievedPassage] = []
            before = 0
            for passage in group:
                merged.append(passage)
                (quote,) = merge_passages(merged)
                tokens = selection.line_cost(quote.line)
                if quote.source != source:
                    before -= selection.line_cost(quote.source)
                    source = quote.source
                reason = reasons.ELSEWHERE if passage.is_elsewhere else reasons.RELEVANT
                self._add_passage(passage, tokens - before, reason)
                before = tokens
        taken_ids = {(passage.message_id, passage.start) for passage in taken}
        dropped = [
            passage
            for passage in selection.left_passages
            if (passage.message_id, passage.start) not in taken_ids
            and passage.message_id not in self._quoted_ids
        ]
        for passage in dropped[:_MAX_DROPPED_PASSAGES]:
            tokens = selection.line_cost(passage.quote.line)
            self._add_passage(passage, tokens, OVER_BUDGET, "dropped")

    def _add_passage(
        self,
        passage: RetrievedPassage,
        tokens: int,
        reason: Reason,
        outcome: Outcome = "included",
    ) -> None:
        quote = passage.quote
        self._add(
            "retrieved",
            f"message {quote.seq} ({passage.role})",
            tokens,
            reason,
            outcome,
            (quote.seq, quote.seq),
            passage=passage,
        )

    def _add_referenced(self) -> None:
        turns = {turn[0].turn for turn in self._selection.referenced}
        shown: list[Message] = []
        dropped: list[Message] = []
        for turn in self._recalled.referenced:
            for entry in pair_tool_calls(turn.messages)[0]:
                if not entry.text:
                    self._add("references", entry.message, 0, reasons.NO_TEXT, "dropped")
                else:
                    (shown if turn.number in turns else dropped).append(entry.message)
        self._add_quotes("references", shown, reasons.REFERENCED)
        for message in dropped:
            cost = self._selection.quote_cost(message)
            self._add("references", message, cost, OVER_BUDGET, "dropped")

    def _add_quotes(self, section: Section, messages: Sequence[Message], reason: Reason) -> None:
        """Add quoted messages; the line with their day counts with the first one below it."""
        for source, group in groupby(messages, key=lambda message: quote_of(message).source):
            above = self._selection.line_cost(source)
            for message in group:
                self._add(section, message, self._selection.quote_cost(message) + above, reason)
                above = 0

    def _add_tail(
        self, older_turns: Sequence[TurnEntries], excluded: Sequence[ExcludedMessage]
    ) -> None:
        unread, selection = self._sources.unread_from, self._selection
        if unread is not None:
            last = self._sources.backlog[0].seq - 1
            reason = self._not_sent(last, reasons.NOT_READ)
            self._add("tail", f"messages {unread} to {last}", 0, reason, "dropped", (unread, last))
        not_sent = [(turn, reasons.OLDER_THAN_KEPT) for turn in older_turns]
        not_sent += [(turn, OVER_BUDGET) for turn in selection.dropped_turns]
        for turn, why in not_sent:
            for entry in turn:
                reason = self._not_sent(entry.message.seq, why)
                self._add_entry("tail", entry, reason, "dropped")
        tail_heading = selection.headings["tail"]
        for turn in selection.turns:
            heading, tail_heading = selection.turn_heading + tail_heading, 0
            for entry in turn:
                is_short = entry.message.id in selection.shortened_ids
                reason = reasons.SHORTENED if is_short else reasons.RECENT
                outcome: Outcome = "shortened" if is_short else "included"
                self._add_entry("tail", entry, reason, outcome, heading=heading)
                heading = 0
        for message in excluded:
            self._add("tail", message.message, 0, message.reason, "dropped")
        self._join_messages()

    def _join_messages(self) -> None:
        """List recent messages as ranges where many have the same outcome."""
        positions = {message.id: index for index, message in enumerate(self._sources.backlog)}
        single = [i for i in self.items if i.section == "tail" and i.message_id in positions]
        others = [i for i in self.items if i.section != "tail" or i.message_id not in positions]
        single.sort(key=lambda item: positions[item.message_id or ""])
        dropped = [item for item in single if item.outcome == "dropped"]
        sent = [item for item in single if item.outcome != "dropped"]
        if len(dropped) > _MAX_DROPPED_MESSAGES:
            runs = _runs(dropped, positions, by_reason=True)
            if len(runs) > _MAX_DROPPED_MESSAGES:
                runs = _runs(dropped, positions, by_reason=False)
            dropped = [_range_of(run) for run in runs]
        if len(sent) > _MAX_SENT_MESSAGES:
            older, newest = sent[:-_MAX_SENT_MESSAGES], sent[-_MAX_SENT_MESSAGES:]
            sent = [*map(_range_of, _runs(older, positions, by_reason=True)), *newest]
        self.items = [*others, *dropped, *sent]

    def _not_sent(self, seq: int, why: Reason) -> Reason:
        is_covered = seq <= self._sources.summary.through_seq
        return reasons.joined(why, reasons.COVERED if is_covered else reasons.NOT_DIGESTED)

    def _add_entry(
        self,
        section: Section,
        entry: HistoryEntry,
        reason: Reason,
        outcome: Outcome = "included",
        *,
        heading: int = 0,
    ) -> None:
        cost = entry_cost(entry, self._selection.count) + heading
        self._add(section, entry.message, cost, reason, outcome)
        of_results = reason if outcome == "dropped" else reasons.WITH_ITS_CALL
        for result in entry.results:
            self._add(section, result, 0, of_results, outcome)

    def _add(
        self,
        section: Section,
        source: Message | str,
        tokens: int,
        reason: Reason,
        outcome: Outcome = "included",
        seqs: tuple[int | None, int | None] = (None, None),
        passage: RetrievedPassage | None = None,
    ) -> None:
        message_id = passage.message_id if passage else None
        if isinstance(source, Message):
            message_id, seqs = source.id, (source.seq, source.seq)
            if section == "tail" and outcome == "dropped" and message_id in self._pin_ids:
                return  # sent as a pinned message
            source = f"message {source.seq} ({source.role})"
        if outcome == "included" and section in self._without_heading:
            self._without_heading.remove(section)
            tokens += self._selection.headings[section]
        self.items.append(
            ReceiptItem(
                section=section,
                source=source,
                tokens=tokens,
                outcome=outcome,
                reason=reason,
                message_id=message_id,
                first_seq=seqs[0],
                last_seq=seqs[1],
                conversation_id=passage.conversation_id if passage else None,
                start=passage.start if passage else None,
                end=passage.end if passage else None,
                title=passage.quote.title if passage else None,
            )
        )


def _runs(
    items: Sequence[ReceiptItem], positions: Mapping[str, int], *, by_reason: bool
) -> list[list[ReceiptItem]]:
    """Group items of neighbouring messages that have the same outcome and, if asked for, reason."""
    runs: list[list[ReceiptItem]] = []
    for item in items:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and positions[item.message_id or ""] == positions[last.message_id or ""] + 1
            and item.outcome == last.outcome
            and (item.reason == last.reason or not by_reason)
        ):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def _range_of(run: Sequence[ReceiptItem]) -> ReceiptItem:
    """Return one item for neighbouring messages."""
    first, last = run[0], run[-1]
    if len(run) == 1:
        return first
    return replace(
        first,
        source=f"messages {first.first_seq} to {last.last_seq}",
        tokens=sum(item.tokens for item in run),
        reason=" ".join(dict.fromkeys(item.reason for item in run)),
        message_id=None,
        last_seq=last.last_seq,
    )
