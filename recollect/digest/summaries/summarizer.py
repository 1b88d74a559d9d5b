"""Folding turns into a summary: by a model whose answer is checked, or without one.

The turns are cut into chunks that fit the summarizer's window, and each chunk turns the summary so
far into the next. What a model answers is a proposal: it is taken only if it is finished, within
the cap, shorter than what it replaces, free of tool and reasoning text, repeats something of what
it was given, and says no number that nobody said. After a second try, and where the model's window
is too small, the extractive summarizer does the chunk, which can only repeat.
Exact values do not depend on either: they are in the ledger.

What a user wrote into the summary stands first, word for word, whoever wrote the rest.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from recollect.core import tokens
from recollect.core.errors import ModelFailed, ModelRejected, ModelUnknown
from recollect.core.sanitize import TOOL_INTERACTION, escape_markers, truncate_middle
from recollect.core.turns import group_turns
from recollect.core.types import Author, Message, Role, Turn
from recollect.digest.summaries import extractive
from recollect.digest.summaries.validation import find_fault
from recollect.llm.protocols import CallContext, ChatModel, HostedPrompt, Reply

logger = logging.getLogger(__name__)

PROMPT_VERSION = "summary-1"
_LARGEST_CHUNK = 16_000
_PROMPT_ROOM = 400
_THINKING_ROOM, _ROOMY = 4_000, 32_000
_TRIES = 2
_FAILURES_BEFORE_PAUSE = 3
_PAUSE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A summary that may be committed, and where it came from."""

    text: str
    author: Author
    model: str | None = None
    prompt_version: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be folded into what. `deadline` is in seconds of `time.monotonic`."""

    previous: str
    kept: str
    messages: Sequence[Message]
    cap: int
    purpose: CallContext
    deadline: float | None = None


class Summarizer:
    """Asks `model` where there is one. With a hosted prompt, that is tried first."""

    def __init__(
        self,
        model: ChatModel | None = None,
        *,
        hosted: HostedPrompt | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._hosted = hosted
        self._monotonic = monotonic
        self._failures = 0
        self._paused_until = 0.0

    async def fold(self, task: Task) -> Draft:
        """Never fails: what no model does is done without one."""
        text = task.previous
        author: Author | None = None
        hosted: HostedPrompt | None = None
        tokens_in = tokens_out = 0
        room = self._chunk_tokens(task.cap)
        for chunk in _chunks(group_turns(task.messages), room or _LARGEST_CHUNK):
            proposal = await self._ask(text, chunk, task, room) if room else None
            if proposal is None:
                text = await asyncio.to_thread(
                    extractive.summarize,
                    text,
                    chunk,
                    cap_tokens=min(task.cap, _size(chunk) + tokens.count(f"{task.kept}\n{text}")),
                    keep=task.kept,
                )
                author = "extractive"
            else:
                reply, hosted = proposal
                text = with_kept(reply.text, task.kept)
                author = author or "model"
                tokens_in, tokens_out = tokens_in + reply.tokens_in, tokens_out + reply.tokens_out
        text = text or TOOL_INTERACTION
        by_model = self._model if author == "model" else None
        return Draft(
            text=text,
            author="model" if by_model else "extractive",
            model=by_model.variant.model if by_model and not hosted else None,
            prompt_version=_prompt_version(hosted) if by_model else None,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
        )

    def _chunk_tokens(self, cap: int) -> int:
        """0 where no model can be asked: what it reads at once must be more than what is left."""
        window = self._model.variant.window if self._model else 0
        room = min(_LARGEST_CHUNK, window - _PROMPT_ROOM - cap - self._answer_room(cap))
        return room if room >= cap else 0

    def _answer_room(self, cap: int) -> int:
        """Where there is room, a model may think before it writes."""
        window = self._model.variant.window if self._model else 0
        return 2 * cap + (_THINKING_ROOM if window >= _ROOMY else 0)

    async def _ask(
        self, previous: str, chunk: Sequence[Turn], task: Task, room: int
    ) -> tuple[Reply, HostedPrompt | None] | None:
        """The model's answer if it can be used, and whose prompt it was, else None."""
        if self._model is None or self._monotonic() < self._paused_until:
            return None
        given = format_input(previous, chunk, max_tokens=room)
        cap = task.cap - (tokens.count(task.kept) + 2 if task.kept else 0)
        for _ in range(_TRIES):
            if task.deadline is not None and self._monotonic() >= task.deadline:
                return None
            try:
                reply, hosted = await self._call(self._model, given, cap, task)
            except ModelFailed as error:
                self._note_failure(error)
                return None
            self._failures = 0
            fault = await asyncio.to_thread(find_fault, reply, given, cap=cap)
            if fault is None:
                return reply, hosted
            logger.warning(
                "summary_refused",
                extra={
                    "conversation_id": task.purpose.conversation_id,
                    "reason": fault.partition(":")[0],  # what follows is the model's
                },
            )
        return None

    async def _call(
        self, model: ChatModel, given: str, cap: int, task: Task
    ) -> tuple[Reply, HostedPrompt | None]:
        if hosted := self._hosted:
            try:
                reply = await model.complete_hosted(
                    hosted, given, purpose=task.purpose, timeout=self._time_left(task)
                )
            except ModelRejected as error:  # ours does as well
                logger.warning("hosted_prompt_refused", extra={"reason": error.unquoted})
                if isinstance(error, ModelUnknown):  # not this account's prompt
                    self._hosted = None
            else:
                return reply, hosted
        messages = [
            {"role": "system", "content": _prompt().format(max_tokens=cap)},
            {"role": "user", "content": given},
        ]
        reply = await model.complete(
            messages,
            purpose=task.purpose,
            max_tokens=self._answer_room(cap),
            timeout=self._time_left(task),
        )
        return reply, None

    def _time_left(self, task: Task) -> float | None:
        return None if task.deadline is None else max(0.1, task.deadline - self._monotonic())

    def _note_failure(self, error: ModelFailed) -> None:
        """A model that is down is left alone for a while, so that nobody waits for it each time."""
        logger.warning("summarizer_failed", extra={"reason": error.unquoted})
        self._failures += 1
        if self._failures >= _FAILURES_BEFORE_PAUSE:
            self._failures = 0
            self._paused_until = self._monotonic() + _PAUSE_SECONDS


def _prompt_version(hosted: HostedPrompt | None) -> str:
    return f"{hosted.id}:{hosted.version or 'latest'}" if hosted else PROMPT_VERSION


def _chunks(turns: Sequence[Turn], room: int) -> Iterator[list[Turn]]:
    """Whole turns that fit together into one call."""
    chunk: list[Turn] = []
    size = 0
    for turn in turns:
        length = min(room, tokens.count(format_turn(1, turn)))
        if chunk and size + length > room:
            yield chunk
            chunk, size = [], 0
        chunk.append(turn)
        size += length
    if chunk:
        yield chunk


def _size(turns: Sequence[Turn]) -> int:
    return sum(message.tokens for turn in turns for message in turn.messages)


def format_input(previous: str, turns: Sequence[Turn], *, max_tokens: int) -> str:
    """The input that a summarizer is given, hosted or not: its form is fixed."""
    parts = [format_turn(number, turn) for number, turn in enumerate(turns, start=1)]
    if sum(map(tokens.count, parts)) > max_tokens:
        parts = [
            format_turn(number, turn, max_tokens=max_tokens // len(turns))
            for number, turn in enumerate(turns, start=1)
        ]
    new_turns = "\n\n".join(parts)
    return (
        f"=== EXISTING_SUMMARY ===\n{escape_markers(previous) or 'NONE'}\n"
        "=== END_EXISTING_SUMMARY ===\n\n"
        f"=== NEW_TURNS ===\n{new_turns}\n=== END_NEW_TURNS ==="
    )


_SPEAKERS: tuple[tuple[str, tuple[Role, ...]], ...] = (
    ("System", ("system",)),
    ("User", ("user",)),
    ("Assistant", ("assistant", "tool")),
)


def format_turn(number: int, turn: Turn, *, max_tokens: int | None = None) -> str:
    """One turn of the input. `max_tokens` clamps what was said, for the summarizer only."""
    lines = [f"Turn {number}:"]
    for speaker, roles in _SPEAKERS:
        spoken = [message for message in turn.messages if message.role in roles]
        if not spoken:
            continue
        said = "\n\n".join(
            message.content
            for message in spoken
            if message.content.strip() and message.role != "tool"
        )
        if max_tokens is not None:
            said = truncate_middle(said, max(1, max_tokens // 2 - 10))
        lines.append(f"{speaker}: {escape_markers(said) or TOOL_INTERACTION}")
    return "\n".join(lines)


def with_kept(text: str, kept: str) -> str:
    """A summary that opens with what the user wrote."""
    text = text.strip()
    if text.startswith(kept):
        return text
    repeated = [line for line in kept.splitlines() if line.strip()]
    rest = "\n".join(line for line in text.splitlines() if line.strip() not in repeated)
    return f"{kept}\n{rest}".strip()


@cache
def _prompt() -> str:
    return (files("recollect.digest") / "prompts" / "summary.md").read_text(encoding="utf-8")
