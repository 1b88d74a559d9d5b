"""The receipt of a context: each candidate with its outcome and the reason."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass, replace
from types import UnionType
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

from recollect.core.errors import InvalidInput
from recollect.core.policy import Layout
from recollect.core.types import Json

Section = Literal[
    "system", "memories", "summary", "contexts", "pinned", "retrieved", "references", "tail",
    "message",
]  # fmt: skip
Outcome = Literal["included", "shortened", "dropped"]
Mode = Literal["compressed", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptItem:
    """One candidate; `first_seq` to `last_seq` are the messages that it stands for."""

    section: Section
    source: str
    tokens: int
    """Its size in the context; if it was dropped, the size that it would have had."""
    outcome: Outcome
    reason: str
    message_id: str | None = None
    first_seq: int | None = None
    last_seq: int | None = None
    conversation_id: str | None = None
    """Of a retrieved passage. `start` and `end` are its offsets in the searchable text of the
    message: its content, followed by the results of its tool calls."""
    start: int | None = None
    end: int | None = None
    title: str | None = None
    """Of another conversation that the passage is from. It is not stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionShare:
    """The size of a section. `share` is the number of tokens that it was sure of, `flowed` the
    tokens that it got from other sections, or left to them if negative."""

    section: Section
    share: int
    tokens: int
    flowed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """`budget` bounds `memory_tokens`; `tokens` is the whole context."""

    budget: int
    tokens: int
    memory_tokens: int
    mode: Mode
    policy: str
    summary_version: int
    full_history_tokens: int
    """Tokens of the context with all messages so far."""
    items: tuple[ReceiptItem, ...]
    sections: tuple[SectionShare, ...] = ()
    layout: Layout = "seed"
    prefix: tuple[str, ...] = ()
    """The parts of the prompt in their order, each as a hash and its tokens: "1f0c9e2b:120"."""
    unchanged_tokens: int = 0
    """Tokens of the leading parts that are the same as in the prompt of the last answer."""
    cached_tokens: int | None = None
    """Tokens that the provider read from its cache, if it reported them."""

    def to_json(self) -> dict[str, Json]:
        """Return the stored form."""
        return without_titles(asdict(self))

    @classmethod
    def from_json(cls, stored: Mapping[str, Json]) -> Self:
        values = {
            "items": tuple(ReceiptItem(**item) for item in without_titles(stored)["items"]),
            "sections": tuple(SectionShare(**share) for share in stored.get("sections", ())),
            "prefix": tuple(stored.get("prefix", ())),
        }
        return cls(**{**stored, **values})

    def conversation_ids(self) -> set[str]:
        """Return the conversations of the retrieved passages."""
        return {item.conversation_id for item in self.items if item.conversation_id}

    def with_titles(self, titles: Mapping[str, str | None]) -> Self:
        """Return the receipt with the titles of other conversations, given by id."""
        items = [replace(item, title=titles.get(item.conversation_id or "")) for item in self.items]
        return replace(self, items=tuple(items))


def without_titles(receipt: Mapping[str, Json]) -> dict[str, Json]:
    """Return a receipt as JSON without the titles of conversations.

    An automatic title may have words of a message that is deleted later, so titles are not stored:
    they are read with the receipt.
    """
    items = [{k: v for k, v in item.items() if k != "title"} for item in receipt["items"]]
    return {**receipt, "items": items}


def check_receipt(stored: Json) -> None:
    """Raise InvalidInput if an imported value is not a receipt."""
    if not _matches(stored, Receipt):
        raise InvalidInput("Not a valid receipt.", field="receipt")


def _matches(value: Json, declared: Any) -> bool:
    """Return whether a JSON value has the declared type."""
    origin = get_origin(declared)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(declared)
    if origin is UnionType:
        return any(_matches(value, option) for option in get_args(declared))
    if origin is tuple:
        item_type = get_args(declared)[0]
        return isinstance(value, list) and all(_matches(item, item_type) for item in value)
    if is_dataclass(declared):
        hints = get_type_hints(declared)
        required = {field.name for field in fields(declared) if field.default is MISSING}
        return (
            isinstance(value, dict)
            and required <= value.keys() <= hints.keys()
            and all(_matches(item, hints[name]) for name, item in value.items())
        )
    return isinstance(value, declared) and not isinstance(value, bool)
