"""How a conversation is remembered. A policy is data, not code, and is chosen by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from recollect.errors import Misconfigured


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What is kept: at most `max_turns` turns, none older than `max_age`."""

    max_turns: int
    max_age: timedelta

    def __post_init__(self) -> None:
        if self.max_turns < 1 or self.max_age <= timedelta(0):
            raise Misconfigured("A retention keeps at least one turn, for longer than no time.")


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
