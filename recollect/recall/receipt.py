"""The receipt of a context: each candidate for it, and what became of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, Self

from recollect.model import Json

Section = Literal[
    "system",
    "memories",
    "summary",
    "contexts",
    "pinned",
    "retrieved",
    "references",
    "tail",
    "message",
]
Outcome = Literal["included", "shortened", "dropped"]
Mode = Literal["compressed", "full"]

OVER_BUDGET = "Over budget."


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One candidate. `first_seq` to `last_seq` are the messages it stands for, where it does."""

    section: Section
    source: str
    tokens: int
    """What it takes of the context, or would have taken."""
    outcome: Outcome
    reason: str
    message_id: str | None = None
    first_seq: int | None = None
    last_seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """`budget` bounds the memory part, which took `memory_tokens` of it; `tokens` is the whole."""

    budget: int
    tokens: int
    memory_tokens: int
    mode: Mode
    policy: str
    summary_version: int
    full_history_tokens: int
    """What all messages so far would have cost."""
    items: tuple[Item, ...]

    def to_json(self) -> dict[str, Json]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Json]) -> Self:
        items = tuple(Item(**item) for item in stored["items"])
        return cls(**{**stored, "items": items})
