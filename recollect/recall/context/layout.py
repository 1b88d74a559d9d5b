"""Headings and order of the sections of a context: one layout per specification.

background   summary to be used only if relevant, recent turns, retrieved turns
entry        the summary is the first entry of the history, in the role of the assistant
tiers        system prompt, summary, the caller's contexts, recent messages
sections     one system message with a heading for each section
history      "Previous conversation:", turn by turn
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from recollect.core import policy
from recollect.recall.context.receipt import Section

_DEFAULT_ORDER: tuple[Section, ...] = get_args(Section)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLayout:
    """The strings are headings; empty where a section has none."""

    summary: str
    memories: str = "## What You Know About the User"
    pinned: str = "## Pinned messages"
    retrieved: str = "## Earlier in this conversation"
    references: str = "User is referring to:"
    tail: str = ""
    order: tuple[Section, ...] = _DEFAULT_ORDER
    summary_role: Literal["system", "assistant"] = "system"
    one_system_message: bool = False
    repeats_referenced: bool = False
    """Whether a referenced turn is quoted although the tail shows it: models do not count well."""


LAYOUTS: Mapping[policy.Layout, ContextLayout] = {
    "background": ContextLayout(
        summary="BACKGROUND – PRIOR CONVERSATION SUMMARY (use only if relevant):",  # noqa: RUF001
        order=("system", "memories", "summary", "pinned", "tail", "retrieved", "references",
               "contexts", "message"),
    ),
    "entry": ContextLayout(
        summary="",
        summary_role="assistant",
        order=("system", "memories", "contexts", "pinned", "summary", "retrieved", "references",
               "tail", "message"),
    ),
    "tiers": ContextLayout(summary="## Previous Conversation Context"),
    "sections": ContextLayout(summary="## Conversation Summary", one_system_message=True),
    "history": ContextLayout(
        summary="## Conversation Summary", tail="Previous conversation:", repeats_referenced=True
    ),
}  # fmt: skip
