"""Log lines for people and machines: an event's name, then its fields as key=value."""

import json
import logging

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class FieldFormatter(logging.Formatter):
    """Appends what was given as `extra`; texts are quoted, so that a line stays a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        fields = {name: value for name, value in vars(record).items() if name not in _STANDARD}
        shown = (
            f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
            for name, value in fields.items()
        )
        return " ".join([line, *shown])


def configure_logging() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(FieldFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for every call to a model
