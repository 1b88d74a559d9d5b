"""The values that go in and out: frozen, without I/O.

A conversation is a sequence of messages. `seq` numbers them 1, 2, 3 … and is never reused; a turn
starts at a user message that does not follow another user message, and what comes before the first
belongs to turn 0. `created_at` is when a message was recorded, `event_at` when it was said.
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
"""Whatever `json.loads` can return."""

Row = Mapping[str, Any]
T = TypeVar("T")


def utc_text(moment: datetime) -> str:
    """The one form in which times are stored, compared and sent: fixed width, so it sorts."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def _json(text: str | None) -> Json:
    return None if text is None else json.loads(text)


def json_object(text: str) -> dict[str, Json]:
    return {} if text == "{}" else json.loads(text)


@dataclass(frozen=True, slots=True)
class Page(Sequence[T]):
    """A part of a list. `next_cursor` is None at its end."""

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
    """Whether an answer was being written in it when it was looked up."""

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
        external_id: str | None = None,
    ) -> Self:
        """An empty one. A title that is given is the user's own."""
        return cls(
            id=id,
            user_id=user_id,
            title=title,
            title_source="user" if title else "auto",
            policy=policy,
            remember=True,
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
        return cls(
            id=row["id"],
            user_id=row["user_id"],
            title=row["title"],
            title_source=row["title_source"],
            policy=row["policy"],
            remember=bool(row["remember"]),
            topic=row["topic"],
            metadata=json_object(row["metadata"]),
            is_archived=bool(row["is_archived"]),
            message_count=row["message_count"],
            token_count=row["token_count"],
            created_at=datetime.fromisoformat(row["created_at"]),
            updated_at=datetime.fromisoformat(row["updated_at"]),
            last_activity_at=datetime.fromisoformat(row["last_activity_at"]),
            forked_from=row["forked_from"],
            external_id=row["external_id"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageIn:
    """A message as the caller gives it. `id` and `event_at` are for those who have their own."""

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
    """Since when another answer, or an edited question, stands in its place."""
    rating: Rating | None = None
    """What the user thinks of it, where they said so."""

    @classmethod
    def from_row(cls, row: Row) -> Self:
        superseded = row["superseded_at"]
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
            superseded_at=None if superseded is None else datetime.fromisoformat(superseded),
            rating=row["rating"],
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """What a user said, and everything that answered it."""

    number: int
    messages: tuple[Message, ...]

    @property
    def user_content(self) -> str:
        return self._said_by("user")

    @property
    def assistant_content(self) -> str:
        return self._said_by("assistant")

    @property
    def is_answered(self) -> bool:
        """Whether there is a whole answer: not one that failed, or is still being written."""
        return any(
            m.role == "assistant" and m.status == "complete" and m.content for m in self.messages
        )

    def _said_by(self, role: Role) -> str:
        return "\n\n".join(m.content for m in self.messages if m.role == role and m.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactValue:
    """An exact value of the ledger: taken from message `seq` to the letter, never paraphrased."""

    kind: ExactValueKind
    value: str
    seq: int
    label: str = ""
    """The few words around the value that say what it is of; empty where it speaks for itself."""
    weight: int = 1
    """How much it matters: as much as what it was said in, and more when it was said again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One version of what is remembered of a conversation up to `through_seq`.

    `kept` is what a user wrote into the text: later digests carry it on word for word.
    """

    conversation_id: str
    version: int
    base_version: int
    text: str
    ledger: tuple[ExactValue, ...]
    kept: str
    through_seq: int
    author: Author
    model: str | None
    prompt_version: str | None
    tokens: int
    tokens_in: int
    tokens_out: int
    duration_ms: int
    facts_found: int
    facts_kept: int
    created_at: datetime

    @classmethod
    def none(cls, conversation_id: str, *, now: datetime) -> Self:
        """What stands where nothing has been digested yet: version 0."""
        return cls(
            conversation_id=conversation_id,
            version=0,
            base_version=0,
            text="",
            ledger=(),
            kept="",
            through_seq=0,
            author="extractive",
            model=None,
            prompt_version=None,
            tokens=0,
            tokens_in=0,
            tokens_out=0,
            duration_ms=0,
            facts_found=0,
            facts_kept=0,
            created_at=now,
        )

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            conversation_id=row["conversation_id"],
            version=row["version"],
            base_version=row["base_version"],
            text=row["text"],
            ledger=tuple(ExactValue(**atom) for atom in json.loads(row["ledger"])),
            kept=row["kept"],
            through_seq=row["through_seq"],
            author=row["author"],
            model=row["model"],
            prompt_version=row["prompt_version"],
            tokens=row["tokens"],
            tokens_in=row["tokens_in"],
            tokens_out=row["tokens_out"],
            duration_ms=row["duration_ms"],
            facts_found=row["facts_found"],
            facts_kept=row["facts_kept"],
            created_at=datetime.fromisoformat(row["created_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work that is owed."""

    id: str
    kind: JobKind
    conversation_id: str | None
    state: JobState
    attempts: int
    last_error: str | None
    run_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            kind=row["kind"],
            conversation_id=row["conversation_id"],
            state=row["state"],
            attempts=row["attempts"],
            last_error=row["last_error"],
            run_at=datetime.fromisoformat(row["run_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The receipt of a deletion: how much of each kind is gone."""

    messages: int = 0
    summaries: int = 0
    embeddings: int = 0
    memories: int = 0
    jobs: int = 0

    def __add__(self, other: "Deleted") -> "Deleted":
        return Deleted(
            messages=self.messages + other.messages,
            summaries=self.summaries + other.summaries,
            embeddings=self.embeddings + other.embeddings,
            memories=self.memories + other.memories,
            jobs=self.jobs + other.jobs,
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
    """What is known of a key once it has been shown: never the key itself."""

    id: str
    user_id: str
    prefix: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        revoked = row["revoked_at"]
        return cls(
            id=row["id"],
            user_id=row["user_id"],
            prefix=row["prefix"],
            is_admin=bool(row["is_admin"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            revoked_at=None if revoked is None else datetime.fromisoformat(revoked),
        )
