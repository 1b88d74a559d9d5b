"""Structured log lines: an event name and its fields, as text or JSON.

Text lines are `LEVEL logger: event key=value …`. No line may contain what a user said, so an
exception is logged with its traceback and type, and with its message only if that is about code.
"""

import json
import logging
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from recollect.core.errors import RecollectError

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current HTTP request. Tasks inherit it."""

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_TRACEBACK = "Traceback (most recent call last):"
_SAFE_ERRORS = (TypeError, AttributeError, NameError, ImportError, OSError)
"""Their messages name types, attributes and files. Other messages may quote values."""

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class FieldFormatter(logging.Formatter):
    """Appends the `extra` fields. Texts are quoted, so that a record is one line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # cached by another handler's formatter
        line, newline, trace = super().format(record).partition("\n")
        fields = (
            f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
            for name, value in _fields(record).items()
        )
        return " ".join([line, *fields]) + newline + trace

    def formatException(self, ei: ExcInfo) -> str:
        return _format_error(ei[1])


class JsonFormatter(FieldFormatter):
    """One JSON object per line: time, level, logger, event, request_id, the `extra` fields, and the
    exception."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, Any] = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
        }
        for name, value in _fields(record).items():
            entry.setdefault(name, value)
        if record.exc_info and record.exc_info[1]:
            entry["exception"] = _format_error(record.exc_info[1])
        return json.dumps(entry, default=str)


def configure_logging(log_format: str = "text") -> None:
    """Can be called again when the format is known."""
    formatter = JsonFormatter() if log_format == "json" else FieldFormatter()
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=logging.INFO)  # a no-op the second time
    for configured in logging.getLogger().handlers:
        if isinstance(configured.formatter, FieldFormatter):
            configured.setFormatter(formatter)
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # else it logs every model call
    logging.captureWarnings(log_format == "json")  # so that warnings are JSON as well


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    id = request_id.get()
    return {"request_id": id, **fields} if id else fields


def _format_error(error: BaseException | None) -> str:
    """Format a traceback, the first cause first."""
    parts = []
    for cause in _chain(error):
        frames = "".join(traceback.format_tb(cause.__traceback__))
        members = cause.exceptions if isinstance(cause, BaseExceptionGroup) else ()
        parts.append(f"{_TRACEBACK}\n{frames}{_message(cause)}")
        parts += [_format_error(member) for member in members]
    return "\nwhich led to:\n".join(reversed(parts))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _message(error: BaseException) -> str:
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    if isinstance(error, RecollectError):
        return f"{name}: {error.log_message}"
    if isinstance(error, _SAFE_ERRORS):
        return f"{name}: {error}"
    return name
