"""Policies: when a conversation is digested, and what of it stays verbatim. Chosen by name.

The *backlog* is the messages that no summary covers yet. When it exceeds the policy's limit, its
older part is folded into a new version of the summary; the newest turns or messages stay verbatim.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal, cast

from recollect.core.errors import Misconfigured

Timing = Literal["background", "eager", "scheduled", "never"]
"""When a digest runs: in a job at once, inline for the caller, or in a job at a set time."""

MAX_POLICY_MESSAGES = 1_000
"""Upper bound for limits that count messages, because so many are read at once."""

Template = Literal["background", "entry", "tiers", "sections", "history"]
"""The headings of a context's sections and the order of its specification; see
`recall.context.layout`."""
Layout = Literal["seed", "cache"]
"""The order of a context's sections: that of the specification, or with everything that changes
from question to question at the end, so that providers can cache the prefix."""
RecallScope = Literal["conversation", "project", "user"]
"""Where retrieved passages may come from."""
SharedSection = Literal["summary", "memories", "pinned", "tail", "retrieved"]


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a budget that a section is sure of, and the part that it may grow to."""

    floor: float
    ceiling: float

    def __post_init__(self) -> None:
        if not 0 <= self.floor <= self.ceiling <= 1:
            raise Misconfigured(
                "A share needs a floor and a ceiling between 0 and 1, the floor not above the "
                f"ceiling (got {self.floor} and {self.ceiling})."
            )


SHARES: Mapping[SharedSection, Share] = {
    "summary": Share(0.10, 0.12),
    "memories": Share(0.03, 0.08),
    "pinned": Share(0.03, 0.20),
    "tail": Share(0.12, 0.15),
    "retrieved": Share(0.70, 0.75),
}
"""The default shares of a requested budget. Unused tokens flow to the other sections, first up to
their ceilings and then beyond; see `recall.context.shares`."""


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
    template: Template = "background"
    layout: Layout = "seed"
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
    retrieved_tokens: int = 1_500
    """Limit of retrieved passages if the request has no budget; 0 means that nothing is
    retrieved."""
    shares: Mapping[SharedSection, Share] = field(default_factory=lambda: SHARES)
    """Of a requested budget."""
    shorten_recent: bool = False
    """Whether long recent messages are shortened also if the request has no budget."""
    recall_scope: RecallScope = "user"
    memories: int = 10
    """Number of memories in a context, beside pinned ones; 0 means none."""
    summarizer_model: str | None = None
    retention: Retention | None = None

    def __post_init__(self) -> None:
        if self.shares.keys() != SHARES.keys():
            raise Misconfigured(
                f"The policy {self.name} needs a share for each of {', '.join(SHARES)}."
            )
        floors = sum(share.floor for share in self.shares.values())
        if floors > 1 + 1e-9:
            raise Misconfigured(
                f"The floors of the shares of the policy {self.name} add up to {floors:.2f}, "
                "more than 1."
            )
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
    memory_retrieval_token_budget: int = 1_500
    memory_share_summary: str = "0.10-0.12"
    memory_share_memories: str = "0.03-0.08"
    memory_share_pinned: str = "0.03-0.20"
    memory_share_recent: str = "0.12-0.15"
    memory_share_retrieved: str = "0.70-0.75"
    memory_shorten_recent: bool = False
    memory_recall_scope: str = "user"
    memory_layout: str = ""
    """Replaces the layout of every policy that retrieves."""
    summary_window_size: int = 30
    recent_message_count: int = 8
    compress_threshold: int = 20
    compression_model: str = "gpt-5-mini"
    target_summary_tokens: int = 500
    digest_timing: str = ""
    """Replaces the timing of every policy that digests."""


def _parse_share(variable: str, text: str) -> Share:
    match = re.fullmatch(r"\s*(\d*\.?\d+)\s*-\s*(\d*\.?\d+)\s*", text)
    if match is None:
        raise Misconfigured(
            f"{variable} must be a floor and a ceiling such as 0.10-0.25, not {text!r}."
        )
    try:
        return Share(float(match[1]), float(match[2]))
    except Misconfigured as error:
        raise Misconfigured(f"{variable} is {text!r}. {error}") from None


def _shares(settings: PolicySettings) -> dict[SharedSection, Share]:
    texts: dict[SharedSection, tuple[str, str]] = {
        "summary": ("MEMORY_SHARE_SUMMARY", settings.memory_share_summary),
        "memories": ("MEMORY_SHARE_MEMORIES", settings.memory_share_memories),
        "pinned": ("MEMORY_SHARE_PINNED", settings.memory_share_pinned),
        "tail": ("MEMORY_SHARE_RECENT", settings.memory_share_recent),
        "retrieved": ("MEMORY_SHARE_RETRIEVED", settings.memory_share_retrieved),
    }
    shares = {name: _parse_share(*text) for name, text in texts.items()}
    floors = sum(share.floor for share in shares.values())
    if floors > 1 + 1e-9:
        variables = ", ".join(variable for variable, _ in texts.values())
        raise Misconfigured(f"The floors of {variables} add up to {floors:.2f}, more than 1.")
    return shares


def presets(settings: PolicySettings) -> dict[str, Policy]:
    base = Policy(
        name="base",
        timing="never",
        summary_tokens=settings.memory_summary_token_cap,
        ledger_tokens=settings.memory_ledger_token_cap,
        pinned_tokens=settings.memory_pinned_token_cap,
        retrieved_tokens=settings.memory_retrieval_token_budget,
        shares=_shares(settings),
        shorten_recent=settings.memory_shorten_recent,
        recall_scope=cast(RecallScope, settings.memory_recall_scope),
        layout=cast(Layout, settings.memory_layout or "seed"),
        summarizer_model=settings.memory_summarizer_model,
    )
    digesting: tuple[Policy, ...] = (
        replace(
            base,
            name="chunked",
            template="background",
            layout=cast(Layout, settings.memory_layout or "cache"),
            timing="background",
            digest_over_tokens=settings.memory_chunk_summarize_threshold,
            keep_turns=settings.memory_k_raw_turns,
            fills_tail=settings.memory_fill_tail,
            prompt_tokens=settings.memory_prompt_token_budget,
        ),
        replace(
            base,
            name="window",
            template="entry",
            timing="eager",
            digest_over_messages=settings.summary_window_size,
            summary_is_entry=True,
            keep_messages=settings.summary_window_size - 1,
            retrieved_tokens=0,
            layout="seed",
        ),
        replace(
            base,
            name="tiered",
            template="tiers",
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
            template="sections",
            timing="background",
            digest_over_messages=20,
            keep_messages=10,
        ),
    )
    ephemeral = replace(
        base,
        name="ephemeral",
        template="history",
        keep_turns=10,
        retrieved_tokens=0,
        layout="seed",
        memories=0,
        retention=Retention(max_turns=10, max_age=timedelta(hours=24)),
    )
    if settings.digest_timing:
        timing = cast(Timing, settings.digest_timing)
        digesting = tuple(replace(policy, timing=timing) for policy in digesting)
    return {policy.name: policy for policy in (*digesting, ephemeral)}


PRESETS: Mapping[str, Policy] = presets(PolicySettings())
