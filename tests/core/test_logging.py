"""Log lines: their fields, and no texts of users."""

import json
import logging
import re
import sys
from typing import Any

import pytest

from recollect.core.errors import ModelFailed, RecollectError
from recollect.core.logging import FieldFormatter, JsonFormatter, request_id

SECRET = "my sister's name is Zoë"


def record_of(error: BaseException | None = None, **fields: object) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    logger = logging.getLogger("recollect.test")
    return logger.makeRecord(
        logger.name, logging.WARNING, "f.py", 1, "it_%s", ("happened",), exc_info, extra=fields
    )


def entry_of(record: logging.LogRecord) -> dict[str, Any]:
    line = JsonFormatter().format(record)
    assert "\n" not in line
    entry: dict[str, Any] = json.loads(line)
    return entry


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    try:
        raise error from cause
    except type(error):
        caught = sys.exc_info()[1]
        assert isinstance(caught, Exception)
        return caught


def test_json_line_fields() -> None:
    token = request_id.set("req-1")
    entry = entry_of(record_of(status=404, level="mine", lines="a\nb\u2028c"))
    request_id.reset(token)
    assert entry.pop("time").endswith("Z")
    assert entry == {
        "level": "WARNING",
        "logger": "recollect.test",
        "event": "it_happened",
        "request_id": "req-1",
        "status": 404,
        "lines": "a\nb\u2028c",
    }
    assert "request_id" not in entry_of(record_of())


def test_text_line_has_fields_before_the_traceback() -> None:
    line, *trace = FieldFormatter().format(record_of(raised(TypeError("x")), a="b c")).split("\n")
    time, _, said = line.partition(" ")
    assert re.fullmatch(r"\d\d:\d\d:\d\d", time)
    assert said == 'WARNING recollect.test: it_happened a="b c"'
    assert trace[0].startswith("Traceback")
    assert trace[-1] == "TypeError: x"


@pytest.mark.parametrize("formatter", [FieldFormatter(), JsonFormatter()])
def test_exception_messages_are_not_logged(formatter: logging.Formatter) -> None:
    quoting = [
        ValueError(SECRET),
        KeyError(SECRET),
        ModelFailed("The model failed (500)", detail=SECRET),
        RecollectError("PostgreSQL failed."),
    ]
    for error in quoting:
        for shown in (
            raised(error),
            raised(RuntimeError(), error),
            raised(ExceptionGroup(SECRET, [error])),
        ):
            line = formatter.format(record_of(shown))
            assert SECRET not in line
            assert "Zo" not in line
            assert type(error).__name__ in line
            assert "test_logging.py" in line  # where it came from


def test_recollect_error_messages_are_logged() -> None:
    said = entry_of(record_of(raised(ModelFailed("The model failed (500)", detail=SECRET))))
    assert said["exception"].endswith("ModelFailed: The model failed (500)")


def test_model_error_detail_is_not_logged() -> None:
    error = ModelFailed("It failed (400)", detail=SECRET)
    assert error.message == f"It failed (400): {SECRET}"
    assert error.log_message == "It failed (400)"
    assert ModelFailed().log_message == ModelFailed().message == "The model did not answer."
