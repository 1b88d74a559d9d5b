"""The specifications' headings, and the order of the parts of a context: one layout for each.

background   a summary to be used only if relevant, the latest turns, then what was retrieved
entry        the summary is the first entry of the history, said by the model
tiers        system prompt, summary, the caller's contexts, recent messages
sections     one system prompt with a section for each part
history      "Previous conversation:", turn by turn
"""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.core import policy
from recollect.recall.context.receipt import Section

_USUAL_ORDER: tuple[Section, ...] = (
    "system",
    "memories",
    "summary",
    "contexts",
    "pinned",
    "retrieved",
    "references",
    "tail",
    "message",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    summary: str
    """The heading of the summary; empty where it stands alone."""
    memories: str = "## What You Know About the User"
    pinned: str = "## Pinned messages"
    retrieved: str = "## Earlier in this conversation"
    references: str = "User is referring to:"
    tail: str = ""
    """The heading of the latest turns, where messages have one."""
    order: tuple[Section, ...] = _USUAL_ORDER
    summary_is_said: bool = False
    """Whether the summary is an entry of the history instead of a system message."""
    one_system_message: bool = False
    names_shown: bool = False
    """Whether a turn that the user refers to is named although it is among those that are shown:
    models do not count well."""


LAYOUTS: Mapping[policy.Layout, Layout] = {
    "background": Layout(
        summary="BACKGROUND – PRIOR CONVERSATION SUMMARY (use only if relevant):",  # noqa: RUF001
        order=(
            "system",
            "memories",
            "summary",
            "pinned",
            "tail",
            "retrieved",
            "references",
            "contexts",
            "message",
        ),
    ),
    "entry": Layout(
        summary="",
        summary_is_said=True,
        order=(
            "system",
            "memories",
            "contexts",
            "pinned",
            "summary",
            "retrieved",
            "references",
            "tail",
            "message",
        ),
    ),
    "tiers": Layout(summary="## Previous Conversation Context"),
    "sections": Layout(summary="## Conversation Summary", one_system_message=True),
    "history": Layout(
        summary="## Conversation Summary", tail="Previous conversation:", names_shown=True
    ),
}
