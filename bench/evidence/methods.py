"""Ways to build a context for a question within a number of tokens."""

import json
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.evidence.recordings import CHAT, RecordedChat
from bench.evidence.scoring import count_tokens, cut, fold, quotable
from recollect import MessageIn
from recollect.core.types import Summary

HITS = 50
"""Search hits that a naive context is packed from."""
HIT_TOKENS = 300
_BEGINNING_CHARS = 30
_VALUES = "\nExact values:\n"
"""Heading of the exact values in a summary."""


@dataclass(frozen=True, slots=True)
class Built:
    text: str
    tokens: int
    """Counted by o200k, without the question."""
    seconds: float
    recalls: bool
    """Whether anything was retrieved for the question."""
    missing: tuple[str, ...] = ()
    """Which of summary, exact values and last turn it lacks."""


Method = Callable[[RecordedChat, str, int], Coroutine[Any, Any, Built]]
"""Gets the chat, the question and the budget."""


async def ours(chat: RecordedChat, question: str, budget: int) -> Built:
    before = time.perf_counter()
    context = await chat.memory.contexts.build_context(
        question, conversation_id=CHAT, user_id=chat.person.name, budget=budget
    )
    seconds = time.perf_counter() - before
    sent = context.messages[:-1]  # the last one is the question
    text = context_text(sent)
    summary: Summary = await chat.memory.summaries.get_summary(
        conversation_id=CHAT, user_id=chat.person.name
    )
    kept = [item for item in context.receipt.items if item.outcome != "dropped"]
    return Built(
        text=text,
        tokens=count_tokens(text),
        seconds=seconds,
        recalls=any(item.section == "retrieved" for item in kept),
        missing=missing_parts(
            sent,
            summary=summary.text,
            values=[fact.value for fact in summary.ledger],
            last_turn=last_turn(chat.messages),
        ),
    )


async def naive(chat: RecordedChat, question: str, budget: int) -> Built:
    """Pack the beginnings of search hits, and nothing else."""
    before = time.perf_counter()
    hits = await chat.memory.recall.search(
        question, user_id=chat.person.name, conversation_id=CHAT, limit=HITS
    )
    texts = [*chat.texts.values()]
    text = pack((texts[(hit.seq or 0) - 1] for hit in hits), budget)
    seconds = time.perf_counter() - before
    return Built(text, count_tokens(text), seconds, recalls=bool(hits))


def pack(texts: Iterable[str], budget: int) -> str:
    """Join the beginnings of the texts, best first, until the budget is used up."""
    packed: list[str] = []
    room = budget
    for text in texts:
        if room < 2:  # a token and a line break
            break
        packed.append(cut(text, min(HIT_TOKENS, room - 1)) + "\n")
        room -= count_tokens(packed[-1])
    return "".join(packed)


def context_text(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return everything that the model reads of the messages."""
    return "\n".join(part for message in messages for part in _parts(message))


def _parts(message: Mapping[str, Any]) -> Iterable[str]:
    content = message.get("content") or ""
    if isinstance(content, str):
        yield content
    else:
        yield from (part["text"] for part in content if "text" in part)
    for call in message.get("tool_calls") or ():
        yield json.dumps(call["function"], ensure_ascii=False)


def missing_parts(
    sent: Sequence[Mapping[str, Any]],
    *,
    summary: str,
    values: Sequence[str],
    last_turn: Iterable[str],
) -> tuple[str, ...]:
    """Return which of summary, exact values and last turn the messages lack.

    A shortened message still has its beginning, a shortened summary some of its sentences. Exact
    values count below their heading only: a quote may contain the same value.
    """
    system = [context_text([one]) for one in sent if one["role"] == "system"]
    spoken = fold(context_text(one for one in sent if one["role"] != "system"))
    above, _, below = "\n".join(system).partition(_VALUES)
    shown, _, _ = below.partition("\n\n")
    missing = []
    if summary and not any(part in fold(above) for part in quotable(summary)):
        missing.append("summary")
    if values and not any(fold(value) in fold(shown) for value in values):
        missing.append("exact values")
    if not all(fold(text)[:_BEGINNING_CHARS] in spoken for text in last_turn):
        missing.append("last turn")
    return tuple(missing)


def last_turn(messages: Sequence[MessageIn]) -> list[str]:
    """Return the texts of the last user message and of everything after it."""
    last = max(n for n, message in enumerate(messages) if message.role == "user")
    return [message.content for message in messages[last:] if message.content]
