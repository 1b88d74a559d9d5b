"""The receipt of a context: each candidate for it, and what became of it."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

from recollect.core.errors import InvalidInput
from recollect.core.types import Json

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptItem:
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
    items: tuple[ReceiptItem, ...]

    def to_json(self) -> dict[str, Json]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Json]) -> Self:
        items = tuple(ReceiptItem(**item) for item in stored["items"])
        return cls(**{**stored, "items": items})


def check_receipt(stored: Json) -> None:
    """Raises InvalidInput for what is no receipt: one that comes in from outside may be anything,
    and is read like our own later."""
    if not _fits(stored, Receipt):
        raise InvalidInput("The receipt is none.", field="receipt")


def _fits(value: Json, kind: Any) -> bool:
    """Whether a JSON value is what a field is declared as."""
    origin = get_origin(kind)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if origin is UnionType:
        return any(_fits(value, one) for one in get_args(kind))
    if origin is tuple:
        return isinstance(value, list) and all(_fits(one, get_args(kind)[0]) for one in value)
    if is_dataclass(kind):
        return isinstance(value, dict) and _fits_all(value, kind)
    return isinstance(value, kind) and not isinstance(value, bool)


def _fits_all(value: Mapping[str, Json], kind: Any) -> bool:
    declared = get_type_hints(kind)
    needed = {one.name for one in fields(kind) if one.default is MISSING}
    return needed <= value.keys() <= declared.keys() and all(
        _fits(given, declared[name]) for name, given in value.items()
    )
