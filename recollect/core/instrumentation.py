"""What happens, told to whoever counts it. Without a listener nothing is done.

    events.count("messages_stored", 2)
    events.count("stream_ended", status="complete")

| event | value | labels |
| --- | --- | --- |
| `messages_stored` | how many | |
| `model_called` | 1 | `purpose`, `variant`, `outcome`: ok, failed or cancelled |
| `model_seconds` | how long it took | `purpose`, `variant` |
| `tokens` | how many | `purpose`, `direction`: in or out |
| `digested` | 1 | `outcome`: model, extractive, lost_race or failed |
| `stream_started` | 1 | |
| `stream_ended` | 1 | `status`: complete, interrupted or error |
| `stream_left` | 1 | a reader went away before the end |

Labels have few values. Who somebody is and what was said are never among them.
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
        """Must be quick, and must not raise: what it hears of has happened."""
        ...


class Events:
    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def count(self, event: Event, value: float = 1, **labels: str) -> None:
        for listener in self._listeners:
            listener(event, value, labels)
