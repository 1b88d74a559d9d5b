"""The values that services take and return: frozen, without I/O.

A conversation is a sequence of messages. `seq` numbers them 1, 2, 3 … and is never reused. A turn
starts at a user message that does not follow another user message; messages before the first one
belong to turn 0. `created_at` is when a message was recorded, `event_at` when it was said.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Self, TypeVar, overload

Role = Literal["user", "assistant", "system", "tool"]
Status = Literal["complete", "streaming", "interrupted", "error"]
TitleSource = Literal["auto", "user"]
Order = Literal["asc", "desc"]
Rating = Literal["up", "down"]
Author = Literal["model", "extractive", "user"]
JobKind = Literal["digest", "topic", "index", "embed", "extract"]
MemoryType = Literal["fact", "preference", "entity", "project", "decision"]
MemoryAuthor = Literal["user", "model", "pattern"]
MemoryAction = Literal["created", "confirmed", "updated", "superseded", "restored", "undone"]
JobState = Literal["waiting", "running", "done", "failed"]
ExactValueKind = Literal[
    "date",
    "amount",
    "name",
    "identifier",
    "url",
    "path",
    "quote",
    "constraint",
    "preference",
    "decision",
]
Json = Any
"""Anything that `json.loads` returns."""

Row = Mapping[str, Any]
T = TypeVar("T")


def utc_text(moment: datetime) -> str:
    """Format a time as it is stored, compared and sent: fixed width, so text sorts by time."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def parse_time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _json(text: str | None) -> Json:
    return None if text is None else json.loads(text)


def json_object(text: str) -> dict[str, Json]:
    return {} if text == "{}" else json.loads(text)


@dataclass(frozen=True, slots=True)
class Page(Sequence[T]):
    """A page of a list. `next_cursor` is None on the last page."""

    items: tuple[T, ...]
    next_cursor: str | None = None

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self.items[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    id: str
    user_id: str
    title: str | None
    title_source: TitleSource
    policy: str
    remember: bool
    topic: str | None
    metadata: dict[str, Json]
    is_archived: bool
    message_count: int
    token_count: int
    created_at: datetime
    updated_at: datetime
    last_activity_at: datetime
    forked_from: str | None
    external_id: str | None = None
    """The caller's own key, unique per user."""
    is_answering: bool = False
    """Whether an answer was streaming when the conversation was read."""

    @classmethod
    def new(
        cls,
        *,
        id: str,
        user_id: str,
        policy: str,
        now: datetime,
        title: str | None = None,
        metadata: dict[str, Json] | None = None,
        remember: bool = True,
        external_id: str | None = None,
    ) -> Self:
        """Return an empty conversation. A given title counts as the user's."""
        return cls(
            id=id,
            user_id=user_id,
            title=title,
            title_source="user" if title else "auto",
            policy=policy,
            remember=remember,
            topic=None,
            metadata=metadata or {},
            is_archived=False,
            message_count=0,
            token_count=0,
            created_at=now,
            updated_at=now,
            last_activity_at=now,
            forked_from=None,
            external_id=external_id,
        )

    @classmethod
    def from_row(cls, row: Row) -> Self:
        times = ("created_at", "updated_at", "last_activity_at")
        converted = {
            "remember": bool(row["remember"]),
            "is_archived": bool(row["is_archived"]),
            "metadata": json_object(row["metadata"]),
            **{name: datetime.fromisoformat(row[name]) for name in times},
        }
        return cls(**{**row, **converted})


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageIn:
    """A message to be stored. `id` and `event_at` are for callers that have their own."""

    role: Role
    content: str = ""
    thinking: str | None = None
    tool_calls: Sequence[Mapping[str, Json]] | None = None
    suggested_values: Json = None
    suggested_actions: Json = None
    custom_payload: Json = None
    model_variant: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    is_pinned: bool = False
    event_at: datetime | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    id: str
    conversation_id: str
    seq: int
    turn: int
    role: Role
    content: str
    thinking: str | None
    status: Status
    tool_calls: list[dict[str, Json]] | None
    suggested_values: Json
    suggested_actions: Json
    custom_payload: Json
    model_variant: str | None
    metadata: dict[str, Json]
    tokens: int
    is_pinned: bool
    created_at: datetime
    event_at: datetime
    superseded_at: datetime | None = None
    """When it was replaced by another answer or an edited question."""
    rating: Rating | None = None
    """The user's feedback."""

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            conversation_id=row["conversation_id"],
            seq=row["seq"],
            turn=row["turn"],
            role=row["role"],
            content=row["content"],
            thinking=row["thinking"],
            status=row["status"],
            tool_calls=_json(row["tool_calls"]),
            suggested_values=_json(row["suggested_values"]),
            suggested_actions=_json(row["suggested_actions"]),
            custom_payload=_json(row["custom_payload"]),
            model_variant=row["model_variant"],
            metadata=json_object(row["metadata"]),
            tokens=row["tokens"],
            is_pinned=bool(row["is_pinned"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            event_at=datetime.fromisoformat(row["event_at"]),
            superseded_at=parse_time(row["superseded_at"]),
            rating=row["rating"],
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's messages and everything that answers them."""

    number: int
    messages: tuple[Message, ...]

    @property
    def user_content(self) -> str:
        return self._content_by("user")

    @property
    def assistant_content(self) -> str:
        return self._content_by("assistant")

    @property
    def is_answered(self) -> bool:
        """Whether there is a complete answer, not one that failed or is streaming."""
        return any(
            m.role == "assistant" and m.status == "complete" and m.content for m in self.messages
        )

    def _content_by(self, role: Role) -> str:
        return "\n\n".join(m.content for m in self.messages if m.role == role and m.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactValue:
    """A value in the ledger of a summary, copied verbatim from message `seq`."""

    kind: ExactValueKind
    value: str
    seq: int
    label: str = ""
    """The words around the value that say what it is; empty if it is clear by itself."""
    weight: int = 1
    """Importance: that of the sentence it is from, and more if it was repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A version of the summary of a conversation up to `through_seq`.

    Later versions repeat `user_text`, which a user wrote, word for word.
    """

    conversation_id: str
    version: int
    base_version: int
    text: str
    ledger: tuple[ExactValue, ...] = ()
    user_text: str = ""
    through_seq: int
    author: Author
    model: str | None = None
    prompt_version: str | None = None
    tokens: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    duration_ms: int = 0
    facts_found: int = 0
    facts_kept: int = 0
    created_at: datetime

    @classmethod
    def empty(cls, conversation_id: str, *, now: datetime) -> Self:
        """Version 0: nothing is summarized yet."""
        return cls(
            conversation_id=conversation_id,
            version=0,
            base_version=0,
            text="",
            through_seq=0,
            author="extractive",
            created_at=now,
        )

    @classmethod
    def from_row(cls, row: Row) -> Self:
        columns = {**row, "user_text": row["kept"]}
        del columns["kept"]
        columns["ledger"] = tuple(ExactValue(**value) for value in json.loads(row["ledger"]))
        columns["created_at"] = datetime.fromisoformat(row["created_at"])
        return cls(**columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A unit of background work."""

    id: str
    kind: JobKind
    conversation_id: str | None
    state: JobState
    attempts: int
    last_error: str | None
    run_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(**{**row, "run_at": datetime.fromisoformat(row["run_at"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The receipt of a deletion: the number of deleted rows of each kind."""

    messages: int = 0
    summaries: int = 0
    embeddings: int = 0
    memories: int = 0
    jobs: int = 0

    def __add__(self, other: "Deleted") -> "Deleted":
        return Deleted(
            **{name: getattr(self, name) + getattr(other, name) for name in self.__slots__}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedUser:
    """The receipt of the deletion of a user."""

    conversations: int
    messages: int
    summaries: int
    embeddings: int
    memories: int
    jobs: int
    keys: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """An API key without the key itself, which is shown once."""

    id: str
    user_id: str
    prefix: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            user_id=row["user_id"],
            prefix=row["prefix"],
            is_admin=bool(row["is_admin"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            revoked_at=parse_time(row["revoked_at"]),
        )
