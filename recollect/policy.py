"""How a conversation is remembered. A policy is data, not code, and is chosen by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What is kept: at most `max_turns` turns, none older than `max_age`."""

    max_turns: int
    max_age: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    name: str
    retention: Retention | None = None


DEFAULT_POLICY = "chunked"
HISTORY_POLICY = "ephemeral"

PRESETS: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy(name="chunked"),
        Policy(name="window"),
        Policy(name="tiered"),
        Policy(name="rolling"),
        Policy(
            name="ephemeral",
            retention=Retention(max_turns=10, max_age=timedelta(hours=24)),
        ),
    )
}
