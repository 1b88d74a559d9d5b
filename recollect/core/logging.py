"""Log lines, for people or for machines: an event's name, then its fields.

For people a line is `LEVEL logger: event key=value …`; for machines it is one JSON object. Nothing
that somebody said may stand in a line, so exceptions are written with care: where they came from,
what kind they are, and what they say only if that can be nothing but a word about the code.
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
"""Of the request that is being answered; tasks it starts inherit it."""

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_TRACEBACK = "Traceback (most recent call last):"
_SPEAK_OF_CODE = (TypeError, AttributeError, NameError, ImportError, OSError)
"""What these say names types, attributes and files. Others quote values."""

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class FieldFormatter(logging.Formatter):
    """Appends what was given as `extra`; texts are quoted, so that a line stays a line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another handler's formatter may have left its own there
        line, newline, trace = super().format(record).partition("\n")
        shown = (
            f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
            for name, value in _fields(record).items()
        )
        return " ".join([line, *shown]) + newline + trace

    def formatException(self, ei: ExcInfo) -> str:
        return _described(ei[1])


class JsonFormatter(FieldFormatter):
    """One object a line: time, level, logger, event, request_id, what was given as `extra`, and
    the exception."""

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
            entry["exception"] = _described(record.exc_info[1])
        return json.dumps(entry, default=str)


def configure_logging(log_format: str = "text") -> None:
    """To be called again once the format is known."""
    formatter = JsonFormatter() if log_format == "json" else FieldFormatter()
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=logging.INFO)  # the second time, it does nothing
    for one in logging.getLogger().handlers:
        if isinstance(one.formatter, FieldFormatter):
            one.setFormatter(formatter)
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # a line for every call to a model
    logging.captureWarnings(log_format == "json")  # else they would be lines of another form


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    id = request_id.get()
    return {"request_id": id, **fields} if id else fields


def _described(error: BaseException | None) -> str:
    """As a traceback, the first cause first."""
    parts = []
    for one in _chain(error):
        frames = "".join(traceback.format_tb(one.__traceback__))
        members = one.exceptions if isinstance(one, BaseExceptionGroup) else ()
        parts.append(f"{_TRACEBACK}\n{frames}{_said(one)}")
        parts += [_described(member) for member in members]
    return "\nwhich led to:\n".join(reversed(parts))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _said(error: BaseException) -> str:
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    if isinstance(error, RecollectError):
        return f"{name}: {error.unquoted}"
    if isinstance(error, _SPEAK_OF_CODE):
        return f"{name}: {error}"
    return name
