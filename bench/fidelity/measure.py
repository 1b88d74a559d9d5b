"""Compacts the conversations in a real engine and measures which facts survive."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.fidelity.conversations import Fact, Planted
from recollect import MessageIn
from recollect.core import tokens
from recollect.core.days import format_day
from recollect.core.sanitize import render_ledger
from recollect.core.types import ExactValue, Message
from recollect.digest.summaries.days import annotate_days, replace_relative_days
from recollect.sync import Recollect

SUMMARY_CAP, LEDGER_CAP, BUDGET = 500, 250, 3_000
_USER = "bench"
_FIGURE = re.compile(r"\S*\d\S*")
_AROUND_FIGURES = ".,;:!?()[]\"'«»“”"


@dataclass(frozen=True, slots=True)
class Generation:
    number: int
    """Starts at 1, the generation with the facts."""
    survived: frozenset[Fact]
    unsupported: tuple[str, ...]
    summary: str
    ledger: str

    @property
    def summary_tokens(self) -> int:
        return tokens.count(self.summary)

    @property
    def ledger_tokens(self) -> int:
        return tokens.count(self.ledger)


def generations(planted: Planted, memory: Recollect) -> Iterator[Generation]:
    """Compacts after each part of the conversation, all but the turns that stay verbatim.

    A fact has survived if its exact value is in the context that is built then.
    """
    chat = memory.conversations.create_conversation(user_id=_USER, policy="chunked").id
    messages_so_far: list[Message] = []
    for number, messages in enumerate(planted.parts, start=1 - planted.before):
        drafts = [
            MessageIn(role=message.role, content=message.content, event_at=message.event_at)
            for message in messages
        ]
        messages_so_far += memory.conversations.add_messages(
            drafts, conversation_id=chat, user_id=_USER
        )
        summary = memory.summaries.compact(conversation_id=chat, user_id=_USER, force=True).summary
        assert summary is not None
        built = memory.contexts.build_context(
            "?", conversation_id=chat, user_id=_USER, budget=BUDGET, format="text"
        )
        assert built.text is not None
        assert built.receipt.memory_tokens <= BUDGET
        shown = _normal(built.text)
        yield Generation(
            number,
            frozenset(fact for fact in planted.facts if _normal(fact.value) in shown),
            tuple(_unsupported(summary.text, summary.ledger, messages_so_far)),
            summary.text,
            render_ledger(summary.ledger),
        )


def _unsupported(
    summary: str, ledger: Iterable[ExactValue], messages_so_far: Sequence[Message]
) -> Iterator[str]:
    """Return numbers of the summary and values of the ledger that no message contains.

    The day of a message and the days that it means by "yesterday" count as its content.
    """
    everything = "\n".join(
        form
        for message in messages_so_far
        for form in (
            format_day(message.event_at),
            message.content,
            annotate_days(message),
            replace_relative_days(message.content, message.event_at.date()),
        )
    )
    figures = [figure.strip(_AROUND_FIGURES) for figure in _FIGURE.findall(summary)]
    entries = [part for atom in ledger for part in (atom.value, atom.label)]
    yield from (part for part in figures + entries if part not in everything)


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()
