"""Everything Recollect raises on purpose.

    RecollectError
    ├── InvalidInput            the caller sent something that makes no sense
    │   ├── BrokenCursor        a cursor that no list of ours gave out
    │   ├── BrokenFile          a file to import that is cut off, or no JSON
    │   └── TooLarge            a message or body over the limit
    ├── NotFound                unknown, or somebody else's: the answer is the same
    ├── Conflict                the request was sound, but the state has moved on
    │   └── IdempotencyConflict one key, two different bodies
    ├── Unauthorized            no identity, or a wrong one
    ├── Forbidden               known, but not allowed
    ├── RateLimited             allowed, but not so often
    ├── Misconfigured           a setting or a database that cannot be used as it is
    │   ├── CorruptStore        the file is no database, or a damaged one
    │   └── SchemaMismatch      the database belongs to another release
    └── Unavailable             nothing wrong with the request: try again later
        ├── Overloaded          too much is queued already
        ├── Stopping            the server takes nothing more
        ├── IssuerUnavailable   the keys that tokens are signed with cannot be fetched
        ├── NoModelConfigured   a chat model is needed, and none is configured
        ├── EmbedderUnavailable there is none, or it is late, where words cannot stand in
        └── ModelFailed         the model is down, slow, or answers nonsense
            └── ModelRejected   it refuses the request: trying again will not help
                └── ModelUnknown    it does not have the model

Errors of foreign libraries are turned into one of these at the boundary where they appear,
with the foreign one as `__cause__`. A docstring is the message where none is given.
"""


class RecollectError(Exception):
    """Something went wrong in Recollect."""

    def __init__(self, message: str | None = None, *, field: str | None = None) -> None:
        super().__init__(message or type(self).__doc__)
        self.field = field
        self.place: str | None = None
        """Which of several messages the field is in."""

    @property
    def message(self) -> str:
        return str(self.args[0])

    @property
    def unquoted(self) -> str:
        """The message as it may stand in a log: without what others said, who may quote a user."""
        return self.message

    @property
    def shown(self) -> str:
        """The message as anybody may see it: without the hosts and paths of a server in trouble."""
        return self.message


class InvalidInput(RecollectError):
    """The input does not make sense."""


class BrokenCursor(InvalidInput):
    """This cursor was not given out by this list."""


class BrokenFile(InvalidInput):
    """The file is cut off, or not valid JSON."""


class TooLarge(InvalidInput):
    """The message is over the size limit."""


class NotFound(RecollectError):
    """There is nothing of yours under this id."""


class Conflict(RecollectError):
    """The state has changed in the meantime."""


class IdempotencyConflict(Conflict):
    """This idempotency key was used before, with a different body."""


class Unauthorized(RecollectError):
    """This server wants an API key: Authorization: Bearer rk_…"""


class Forbidden(RecollectError):
    """This is not allowed."""


class RateLimited(RecollectError):
    """This is more often than is allowed: wait a moment."""

    def __init__(self, message: str | None = None, *, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """In seconds."""


class Misconfigured(RecollectError):
    """A setting cannot be used as it is."""


class CorruptStore(Misconfigured):
    """The database file is damaged, or not a database."""


class SchemaMismatch(Misconfigured):
    """The database was migrated by another release of Recollect."""


class Unavailable(RecollectError):
    """The database cannot be reached at the moment."""

    @property
    def shown(self) -> str:
        return type(self).__doc__ or ""


class Overloaded(Unavailable):
    """Too many requests are waiting already."""


class Stopping(Unavailable):
    """The server is stopping."""


class IssuerUnavailable(Unavailable):
    """The keys that tokens are signed with cannot be fetched at the moment."""


class EmbedderUnavailable(Unavailable):
    """This is searched by its meaning; there is no embedder, or it did not answer in time."""


class NoModelConfigured(Unavailable):
    """No chat model is configured: set RECOLLECT_CHAT_MODEL or RECOLLECT_LOCAL_MODEL."""


class ModelFailed(Unavailable):
    """The model did not answer."""

    def __init__(self, message: str | None = None, *, said: str = "") -> None:
        """`said` is the endpoint's own word for it, which may quote what it was asked."""
        super().__init__(f"{message}: {said}" if message and said else said or message)
        self._unquoted = message or type(self).__doc__ or ""

    @property
    def unquoted(self) -> str:
        return self._unquoted

    @property
    def shown(self) -> str:
        return self.message


class ModelRejected(ModelFailed):
    """The model's endpoint refused the request."""


class ModelUnknown(ModelRejected):
    """The model's endpoint does not have the model."""
