"""Build the items of a receipt: one for each candidate of a context."""

from collections.abc import Mapping, Sequence

from recollect.core.sanitize import escape_markers, render_ledger
from recollect.core.types import Message, Turn
from recollect.recall.context import reasons
from recollect.recall.context.budget import Selection, TurnEntries, entry_cost, part_cost
from recollect.recall.context.formats import ContextPart
from recollect.recall.context.reasons import OVER_BUDGET, Reason
from recollect.recall.context.receipt import Outcome, ReceiptItem, Section
from recollect.recall.context.tool_pairs import ExcludedMessage, HistoryEntry, pair_tool_calls
from recollect.recall.context.types import ContextRequest, ContextSources, Recalled


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
        self._retrieved = selection.shown_retrieved()
        self._quoted = {message.id for message in self._pins} | _quoted_ids(self._retrieved)
        self._without_heading: set[Section] = {"memories", "pinned", "retrieved", "references"}
        self.items: list[ReceiptItem] = []

    def add_fixed(
        self, fixed: Mapping[Section, list[ContextPart]], current: Message | None
    ) -> None:
        """Add the parts that no budget bounds. `current` is the current message, if stored."""
        count = self._selection.count
        for part in fixed.get("system", ()):
            self._add("system", "system prompt", part_cost(part, count), reasons.INSTRUCTIONS)
        for name, part in zip(self._request.contexts or (), fixed.get("contexts", ()), strict=True):
            self._add("contexts", name, part_cost(part, count), reasons.CALLER_CONTEXT)
        for part in fixed.get("message", ()):
            if isinstance(part, HistoryEntry):
                self._add_entry("message", part, reasons.AFTER_CURRENT_MESSAGE)
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
        for pin in self._pins:
            self._add("pinned", pin, self._selection.quote_cost(pin), reasons.PINNED)
        for pin in self._selection.dropped_pins:
            self._add("pinned", pin, self._selection.quote_cost(pin), OVER_BUDGET, "dropped")
        self._add_retrieved()
        if self._recalled.is_lexical_only:
            self._add("retrieved", "search by meaning", 0, reasons.LEXICAL_ONLY, "dropped")
        self._add_quotes("references", self._recalled.referenced, self._selection.referenced)
        self._add_tail(older_turns, excluded)

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
            self._add("summary", source, tokens + selection.section_cost, reason, outcome, seqs)
        if summary.ledger:
            kept, total = len(selection.ledger), len(summary.ledger)
            cut = reasons.items_kept(kept, total) if kept < total else None
            outcome, reason = self._summary_outcome(kept, cut, reasons.EXACT_VALUES)
            if kept:
                tokens = count(selection.summary_block()) - count(selection.summary_text)
                tokens += 0 if selection.summary_text else selection.section_cost
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
        shown = {memory.id for memory in self._selection.memories}
        for memory in self._recalled.memories:
            tokens = self._selection.memory_cost(memory)
            reason = reasons.RELEVANT if memory.is_relevant else reasons.NEWEST
            reason = reasons.PINNED if memory.is_pinned else reason
            if memory.id in shown:
                self._add("memories", memory.id, tokens, reason)
            else:
                self._add("memories", memory.id, tokens, OVER_BUDGET, "dropped")

    def _add_retrieved(self) -> None:
        """Add up to `max_retrieved` turns: those that are quoted, then dropped ones. Messages that
        other sections report are left out."""
        quoted = _quoted_ids(self._retrieved, with_text=False)
        elsewhere = {message.id for message in (*self._sources.backlog, *self._sources.pinned)}
        spare = self._recalled.max_retrieved - len(self._retrieved)
        reported = []
        for turn in self._recalled.retrieved:
            messages = tuple(m for m in turn.messages if m.id in quoted or m.id not in elsewhere)
            is_quoted = any(message.id in quoted for message in messages)
            if is_quoted or (messages and spare > 0):
                reported.append(Turn(turn.number, messages))
                spare -= not is_quoted
        self._add_quotes("retrieved", reported, self._retrieved)

    def _add_quotes(
        self, section: Section, candidates: Sequence[Turn], shown: Sequence[TurnEntries]
    ) -> None:
        quoted = _quoted_ids(shown)
        reason = reasons.REFERENCED if section == "references" else reasons.RELEVANT
        for entry in (e for turn in candidates for e in pair_tool_calls(turn.messages)[0]):
            message = entry.message
            cost = self._selection.quote_cost(message)
            if not entry.text:
                self._add(section, message, 0, reasons.NO_TEXT, "dropped")
            elif message.id in quoted:
                self._add(section, message, cost, reason)
            else:
                self._add(section, message, cost, OVER_BUDGET, "dropped")

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
        tail_heading = selection.headings.tail
        for turn in selection.turns:
            heading, tail_heading = selection.headings.turn + tail_heading, 0
            for entry in turn:
                is_short = entry.message.id in selection.shortened_ids
                reason = reasons.SHORTENED if is_short else reasons.RECENT
                outcome: Outcome = "shortened" if is_short else "included"
                self._add_entry("tail", entry, reason, outcome, heading=heading)
                heading = 0
        for message in excluded:
            self._add("tail", message.message, 0, message.reason, "dropped")

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
        for result in entry.results:
            self._add(section, result, 0, reasons.WITH_ITS_CALL, outcome)

    def _add(
        self,
        section: Section,
        source: Message | str,
        tokens: int,
        reason: Reason,
        outcome: Outcome = "included",
        seqs: tuple[int | None, int | None] = (None, None),
    ) -> None:
        message_id = None
        if isinstance(source, Message):
            message_id, seqs = source.id, (source.seq, source.seq)
            if section == "tail" and outcome == "dropped" and message_id in self._quoted:
                return  # sent as a pinned or retrieved message
            source = f"message {source.seq} ({source.role})"
        if outcome == "included" and section in self._without_heading:
            self._without_heading.remove(section)
            tokens += self._selection.section_cost
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
            )
        )


def _quoted_ids(turns: Sequence[TurnEntries], *, with_text: bool = True) -> set[str]:
    return {entry.message.id for turn in turns for entry in turn if entry.text or not with_text}
