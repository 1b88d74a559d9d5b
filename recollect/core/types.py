"""The values that services take and return: frozen, without I/O.

A conversation is a sequence of messages. `seq` numbers them 1, 2, 3 … and is never reused. A turn
starts at a user message that does not follow another user message; messages before the first one
belong to turn 0. `created_at` is when a message was recorded, `event_at` when it was said.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType
from typing import Any, Literal, Self, TypeVar, get_args, get_origin, overload

from recollect.core.policy import RecallScope

Role = Literal["user", "assistant", "system", "tool"]
Status = Literal["complete", "streaming", "interrupted", "error"]
TitleSource = Literal["auto", "user"]
Order = Literal["asc", "desc"]
Rating = Literal["up", "down"]
KeyScope = Literal["read", "write", "admin"]
AuditAction = Literal["read", "change", "export", "delete"]
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


def column(value: Any) -> Any:
    """Return a value as it is stored."""
    if isinstance(value, datetime):
        return utc_text(value)
    if isinstance(value, dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=asdict)
    return value


def parse_json(text: str) -> Any:
    return {} if text == "{}" else json.loads(text)


def _compile_reader(cls: type) -> Callable[[Row], Any]:
    """Compile the call of the constructor: every message is read with it."""
    names: dict[str, Any] = {"cls": cls}
    arguments = []
    for name, hint in [(member.name, member.type) for member in fields(cls)]:
        argument = f"row['{name}']"
        if is_dataclass(hint):
            names[name], argument = _reader(hint), f"{name}(row)"
        elif convert := _converter(hint):
            names[name], argument = convert, f"None if (v := {argument}) is None else {name}(v)"
        arguments.append(f"{name}={argument}")
    reader: Callable[[Row], Any] = eval(f"lambda row: cls({', '.join(arguments)})", names)  # noqa: S307
    return reader


_reader: Callable[[Any], Callable[[Row], Any]] = cache(_compile_reader)


def _converter(hint: Any) -> Callable[[Any], Any] | None:
    """Return None for texts and numbers, which need no conversion."""
    if NoneType in get_args(hint):
        (hint,) = (member for member in get_args(hint) if member is not NoneType)
    if hint is datetime:
        return datetime.fromisoformat
    if hint is bool:
        return bool
    if get_origin(hint) is tuple:
        return lambda text: tuple(get_args(hint)[0](**item) for item in json.loads(text))
    is_plain = hint in (str, int, float) or get_origin(hint) is Literal
    return None if is_plain else parse_json


class Stored:
    """Base of dataclasses whose fields are the columns of a query.

    Rows have times as text, booleans as 0 or 1, and JSON as text. The annotations tell how to
    convert them. A field that is a dataclass takes its fields from the same row.
    """

    __slots__: tuple[str, ...] = ()

    @classmethod
    def from_row(cls, row: Row) -> Self:
        """Raises KeyError if a column is missing."""
        value: Self = _reader(cls)(row)
        return value

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> list[Self]:
        return [*map(_reader(cls), rows)]

    @classmethod
    def from_first(cls, rows: list[Row]) -> Self | None:
        """Return the first row's value, or None if there are no rows."""
        return cls.from_row(rows[0]) if rows else None

    def columns(self) -> dict[str, Any]:
        return {name: column(getattr(self, name)) for name in self.__slots__}


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
class Conversation(Stored):
    id: str
    user_id: str
    title: str | None
    title_source: TitleSource
    policy: str
    remember: bool
    topic: str | None = None
    metadata: dict[str, Json]
    is_archived: bool = False
    message_count: int = 0
    token_count: int = 0
    created_at: datetime
    updated_at: datetime
    last_activity_at: datetime
    forked_from: str | None
    external_id: str | None = None
    """The caller's own key, unique per user."""
    project_id: str | None = None
    """The caller's name for a group of conversations."""
    recall_scope: RecallScope | None = None
    """Where retrieved passages may come from; None leaves it to the policy."""
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
        forked_from: str | None = None,
        external_id: str | None = None,
        project_id: str | None = None,
        recall_scope: RecallScope | None = None,
    ) -> Self:
        """Return an empty conversation. A given title counts as the user's."""
        return cls(
            id=id,
            user_id=user_id,
            title=title,
            title_source="user" if title else "auto",
            policy=policy,
            remember=remember,
            metadata=metadata or {},
            created_at=now,
            updated_at=now,
            last_activity_at=now,
            forked_from=forked_from,
            external_id=external_id,
            project_id=project_id,
            recall_scope=recall_scope,
        )


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
class Message(Stored):
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
    """A value in the ledger of a summary, copied verbatim from message `seq`.

    Only relative days are not verbatim: the value of "tomorrow" is its date.
    """

    kind: ExactValueKind
    value: str
    seq: int
    label: str = ""
    """The words around the value that say what it is; empty if it is clear by itself."""
    day: str | None = None
    """The day on which message `seq` was said, such as 2024-06-04; None in old summaries."""
    weight: int = 1
    """Importance: that of the sentence it is from, and more if it was repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Stored):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Stored):
    """A unit of background work."""

    id: str
    kind: JobKind
    conversation_id: str | None
    state: JobState
    attempts: int
    last_error: str | None
    run_at: datetime


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
class ApiKey(Stored):
    """An API key without the key itself, which is shown once.

    `scope` is `read`, `write`, which includes reading, or `admin`, which includes both. `is_admin`
    is the same for earlier releases. `last_used_at` is up to a minute late.
    """

    id: str
    user_id: str
    prefix: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None
    name: str | None
    scope: KeyScope
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(Stored):
    """What a caller did with a user's data.

    `actor` is `key:` with the key's id, `token:` with the token's user, or `cli`. `target` is the
    path of the request, with the id of what it created. `count` is the number of equal requests
    within about a second.
    """

    user_id: str
    id: str
    created_at: datetime
    actor: str
    action: AuditAction
    operation: str
    target: str
    status: int
    count: int
