"""Policies: when a conversation is digested, and what of it stays verbatim. Chosen by name.

The *backlog* is the messages that no summary covers yet. When it exceeds the policy's limit, its
older part is folded into a new version of the summary; the newest turns or messages stay verbatim.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal, cast

from recollect.core.errors import Misconfigured

Timing = Literal["background", "eager", "scheduled", "never"]
"""When a digest runs: in a job at once, inline for the caller, or in a job at a set time."""

MAX_POLICY_MESSAGES = 1_000
"""Upper bound for limits that count messages, because so many are read at once."""

Layout = Literal["background", "entry", "tiers", "sections", "history"]
"""The headings and the order of a context's sections; see `recall.context.layout`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Keep at most `max_turns` turns, none older than `max_age`."""

    max_turns: int
    max_age: timedelta

    def __post_init__(self) -> None:
        if self.max_turns < 1 or self.max_age <= timedelta(0):
            raise Misconfigured(
                "A retention needs a max_turns of at least 1 and a max_age above 0 "
                f"(got {self.max_turns} and {self.max_age})."
            )

    def with_one_more(self) -> "Retention":
        """While a turn waits for its answer: the model sees all kept turns and the new one."""
        return replace(self, max_turns=self.max_turns + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The size of a conversation's backlog, and of its summary."""

    turns: int
    messages: int
    tokens: int
    summary_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Token limits are counted by `recollect.core.tokens`."""

    name: str
    layout: Layout = "background"
    timing: Timing = "background"
    eager_at: Literal["append", "context"] = "append"
    """When an eager digest runs: after an append, or before a context is built."""
    digest_over_tokens: int | None = None
    """Limit of summary and backlog together; only applies to more than `keep_turns` turns."""
    digest_over_messages: int | None = None
    summary_is_entry: bool = False
    """Whether the summary counts as one of the messages."""
    keep_turns: int | None = None
    keep_messages: int | None = None
    fills_tail: bool = True
    """Whether free room in the prompt is filled with older turns of the backlog."""
    prompt_tokens: int | None = None
    """Limit of memory in a prompt; None means the model's window."""
    summary_tokens: int = 500
    ledger_tokens: int = 250
    pinned_tokens: int = 1_000
    retrieved_turns: int = 3
    memories: int = 10
    """Number of memories in a context, beside pinned ones; 0 means none."""
    summarizer_model: str | None = None
    retention: Retention | None = None

    def __post_init__(self) -> None:
        limits = [self.digest_over_tokens, self.digest_over_messages]
        kept = [self.keep_turns, self.keep_messages]
        if self.timing != "never" and (limits.count(None) != 1 or kept.count(None) != 1):
            raise Misconfigured(
                f"The policy {self.name} needs one limit and one number to keep verbatim."
            )
        if any(number is not None and number < 1 for number in (*limits, *kept)):
            raise Misconfigured(f"The limits of the policy {self.name} must be at least 1.")
        over, keep = self.digest_over_messages, self.keep_messages
        if (over or 0) > MAX_POLICY_MESSAGES or (keep or 0) >= MAX_POLICY_MESSAGES:
            raise Misconfigured(
                f"The policy {self.name} may have a digest_over_messages of at most "
                f"{MAX_POLICY_MESSAGES:,}, and a keep_messages below that."
            )
        if over is not None and keep is not None and keep >= over:
            raise Misconfigured(f"The policy {self.name} must keep fewer messages than its limit.")

    def is_due(self, backlog: Backlog) -> bool:
        """Whether the backlog exceeds the limit."""
        if self.timing == "never":
            return False
        if self.digest_over_tokens is not None:
            size = backlog.summary_tokens + backlog.tokens
            return size > self.digest_over_tokens and backlog.turns > (self.keep_turns or 0)
        assert self.digest_over_messages is not None
        entries = backlog.messages
        if self.summary_is_entry and backlog.summary_tokens:
            entries += 1
        return entries > self.digest_over_messages


def find_policy(policies: Mapping[str, Policy], name: str) -> Policy:
    """Return a policy by name; an unknown name gets a policy that never digests."""
    return policies.get(name) or Policy(name=name, timing="never")


DEFAULT_POLICY = "chunked"
HISTORY_POLICY = "ephemeral"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySettings:
    """The policy numbers that a deployment can set, under the names of the specifications."""

    memory_k_raw_turns: int = 3
    memory_summary_token_cap: int = 500
    memory_prompt_token_budget: int = 3_000
    memory_chunk_summarize_threshold: int = 6_000
    memory_summarizer_model: str = "gpt-5.1-nano"
    memory_fill_tail: bool = True
    memory_ledger_token_cap: int = 250
    memory_pinned_token_cap: int = 1_000
    summary_window_size: int = 30
    recent_message_count: int = 8
    compress_threshold: int = 20
    compression_model: str = "gpt-5-mini"
    target_summary_tokens: int = 500
    digest_timing: str = ""
    """Replaces the timing of every policy that digests."""


def presets(settings: PolicySettings) -> dict[str, Policy]:
    base = Policy(
        name="base",
        timing="never",
        summary_tokens=settings.memory_summary_token_cap,
        ledger_tokens=settings.memory_ledger_token_cap,
        pinned_tokens=settings.memory_pinned_token_cap,
        summarizer_model=settings.memory_summarizer_model,
    )
    digesting: tuple[Policy, ...] = (
        replace(
            base,
            name="chunked",
            layout="background",
            timing="background",
            digest_over_tokens=settings.memory_chunk_summarize_threshold,
            keep_turns=settings.memory_k_raw_turns,
            fills_tail=settings.memory_fill_tail,
            prompt_tokens=settings.memory_prompt_token_budget,
        ),
        replace(
            base,
            name="window",
            layout="entry",
            timing="eager",
            digest_over_messages=settings.summary_window_size,
            summary_is_entry=True,
            keep_messages=settings.summary_window_size - 1,
            retrieved_turns=0,
        ),
        replace(
            base,
            name="tiered",
            layout="tiers",
            timing="eager",
            eager_at="context",
            digest_over_messages=settings.compress_threshold,
            keep_messages=settings.recent_message_count,
            summary_tokens=settings.target_summary_tokens,
            summarizer_model=settings.compression_model,
        ),
        replace(
            base,
            name="rolling",
            layout="sections",
            timing="background",
            digest_over_messages=20,
            keep_messages=10,
        ),
    )
    ephemeral = replace(
        base,
        name="ephemeral",
        layout="history",
        keep_turns=10,
        retrieved_turns=0,
        memories=0,
        retention=Retention(max_turns=10, max_age=timedelta(hours=24)),
    )
    if settings.digest_timing:
        timing = cast(Timing, settings.digest_timing)
        digesting = tuple(replace(policy, timing=timing) for policy in digesting)
    return {policy.name: policy for policy in (*digesting, ephemeral)}


PRESETS: Mapping[str, Policy] = presets(PolicySettings())
