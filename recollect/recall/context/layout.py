"""Headings and order of the sections of a context: one template per specification.

background   summary to be used only if relevant, recent turns, retrieved passages
entry        the summary is the first entry of the history, in the role of the assistant
tiers        system prompt, summary, the caller's contexts, recent messages
sections     one system message with a heading for each section
history      "Previous conversation:", turn by turn

The layout `cache` replaces the order of a template. Sections that seldom change come first, and are
byte-identical from turn to turn: system prompt, summary, pinned messages, memories from before the
recent turns, recent turns. Sections that depend on the question follow, just before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from recollect.core.policy import Layout, Policy, Template
from recollect.recall.context.receipt import Section

Slot = Section | Literal["note", "instructions", "date"]
"""A place in a context. `note` says what recalled text is; `instructions` has the memories that
seldom change, if they are separate from those for the current message."""

_SEED_ORDER: tuple[Slot, ...] = (
    "system", "instructions", "memories", "summary", "note", "date", "contexts", "pinned",
    "retrieved", "references", "tail", "message",
)  # fmt: skip
_CACHE_ORDER: tuple[Slot, ...] = (
    "system", "summary", "note", "pinned", "instructions", "tail", "retrieved", "references",
    "memories", "contexts", "date", "message",
)  # fmt: skip
STABLE_SLOTS = frozenset(_CACHE_ORDER[: _CACHE_ORDER.index("retrieved")])
"""Of the layout `cache`."""
RECEIPT_SECTIONS: Mapping[Slot, Section] = {
    "note": "system",
    "date": "system",
    "instructions": "memories",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLayout:
    """The strings are headings; empty where a section has none."""

    summary: str
    memories: str = "## What You Know About the User"
    pinned: str = "## Pinned messages"
    retrieved: str = "## Earlier in this conversation"
    references: str = "User is referring to:"
    tail: str = ""
    order: tuple[Slot, ...] = _SEED_ORDER
    summary_role: Literal["system", "assistant"] = "system"
    one_system_message: bool = False
    repeats_referenced: bool = False
    """Whether a referenced turn is quoted although the tail shows it: models do not count well."""
    is_literal: bool = False
    """Whether the specification leaves no room for the date and the note."""
    is_cacheable: bool = False


TEMPLATES: Mapping[Template, ContextLayout] = {
    "background": ContextLayout(
        summary="BACKGROUND – PRIOR CONVERSATION SUMMARY (use only if relevant):",  # noqa: RUF001
        order=("system", "instructions", "memories", "summary", "note", "date", "pinned", "tail",
               "retrieved", "references", "contexts", "message"),
    ),
    "entry": ContextLayout(
        summary="",
        summary_role="assistant",
        order=("system", "instructions", "memories", "contexts", "pinned", "summary", "retrieved",
               "references", "tail", "message"),
        is_literal=True,
    ),
    "tiers": ContextLayout(summary="## Previous Conversation Context"),
    "sections": ContextLayout(summary="## Conversation Summary", one_system_message=True),
    "history": ContextLayout(
        summary="## Conversation Summary",
        tail="Previous conversation:",
        repeats_referenced=True,
        is_literal=True,
    ),
}  # fmt: skip


def layout_for(policy: Policy, requested: Layout | None) -> ContextLayout:
    """Return the layout of a policy, with the requested order instead of the policy's own."""
    template = TEMPLATES[policy.template]
    if (requested or policy.layout) == "seed":
        return template
    return replace(template, order=_CACHE_ORDER, is_cacheable=True)
