"""Folds turns into a summary, by a model whose answers are validated, or without a model.

The turns are split into chunks that fit the model's window; each chunk updates the summary. A
model's answer is accepted only if it passes `validation`. After a second rejection, or if the
window is too small, the extractive summarizer handles the chunk; it can only quote. Exact values
depend on neither: they are in the ledger.

Sentences that the user wrote into the summary come first, verbatim.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from importlib.resources import files

from recollect.core import tokens
from recollect.core.errors import ModelFailed, ModelRejected, ModelUnknown
from recollect.core.policy import DEFAULT_POLICY, PRESETS, Policy
from recollect.core.sanitize import TOOL_INTERACTION, escape_markers, truncate_middle
from recollect.core.turns import group_turns
from recollect.core.types import Author, Message, Role, Summary, Turn
from recollect.digest.summaries import extractive
from recollect.digest.summaries.days import annotate_turn, days_in, describe_turns
from recollect.digest.summaries.validation import find_fault
from recollect.language.sentences import split_sentences
from recollect.llm.openai import OpenAIChatModel
from recollect.llm.protocols import CallContext, CompletionModel, HostedPrompt, Reply
from recollect.llm.registry import FallbackModel, ModelRegistry

logger = logging.getLogger(__name__)

PROMPT_VERSION = "summary-2"
_PROMPT = files("recollect.digest").joinpath("prompts", "summary.md").read_text(encoding="utf-8")
_MAX_CHUNK_TOKENS = 16_000
_PROMPT_TOKENS = 400
_THINKING_TOKENS, _THINKING_MIN_WINDOW = 4_000, 32_000
_MAX_ATTEMPTS = 2
_FAILURES_BEFORE_PAUSE = 3
_PAUSE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTask:
    """Messages to fold into a previous summary. `deadline` is in seconds of `time.monotonic`."""

    previous: Summary
    user_text: str
    messages: Sequence[Message]
    cap: int
    call: CallContext
    deadline: float | None = None


class Summarizer:
    """Summarizes with `model`, with a hosted prompt first if given, else extractively."""

    def __init__(
        self,
        model: CompletionModel | None = None,
        *,
        hosted: HostedPrompt | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._hosted = hosted
        self._monotonic = monotonic
        self._failures = 0
        self._paused_until = 0.0

    async def fold(self, task: SummaryTask) -> Summary:
        """Return the summary with a new text and its origin; `tokens_in` and `tokens_out` add up.

        Never fails: the extractive summarizer is the fallback.
        """
        text = task.previous.text
        author: Author | None = None
        hosted: HostedPrompt | None = None
        tokens_in, tokens_out = task.previous.tokens_in, task.previous.tokens_out
        room = self._chunk_tokens(task.cap)
        turns = group_turns(task.messages)
        annotated = await asyncio.to_thread(_annotate, turns) if room else turns
        for chunk, annotated_chunk in _chunks(turns, annotated, room or _MAX_CHUNK_TOKENS):
            input = _Input(text, chunk, annotated_chunk, max_tokens=room)
            proposal = await self._ask(input, task) if room else None
            if proposal is None:
                text = await asyncio.to_thread(_quote, text, chunk, task)
                author = "extractive"
            else:
                reply, hosted = proposal
                text = with_user_text(reply.text, task.user_text)
                author = author or "model"
                tokens_in, tokens_out = tokens_in + reply.tokens_in, tokens_out + reply.tokens_out
        by_model = self._model if author == "model" else None
        prompt = f"{hosted.id}:{hosted.version or 'latest'}" if hosted else PROMPT_VERSION
        return replace(
            task.previous,
            text=text or TOOL_INTERACTION,
            author="model" if by_model else "extractive",
            model=by_model.model if by_model and not hosted else None,
            prompt_version=prompt if by_model else None,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
        )

    def _chunk_tokens(self, cap: int) -> int:
        """Return the input tokens per call; 0 if no model can be used, because it reads less than
        the summary may have."""
        window = self._model.window if self._model else 0
        room = min(_MAX_CHUNK_TOKENS, window - _PROMPT_TOKENS - cap - self._answer_tokens(cap))
        return room if room >= cap else 0

    def _answer_tokens(self, cap: int) -> int:
        """Return the output tokens per call, with room for reasoning in a large window."""
        window = self._model.window if self._model else 0
        return 2 * cap + (_THINKING_TOKENS if window >= _THINKING_MIN_WINDOW else 0)

    async def _ask(
        self, input: "_Input", task: SummaryTask
    ) -> tuple[Reply, HostedPrompt | None] | None:
        """Return a valid answer and the hosted prompt it used; None if there is none."""
        if self._model is None or self._monotonic() < self._paused_until:
            return None
        cap = task.cap - (tokens.count(task.user_text) + 2 if task.user_text else 0)
        for _ in range(_MAX_ATTEMPTS):
            if task.deadline is not None and self._monotonic() >= task.deadline:
                return None
            try:
                reply, hosted = await self._call(self._model, input, cap, task)
            except ModelFailed as error:
                self._note_failure(error)
                return None
            self._failures = 0
            fault = await asyncio.to_thread(
                find_fault, reply, input.annotated_text, cap=cap, days=input.days
            )
            if fault is None:
                return reply, hosted
            logger.warning(
                "summary.rejected",
                extra={
                    "conversation_id": task.call.conversation_id,
                    "reason": fault.partition(":")[0],  # the rest quotes the model
                },
            )
        return None

    async def _call(
        self, model: CompletionModel, input: "_Input", cap: int, task: SummaryTask
    ) -> tuple[Reply, HostedPrompt | None]:
        hosted = self._hosted
        if hosted and isinstance(model, OpenAIChatModel | FallbackModel):
            try:
                reply = await model.complete_hosted(
                    hosted,
                    input.text,
                    call=task.call,
                    timeout_seconds=self._remaining_seconds(task),
                )
            except ModelRejected as error:  # the built-in prompt is as good
                logger.warning(
                    "summary.hosted_prompt_rejected", extra={"reason": error.log_message}
                )
                if isinstance(error, ModelUnknown):  # the account does not have the prompt
                    self._hosted = None
            else:
                return reply, hosted
        messages = [
            {
                "role": "system",
                "content": _PROMPT.format(max_tokens=cap, days=describe_turns(input.turns)),
            },
            {"role": "user", "content": input.annotated_text},
        ]
        reply = await model.complete(
            messages,
            call=task.call,
            max_tokens=self._answer_tokens(cap),
            timeout_seconds=self._remaining_seconds(task),
        )
        return reply, None

    def _remaining_seconds(self, task: SummaryTask) -> float | None:
        return None if task.deadline is None else max(0.1, task.deadline - self._monotonic())

    def _note_failure(self, error: ModelFailed) -> None:
        """Count a failure; after several, pause the model, so that not every call waits for it."""
        logger.warning("summary.model_failed", extra={"reason": error.log_message})
        self._failures += 1
        if self._failures >= _FAILURES_BEFORE_PAUSE:
            self._failures = 0
            self._paused_until = self._monotonic() + _PAUSE_SECONDS


class SummarizerSelector:
    """Selects the summarizer of a policy.

    The presets name OpenAI's models, as their specifications do. So a preset's model is used on
    OpenAI's own endpoint if the account has it, a configured model on every endpoint, and else the
    chat model itself. The same holds for the hosted prompt.
    """

    def __init__(
        self, models: ModelRegistry, *, default_policy: Policy, hosted_prompt: HostedPrompt | None
    ) -> None:
        self._models = models
        self._default_policy = default_policy
        self._hosted_prompt = hosted_prompt
        self._summarizers: dict[str, Summarizer] = {}

    def get(self, policy: Policy) -> Summarizer:
        if policy.name not in self._summarizers:
            model = self._model(policy)
            hosted = self._hosted_prompt if policy.name == DEFAULT_POLICY else None
            self._summarizers[policy.name] = Summarizer(model, hosted=hosted)
        return self._summarizers[policy.name]

    def extraction_model(self) -> CompletionModel | None:
        """Return the model that finds topics and memories."""
        return self._model(self._default_policy)

    def _model(self, policy: Policy) -> CompletionModel | None:
        preset, name = PRESETS.get(policy.name), policy.summarizer_model
        is_configured = preset is None or preset.summarizer_model != name
        if is_configured:
            return self._models.summarizer(name)
        return self._models.summarizer(name if self._models.is_openai else None, with_fallback=True)


def _quote(previous: str, turns: Sequence[Turn], task: SummaryTask) -> str:
    """Return an extractive summary that is not longer than what it replaces, with days."""
    size = tokens.count(f"{task.user_text}\n{previous}")
    size += sum(tokens.count(format_turn(1, turn)) for turn in _annotate(turns))
    cap = min(task.cap, size)
    return extractive.summarize(previous, turns, cap_tokens=cap, keep=task.user_text)


def _annotate(turns: Sequence[Turn]) -> list[Turn]:
    return [annotate_turn(turn) for turn in turns]


def _chunks(
    turns: Sequence[Turn], annotated: Sequence[Turn], room: int
) -> Iterator[tuple[Sequence[Turn], Sequence[Turn]]]:
    """Yield whole turns that fit into one call together, as they are and annotated."""
    start = size = 0
    for index, turn in enumerate(annotated):
        length = min(room, tokens.count(format_turn(1, turn)))
        if index > start and size + length > room:
            yield turns[start:index], annotated[start:index]
            start, size = index, 0
        size += length
    if start < len(turns):
        yield turns[start:], annotated[start:]


class _Input:
    """The input of one call: the specification's for a hosted prompt, annotated for ours."""

    def __init__(
        self, previous: str, turns: Sequence[Turn], annotated: Sequence[Turn], *, max_tokens: int
    ) -> None:
        self.turns = turns
        self._previous = previous
        self._annotated = annotated
        self._max_tokens = max_tokens

    @cached_property
    def text(self) -> str:
        return format_input(self._previous, self.turns, max_tokens=self._max_tokens)

    @cached_property
    def annotated_text(self) -> str:
        return format_input(self._previous, self._annotated, max_tokens=self._max_tokens)

    @cached_property
    def days(self) -> set[date]:
        return days_in(self.turns)


def format_input(previous: str, turns: Sequence[Turn], *, max_tokens: int) -> str:
    """Return the summarizer's input, in the format of the specification."""
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
    """Return one turn of the input; `max_tokens` truncates its messages."""
    lines = [f"Turn {number}:"]
    for speaker, roles in _SPEAKERS:
        by_speaker = [message for message in turn.messages if message.role in roles]
        if not by_speaker:
            continue
        text = "\n\n".join(
            message.content
            for message in by_speaker
            if message.content.strip() and message.role != "tool"
        )
        if max_tokens is not None:
            text = truncate_middle(text, max(1, max_tokens // 2 - 10))
        lines.append(f"{speaker}: {escape_markers(text) or TOOL_INTERACTION}")
    return "\n".join(lines)


def with_user_text(text: str, user_text: str) -> str:
    """Return a summary that starts with the user's text."""
    text = text.strip()
    if text.startswith(user_text):
        return text
    repeated = [line for line in user_text.splitlines() if line.strip()]
    rest = "\n".join(line for line in text.splitlines() if line.strip() not in repeated)
    return f"{user_text}\n{rest}".strip()


def find_user_text(before: Summary, text: str) -> str:
    """Return the sentences of an edited summary that the user wrote, now or in an earlier edit."""
    known = set(split_sentences(before.text))
    earlier = set(split_sentences(before.user_text))
    return "\n".join(
        sentence
        for sentence in split_sentences(text)
        if sentence not in known or sentence in earlier
    )


def truncate_user_text(user_text: str, cap: int) -> str:
    """Return as many of the user's sentences as fit into half the cap."""
    taken: list[str] = []
    for sentence in split_sentences(user_text):
        if tokens.count("\n".join([*taken, sentence])) <= cap // 2:
            taken.append(sentence)
    return "\n".join(taken)
