"""All exceptions of Recollect.

    RecollectError
    ├── InvalidInput            invalid arguments
    │   ├── BrokenCursor        not a cursor of this list
    │   ├── BrokenFile          an import file that is cut off or not JSON
    │   └── TooLarge            a message or body over the limit
    ├── NotFound                unknown, or another user's: no difference is shown
    ├── Conflict                the state has changed
    │   └── IdempotencyConflict the key was used with another body
    ├── Unauthorized            missing or wrong credentials
    ├── Forbidden               not allowed for this identity
    ├── RateLimited             too many requests
    ├── Misconfigured           an unusable setting or database
    │   ├── CorruptStore        a damaged file, or not a database
    │   └── SchemaMismatch      the database belongs to another release
    └── Unavailable             a temporary failure: retry later
        ├── Overloaded          the queue is full
        ├── Stopping            the server is shutting down
        ├── IssuerUnavailable   the keys that tokens are signed with cannot be fetched
        ├── NoModelConfigured   a chat model is needed, and none is configured
        ├── EmbedderUnavailable no embedder, or it timed out
        └── ModelFailed         the model is down, slow, or returns garbage
            └── ModelRejected   it rejects the request: do not retry
                └── ModelUnknown    it does not have the model

Errors of other libraries are mapped to these where they occur, with the original as `__cause__`.
The docstring of a class is its default message.
"""


class RecollectError(Exception):
    """Something went wrong in Recollect."""

    def __init__(self, message: str | None = None, *, field: str | None = None) -> None:
        super().__init__(message or type(self).__doc__)
        self.field = field
        self.location: str | None = None
        """The message that the field is in, if there are several."""

    @property
    def message(self) -> str:
        return str(self.args[0])

    @property
    def log_message(self) -> str:
        """The message for logs, without texts of others, which may quote a user."""
        return self.message

    @property
    def public_message(self) -> str:
        """The message for clients, without the server's hosts and paths."""
        return self.message


class InvalidInput(RecollectError):
    """The input is invalid."""


class BrokenCursor(InvalidInput):
    """This is not a cursor of this list."""


class BrokenFile(InvalidInput):
    """The file is cut off, or not valid JSON."""


class TooLarge(InvalidInput):
    """The message is over the size limit."""


class NotFound(RecollectError):
    """There is nothing with this id."""


class Conflict(RecollectError):
    """The state has changed in the meantime."""


class IdempotencyConflict(Conflict):
    """This idempotency key was used before, with a different body."""


class Unauthorized(RecollectError):
    """This server needs an API key: Authorization: Bearer rk_…"""


class Forbidden(RecollectError):
    """This is not allowed."""


class RateLimited(RecollectError):
    """Too many requests: try again in a moment."""

    def __init__(self, *, retry_after: float) -> None:
        super().__init__()
        self.retry_after = retry_after
        """In seconds."""


class Misconfigured(RecollectError):
    """A setting is invalid."""


class CorruptStore(Misconfigured):
    """The database file is damaged, or not a database."""


class SchemaMismatch(Misconfigured):
    """The database was migrated by another release of Recollect."""


class Unavailable(RecollectError):
    """The database cannot be reached at the moment."""

    @property
    def public_message(self) -> str:
        return type(self).__doc__ or ""


class Overloaded(Unavailable):
    """Too many requests are waiting already."""


class Stopping(Unavailable):
    """The server is stopping."""


class IssuerUnavailable(Unavailable):
    """The keys that tokens are signed with cannot be fetched at the moment."""


class EmbedderUnavailable(Unavailable):
    """This search needs an embedder: none is configured, or it did not answer in time."""


class NoModelConfigured(Unavailable):
    """No chat model is configured: set RECOLLECT_CHAT_MODEL or RECOLLECT_LOCAL_MODEL."""


class ModelFailed(Unavailable):
    """The model did not answer."""

    def __init__(self, message: str | None = None, *, detail: str = "") -> None:
        """`detail` is the endpoint's error message, which may quote the request."""
        super().__init__(f"{message}: {detail}" if message and detail else detail or message)
        self._log_message = message or type(self).__doc__ or ""

    @property
    def log_message(self) -> str:
        return self._log_message

    @property
    def public_message(self) -> str:
        return self.message


class ModelRejected(ModelFailed):
    """The model's endpoint refused the request."""


class ModelUnknown(ModelRejected):
    """The model's endpoint does not have the model."""
