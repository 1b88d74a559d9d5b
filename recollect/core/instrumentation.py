"""Events for metrics. Without a listener they do nothing.

    events.count("messages_stored", 2)
    events.count("stream_ended", status="complete")

| event | value | labels |
| --- | --- | --- |
| `messages_stored` | number | |
| `model_called` | 1 | `purpose`, `variant`, `outcome`: ok, failed or cancelled |
| `model_seconds` | duration | `purpose`, `variant` |
| `tokens` | number | `purpose`, `direction`: in or out |
| `digested` | 1 | `outcome`: model, extractive, lost_race or failed |
| `stream_started` | 1 | |
| `stream_ended` | 1 | `status`: complete, interrupted or error |
| `stream_left` | 1 | |

Labels have few values, and never contain user ids or message texts.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

Event = Literal[
    "messages_stored",
    "model_called",
    "model_seconds",
    "tokens",
    "digested",
    "stream_started",
    "stream_ended",
    "stream_left",
]


class Listener(Protocol):
    def __call__(self, event: Event, value: float, labels: Mapping[str, str]) -> None:
        """Must be fast and must not raise: the event has happened already."""
        ...


class Events:
    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def count(self, event: Event, value: float = 1, **labels: str) -> None:
        for listener in self._listeners:
            listener(event, value, labels)
