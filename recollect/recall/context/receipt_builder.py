"""The items of a receipt: of everything that might have been shown, what became of it, and why."""

from collections.abc import Mapping, Sequence

from recollect.core.sanitize import escape_markers, render_ledger
from recollect.core.types import Message, Turn
from recollect.recall.context import reasons
from recollect.recall.context.budget import Selection, TailTurn
from recollect.recall.context.formats import Part
from recollect.recall.context.reasons import OVER_BUDGET, Reason
from recollect.recall.context.receipt import Outcome, ReceiptItem, Section
from recollect.recall.context.tool_pairs import ExcludedMessage, HistoryEntry
from recollect.recall.context.types import ContextSources, Request


class ReceiptBuilder:
    """Taken when everything is fitted: the material is what there was, the selection what is in."""

    def __init__(self, material: ContextSources, request: Request, selection: Selection) -> None:
        self._material = material
        self._request = request
        self._selection = selection
        self._quoted = {message.id for message in selection.pins()}
        for turn in selection.recalled():
            self._quoted |= {entry.message.id for entry in turn.entries if entry.text}
        """Ids of the messages that are sent as quotes."""
        self._heading = 0
        """What the next item pays beside its own: a heading, the line with its turn's number."""
        self.items: list[ReceiptItem] = []

    def note_fixed(self, fixed: Mapping[Section, list[Part]], stored: Message | None) -> None:
        """What is there whatever the budget. `stored` is the current message, where it is on
        record."""
        for part in fixed.get("system", ()):
            self._note(
                "system", "system prompt", self._selection.part_cost(part), reasons.INSTRUCTIONS
            )
        names = self._request.contexts or {}
        for name, part in zip(names, fixed.get("contexts", ()), strict=True):
            self._note("contexts", name, self._selection.part_cost(part), reasons.GIVEN)
        for part in fixed.get("message", ()):
            if isinstance(part, HistoryEntry):
                self._note_entry("message", part, reasons.HAPPENED_SINCE)
            else:
                self._note(
                    "message",
                    _source(stored) if stored else "current message",
                    self._selection.part_cost(part),
                    reasons.CURRENT_MESSAGE,
                    message=stored,
                )

    def note_memory(
        self, *, unwanted: Sequence[TailTurn], left_out: Sequence[ExcludedMessage]
    ) -> None:
        """What was remembered, as far as it is in and as far as it is not: `unwanted` are turns
        that the policy does not show, `left_out` messages that cannot be sent."""
        self._note_summary()
        self._note_memories()
        self._note_pins()
        self._note_retrieved()
        if self._material.by_words_only:
            self._note(
                "retrieved", "search by meaning", 0, reasons.BY_WORDS_ONLY, outcome="dropped"
            )
        self._note_quoted("references", self._material.referenced, self._selection.referenced)
        self._note_tail(unwanted, left_out)

    def _note_summary(self) -> None:
        """The heading of the block is the summary's, or where that is gone the ledger's."""
        summary, selection = self._material.summary, self._selection
        count, block = selection.count, selection.section_cost
        source = f"summary version {summary.version}"
        if summary.text:
            outcome, reason = self._summary_outcome()
            text = selection.summary_text or escape_markers(summary.text)
            self._note(
                "summary",
                source,
                count(text) + block,
                reason,
                outcome=outcome,
                seqs=(1, summary.through_seq) if summary.through_seq else None,
            )
        if summary.ledger:
            outcome, reason = self._ledger_outcome()
            if selection.ledger:
                tokens = count(selection.summary_block()) - count(selection.summary_text)
                tokens += 0 if selection.summary_text else block
            else:
                tokens = count(render_ledger(summary.ledger))
            self._note("summary", f"ledger of {source}", tokens, reason, outcome=outcome)

    def _summary_outcome(self) -> tuple[Outcome, Reason]:
        if self._sends_everything():
            return "dropped", reasons.MESSAGES_ARE_SENT
        if not self._selection.summary_text:
            return "dropped", OVER_BUDGET
        if self._selection.summary_is_short:
            return "shortened", reasons.both(OVER_BUDGET, reasons.CUT_BY_SENTENCES)
        return "included", reasons.SAID_BEFORE

    def _ledger_outcome(self) -> tuple[Outcome, Reason]:
        left, all_of_it = len(self._selection.ledger), len(self._material.summary.ledger)
        if self._sends_everything():
            return "dropped", reasons.MESSAGES_ARE_SENT
        if not left:
            return "dropped", OVER_BUDGET
        if left < all_of_it:
            return "shortened", reasons.both(OVER_BUDGET, reasons.partly(left, all_of_it))
        return "included", reasons.EXACT_VALUES

    def _sends_everything(self) -> bool:
        return self._request.mode == "full" and not (
            self._selection.dropped_turns or self._material.unread_from
        )

    def _note_memories(self) -> None:
        held = {known.id for known in self._selection.memories}
        heading = self._selection.section_cost
        for known in self._material.memories:
            tokens = self._selection.memory_cost(known)
            why = reasons.RELEVANT if known.is_relevant else reasons.NEWEST
            why = reasons.PINNED if known.is_pinned else why
            if known.id in held:
                self._note("memories", known.id, tokens + heading, why)
                heading = 0
            else:
                self._note("memories", known.id, tokens, OVER_BUDGET, outcome="dropped")

    def _note_pins(self) -> None:
        heading = self._selection.section_cost
        for pin in self._selection.pins():
            cost = self._selection.quote_cost(pin) + heading
            self._note("pinned", _source(pin), cost, reasons.PINNED, message=pin)
            heading = 0
        for pin in self._selection.dropped_pins:
            cost = self._selection.quote_cost(pin)
            self._note("pinned", _source(pin), cost, OVER_BUDGET, outcome="dropped", message=pin)

    def _note_retrieved(self) -> None:
        """What is in the backlog or pinned is told of there, unless it is quoted. Further turns, in
        case that better ones are shown anyway, are not told of."""
        held = self._selection.recalled()
        quoted = {entry.message.id for turn in held for entry in turn.entries}
        elsewhere = {message.id for message in (*self._material.backlog, *self._material.pinned)}
        spare = self._material.most_retrieved - len(held)
        tried = []
        for turn in self._material.retrieved:
            told = [one for one in turn.messages if one.id in quoted or one.id not in elsewhere]
            is_held = any(one.id in quoted for one in told)
            if is_held or (told and spare > 0):
                tried.append(Turn(turn.number, tuple(told)))
                spare -= not is_held
        self._note_quoted("retrieved", tried, held)

    def _note_quoted(
        self, section: Section, candidates: Sequence[Turn], held: Sequence[TailTurn]
    ) -> None:
        quoted = {entry.message.id for turn in held for entry in turn.entries}
        heading = self._selection.section_cost
        for turn in map(TailTurn.of, candidates):
            for entry in turn.entries:
                cost = self._selection.quote_cost(entry.message)
                source, message = _source(entry.message), entry.message
                if not entry.text:
                    self._note(
                        section, source, 0, reasons.NO_WORDS, outcome="dropped", message=message
                    )
                elif message.id in quoted:
                    why = reasons.NAMED if section == "references" else reasons.RELEVANT
                    self._note(section, source, cost + heading, why, message=message)
                    heading = 0
                else:
                    self._note(
                        section, source, cost, OVER_BUDGET, outcome="dropped", message=message
                    )

    def _note_tail(self, unwanted: Sequence[TailTurn], left_out: Sequence[ExcludedMessage]) -> None:
        material = self._material
        if material.unread_from is not None:
            last = material.backlog[0].seq - 1
            self._note(
                "tail",
                f"messages {material.unread_from} to {last}",
                0,
                self._why_not_sent(last, reasons.NOT_EVEN_READ),
                outcome="dropped",
                seqs=(material.unread_from, last),
            )
        for turns, why in (
            (unwanted, reasons.OLDER_THAN_KEPT),
            (self._selection.dropped_turns, OVER_BUDGET),
        ):
            for turn in turns:
                for entry in turn.entries:
                    reason = self._why_not_sent(entry.message.seq, why)
                    self._note_entry("tail", entry, reason, outcome="dropped")
        heading = self._selection.tail_tokens
        for turn in self._selection.turns:
            self._heading, heading = self._selection.turn_tokens + heading, 0
            for entry in turn.entries:
                if entry.message.id in self._selection.shortened:
                    self._note_entry("tail", entry, reasons.SHORTENED, outcome="shortened")
                else:
                    self._note_entry("tail", entry, reasons.RECENT)
        for left in left_out:
            self._note(
                "tail",
                _source(left.message),
                0,
                left.reason,
                outcome="dropped",
                message=left.message,
            )

    def _why_not_sent(self, seq: int, why: Reason) -> Reason:
        is_covered = seq <= self._material.summary.through_seq
        return reasons.both(why, reasons.COVERED if is_covered else reasons.NOT_DIGESTED)

    def _note_entry(
        self,
        section: Section,
        entry: HistoryEntry,
        reason: Reason,
        *,
        outcome: Outcome = "included",
    ) -> None:
        cost = self._selection.entry_cost(entry) + self._heading
        self._heading = 0
        self._note(
            section, _source(entry.message), cost, reason, outcome=outcome, message=entry.message
        )
        for result in entry.results:
            self._note(
                section, _source(result), 0, reasons.WITH_ITS_CALL, outcome=outcome, message=result
            )

    def _note(
        self,
        section: Section,
        source: str,
        tokens: int,
        reason: Reason,
        *,
        outcome: Outcome = "included",
        message: Message | None = None,
        seqs: tuple[int, int] | None = None,
    ) -> None:
        if outcome == "dropped" and section == "tail" and message and message.id in self._quoted:
            return  # it is sent, as a pinned or a retrieved one
        first, last = (message.seq, message.seq) if message else seqs or (None, None)
        self.items.append(
            ReceiptItem(
                section=section,
                source=source,
                tokens=tokens,
                outcome=outcome,
                reason=reason,
                message_id=message.id if message else None,
                first_seq=first,
                last_seq=last,
            )
        )


def _source(message: Message) -> str:
    return f"message {message.seq} ({message.role})"
