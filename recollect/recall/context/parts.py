"""The parts of a context before they are rendered: texts and entries of the history."""

from dataclasses import dataclass
from typing import Literal

from recollect.recall.context.tool_pairs import HistoryEntry


@dataclass(frozen=True, slots=True)
class TextBlock:
    """The system prompt, the summary, quotes, the current message: text that is no stored entry.

    In the template `entry`, the assistant says the summary.
    """

    text: str
    role: Literal["system", "assistant", "user"] = "system"


ContextPart = TextBlock | HistoryEntry
