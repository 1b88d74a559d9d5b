"""Ways to build a context for a question within a number of tokens."""

import json
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.evidence.recordings import CHAT, RecordedChat
from bench.evidence.scoring import count_tokens, cut, fold
from recollect.core.types import Summary
from recollect.recall.context.types import MessagesContext

HITS = 50
"""Search hits that a naive context is packed from."""
HIT_TOKENS = 300
_BEGINNING_CHARS = 30


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
    text = context_text(context.messages)
    recalls = any(
        item.section == "retrieved" and item.outcome == "included" for item in context.receipt.items
    )
    return Built(
        text=text,
        tokens=count_tokens(context_text(context.messages[:-1])),
        seconds=seconds,
        recalls=recalls,
        missing=(*await _missing(chat, context, fold(text)),),
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
    packed = ""
    for text in texts:
        room = budget - count_tokens(packed) - 1
        if room < 1:
            break
        packed += cut(text, min(HIT_TOKENS, room)) + "\n"
    return packed


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


async def _missing(chat: RecordedChat, context: MessagesContext, text: str) -> Iterable[str]:
    summary: Summary = await chat.memory.summaries.get_summary(
        conversation_id=CHAT, user_id=chat.person.name
    )
    sections = {item.section for item in context.receipt.items if item.outcome != "dropped"}
    missing = []
    if summary.text and "summary" not in sections:
        missing.append("summary")
    if summary.ledger and not any(fold(fact.value) in text for fact in summary.ledger):
        missing.append("exact values")
    if not all(fold(part)[:_BEGINNING_CHARS] in text for part in _last_turn(chat)):
        missing.append("last turn")
    return missing


def _last_turn(chat: RecordedChat) -> list[str]:
    """Return the texts of the last user message and of everything after it."""
    messages = [*chat.messages]
    last = max(n for n, message in enumerate(messages) if message.role == "user")
    return [message.content for message in messages[last:] if message.content]
