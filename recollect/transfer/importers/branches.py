"""Conversations with branches, as one sequence of messages.

A conversation branches where an answer was regenerated or a question was edited. The path from the
first message to the current one is active; all other messages were replaced and stay on record.
In the sequence, replaced messages come right before their replacement, and every message comes
after its parent. So the active messages are in order, and so is each branch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.core.errors import InvalidInput
from recollect.core.turns import starts_turn
from recollect.core.types import Role
from recollect.transfer.types import Columns


@dataclass(frozen=True, slots=True)
class TreeNode:
    id: str
    parent: str | None
    """A parent that is not among the nodes counts as None."""
    at: float
    """Sorts the branches of one parent, oldest first."""


@dataclass(frozen=True, slots=True)
class SequencedNode:
    id: str
    parent: str | None
    is_active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LastNumbers:
    """The numbers and the role after which a conversation continues."""

    last_seq: int = 0
    last_turn: int = 0
    last_role: Role | None = None
    """The role of the last active message."""


def linearize(nodes: Sequence[TreeNode], current: str | None) -> list[SequencedNode]:
    """Return all nodes in sequence. If `current` is unknown, the newest leaf is the current node.

    Raises InvalidInput for duplicate ids and for cycles.
    """
    parents = _parents(nodes)
    children = _children(nodes, parents)
    leaf = current if current in parents else _newest_leaf(nodes, children)
    active = _path_to(leaf, parents)
    sequence: list[SequencedNode] = []
    stack = _push_order(children.get(None, ()), active)
    while stack:
        id = stack.pop()
        sequence.append(SequencedNode(id, parents[id], id in active))
        stack += _push_order(children.get(id, ()), active)
    if len(sequence) < len(parents):
        raise InvalidInput("Its messages follow each other in a circle.")
    return sequence


def assign_numbers(
    rows: Sequence[Columns], after: LastNumbers
) -> tuple[list[dict[str, Any]], LastNumbers]:
    """Return the rows with the next seqs and turns, and the last numbers now.

    Turns count active messages only: a replaced message gets the turn of its replacement.
    """
    seq, turn, role = after.last_seq, after.last_turn, after.last_role
    numbered: list[dict[str, Any]] = []
    replaced = 0
    for row in rows:
        seq += 1
        if row["superseded_at"] is not None:
            replaced += 1
        else:
            turn += starts_turn(row["role"], role)
            role = row["role"]
            for before in numbered[len(numbered) - replaced :]:
                before["turn"] = turn
            replaced = 0
        numbered.append({**row, "seq": seq, "turn": turn})
    return numbered, LastNumbers(last_seq=seq, last_turn=turn, last_role=role)


def _parents(nodes: Sequence[TreeNode]) -> dict[str, str | None]:
    ids = {node.id for node in nodes}
    if len(ids) < len(nodes):
        raise InvalidInput("Two of its messages have the same id.")
    return {node.id: node.parent if node.parent in ids else None for node in nodes}


def _children(
    nodes: Sequence[TreeNode], parents: Mapping[str, str | None]
) -> dict[str | None, list[str]]:
    children: dict[str | None, list[str]] = {}
    for node in sorted(nodes, key=lambda node: node.at):
        children.setdefault(parents[node.id], []).append(node.id)
    return children


def _newest_leaf(
    nodes: Sequence[TreeNode], children: Mapping[str | None, Sequence[str]]
) -> str | None:
    leaves = [node for node in nodes if node.id not in children]
    return max(reversed(leaves), key=lambda node: node.at).id if leaves else None


def _path_to(leaf: str | None, parents: Mapping[str, str | None]) -> set[str]:
    path: set[str] = set()
    while leaf is not None and leaf not in path:
        path.add(leaf)
        leaf = parents[leaf]
    return path


def _push_order(children: Sequence[str], active: set[str]) -> list[str]:
    """The active child is visited last, so it is pushed first."""
    replaced = [id for id in children if id not in active]
    return [*(id for id in children if id in active), *reversed(replaced)]
