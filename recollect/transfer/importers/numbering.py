"""Numbers for messages that come in with branches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recollect.core.turns import starts_turn
from recollect.core.types import Role
from recollect.transfer.importers.values import Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Where a conversation's numbering goes on."""

    last_seq: int = 0
    last_turn: int = 0
    last_role: Role | None = None
    """Of the last message that stands."""


def numbered(rows: Sequence[Columns], ends: Ends) -> tuple[list[dict[str, Any]], Ends]:
    """The rows with the numbers that come next.

    Turns count what stands, as if nothing else had been said: what was replaced belongs to the
    turn of what took its place.
    """
    seq, turn, role = ends.last_seq, ends.last_turn, ends.last_role
    found: list[dict[str, Any]] = []
    replaced = 0
    for row in rows:
        seq += 1
        if row["superseded_at"] is not None:
            replaced += 1
        else:
            turn += starts_turn(row["role"], role)
            role = row["role"]
            for before in found[len(found) - replaced :]:
                before["turn"] = turn
            replaced = 0
        found.append({**row, "seq": seq, "turn": turn})
    return found, Ends(last_seq=seq, last_turn=turn, last_role=role)
