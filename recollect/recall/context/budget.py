"""Fit the memory part of a context into its token budget.

A budget in the request is divided by shares: each section is fitted into its part, and long recent
messages lose their middle before passages and older turns are given up. Without one, the prompt
budget of the policy bounds everything but the retrieved passages, which have a budget beside it; it
is kept in the order of specification 002: the oldest turns go, down to one, then the summary is
cut. Pinned memories, the last turn and pinned messages go last, except those that could not stay
even alone: they go before anything else has to make room for them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from recollect.core.policy import Policy, Share, SharedSection
from recollect.core.sanitize import escape_markers, render_ledger
from recollect.language.sentences import split_sentences
from recollect.language.summary_lines import drop_oldest_sentences, newest_sentence
from recollect.recall.context.selection import Selection
from recollect.recall.context.shares import divide, floors
from recollect.recall.context.tail import (
    drop_oldest_tool_calls,
    drop_oldest_turns,
    fit_tail,
    min_tail_cost,
    shorten_tail,
)
from recollect.recall.context.types import ContextRequest

_LEDGER_SHARE = 0.4
"""Of the tokens of a summary that has to be cut, for its exact values."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens that the memory part may take: `total` with the retrieved passages, `retrieved` for
    them alone if they have a budget of their own."""

    total: int
    retrieved: int | None = None
    is_shared: bool = False
    """Whether the total is divided by the shares of the policy."""

    def within(self, room: int) -> "Limits":
        total = max(0, min(self.total, room))
        retrieved = None if self.retrieved is None else min(self.retrieved, total)
        return Limits(total, retrieved, self.is_shared)

    def retrieved_share(self, shares: Mapping[SharedSection, Share]) -> int:
        """Return the tokens that retrieved passages are sure of."""
        if self.retrieved is not None:
            return self.retrieved
        return floors(self.total, shares)["retrieved"]

    def reduced(self, tokens: int) -> "Limits":
        return self.within(self.total - tokens)


def memory_limits(policy: Policy, request: ContextRequest) -> Limits:
    room = request.room
    if request.has_tools:
        room -= room // 4  # for their results
    if request.mode == "full":
        return Limits(room)
    if request.budget is not None:
        return Limits(min(request.budget, room), is_shared=policy.retrieved_tokens > 0)
    prompt = min(policy.prompt_tokens or room, room)
    if not policy.retrieved_tokens:
        return Limits(prompt)
    total = min(prompt + policy.retrieved_tokens, room)
    return Limits(total, policy.retrieved_tokens, is_shared=policy.shorten_recent)


def fit(selection: Selection, limits: Limits, policy: Policy, *, is_cacheable: bool) -> None:
    """Drop and shorten until the selection is within the limits."""
    limit = limits.total - (limits.retrieved or 0)
    if limits.is_shared:
        fit_by_shares(selection, limits, policy, is_cacheable=is_cacheable)
    else:
        block = limit // 2 if is_cacheable else 0
        fit_in_order(selection, limit, keep_turns=policy.keep_turns, block=block)
    rest = limits.total - selection.tokens()
    room = rest if limits.retrieved is None else min(rest, limits.retrieved)
    selection.take_passages(room, share=limits.retrieved_share(policy.shares))


def fit_by_shares(
    selection: Selection, limits: Limits, policy: Policy, *, is_cacheable: bool
) -> None:
    """Divide the limit among the sections, and fit each into its part. What a section leaves flows
    to the next; the caller takes passages with what is left at the end."""
    limit = limits.total - (limits.retrieved or 0)
    shares = policy.shares
    turns, dropped = list(selection.turns), list(selection.dropped_turns)
    shortened = set(selection.shortened_ids)
    needs: dict[SharedSection, int] = {
        "summary": selection.summary_cost(),
        "memories": selection.memories_cost(),
        "pinned": selection.pins_cost() + selection.referenced_cost(),
        "tail": selection.tail_cost(),
        "retrieved": limit if selection.passages and limits.retrieved is None else 0,
    }
    min_tail = min_tail_cost(selection)
    granted = divide(limit, needs, shares, min_tail=min_tail)
    block = limit // 4 if is_cacheable else 0
    fit_tail(selection, granted["tail"], block=block)
    if needs["retrieved"]:
        # Only now is it known which passages the tail shows, and so how much the others need.
        selection.take_passages(limit, share=limits.retrieved_share(shares))
        needs["retrieved"] = selection.passages_cost(selection.taken_passages)
        selection.taken_passages = []
        granted = divide(limit, needs, shares, min_tail=min_tail)
    fit_summary(selection, granted["summary"])
    _fit_memories(selection, granted["memories"])
    _fit_pins(selection, granted["pinned"])
    unused = sum(granted[name] for name in ("summary", "memories", "pinned"))
    unused -= selection.tokens() - selection.tail_cost()
    selection.turns, selection.dropped_turns = turns, dropped
    selection.shortened_ids = shortened
    fit_tail(selection, granted["tail"] + max(0, unused), block=block)


def fit_summary(selection: Selection, tokens: int) -> None:
    """Cut exact values and sentences until the summary with its heading has at most `tokens`."""
    if selection.summary_cost() <= tokens:
        return
    count = selection.count
    room = tokens - selection.headings["summary"] - count("\n\nExact values:\n")
    prose = count(selection.summary_text)
    values = max(int(room * _LEDGER_SHARE), room - prose)
    newest = count(newest_sentence(selection.summary_text))
    if newest < room:  # a sentence of the summary comes before its exact values
        values = min(values, room - newest)
    ranked = sorted(selection.ledger, key=lambda value: (value.weight, value.seq))
    while selection.ledger and count(escape_markers(render_ledger(selection.ledger))) > values:
        selection.ledger.remove(ranked.pop(0))
    if selection.summary_cost() > tokens:
        rest = selection.summary_cost() - count(selection.summary_text)
        shorten_summary(selection, fits=lambda text: rest + count(text) <= tokens)
    while selection.summary_cost() > tokens and shorten_summary(selection):
        pass
    while selection.summary_cost() > tokens and _drop_exact_value(selection):
        pass


def _fit_memories(selection: Selection, tokens: int) -> None:
    while selection.memories_cost() > tokens:
        if not (_drop_memory(selection, pinned=False) or _drop_memory(selection, pinned=True)):
            break


def _fit_pins(selection: Selection, tokens: int) -> None:
    while selection.pins_cost() + selection.referenced_cost() > tokens:
        if selection.referenced:
            selection.referenced.pop()
        elif not _drop_oldest_pin(selection):
            break


def fit_in_order(
    selection: Selection, limit: int, *, keep_turns: int | None, block: int = 0
) -> None:
    """Drop from the selection what is over the limit, in the order of the steps."""
    keep = keep_turns or len(selection.turns)
    steps: Sequence[Callable[[int], bool]] = (
        lambda over: drop_oldest_turns(selection, over, keep=keep, block=block),
        lambda over: drop_oldest_turns(selection, over, keep=1),
        lambda over: bool(selection.referenced and selection.referenced.pop()),
        lambda over: shorten_tail(selection, over, limit),
        lambda over: drop_oldest_tool_calls(selection, over, limit),
        lambda over: shorten_tail(selection, over, limit),
        lambda over: _drop_too_large(selection, limit),
        lambda over: _drop_memory(selection, pinned=False),
        lambda over: shorten_summary(selection),
        lambda over: _drop_exact_value(selection),
        lambda over: _drop_memory(selection, pinned=True),
        lambda over: drop_oldest_turns(selection, over, keep=0),
        lambda over: _drop_oldest_pin(selection),
    )
    over = selection.tokens() - limit
    for step in steps:
        while over > 0 and step(over):
            over = selection.tokens() - limit


def _drop_exact_value(selection: Selection) -> bool:
    if not selection.ledger:
        return False
    selection.ledger.remove(min(selection.ledger, key=lambda value: (value.weight, value.seq)))
    return True


def _drop_too_large(selection: Selection, limit: int) -> bool:
    """Drop from the tail, or the oldest pinned message, if they alone are over the limit."""
    if selection.turns and selection.tail_cost() > limit:
        return drop_oldest_turns(selection, selection.tail_cost() - limit, keep=0)
    return selection.pins_cost() > limit and _drop_oldest_pin(selection)


def _drop_memory(selection: Selection, *, pinned: bool) -> bool:
    for memory in reversed(selection.memories):
        if memory.is_pinned == pinned:
            selection.memories.remove(memory)
            return True
    return False


def _drop_oldest_pin(selection: Selection) -> bool:
    pins = selection.shown_pins()
    if not pins:
        return False
    selection.pinned.remove(pins[0])
    selection.dropped_pins.append(pins[0])
    return True


def shorten_summary(selection: Selection, *, fits: Callable[[str], bool] | None = None) -> bool:
    """Drop the oldest generated sentence, or as many as it takes to fit; if none is left, the last
    one that the user wrote."""
    if not selection.summary_text:
        return False
    selection.summary_text = drop_oldest_sentences(
        selection.summary_text, keep=split_sentences(selection.user_text), fits=fits
    )
    selection.is_summary_shortened = True
    return True
