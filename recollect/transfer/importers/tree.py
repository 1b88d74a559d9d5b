"""A conversation with branches, in one line.

Where an answer was generated anew, or a question was edited, a conversation forks. One way through
is the conversation as it stands, from its first message to its current one; all others were
replaced, and stay on record. In line, what was replaced comes right before what took its place, and
every message after the one it follows: so what stands is in its order, and so is each branch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    parent: str | None
    """Of the message that it follows. One that is not there is none."""
    at: float
    """When it was said: of the branches at one message, the older comes first."""


@dataclass(frozen=True, slots=True)
class Placed:
    id: str
    parent: str | None
    stands: bool


def in_line(nodes: Sequence[Node], current: str | None) -> list[Placed]:
    """All nodes. Without a current one that is known, the newest message that nothing follows.

    Raises InvalidInput where they go round in circles.
    """
    parents = _parents(nodes)
    children = _children(nodes, parents)
    leaf = current if current in parents else _newest_leaf(nodes, children)
    standing = _way_to(leaf, parents)
    placed: list[Placed] = []
    waiting = _last_first(children.get(None, ()), standing)
    while waiting:
        id = waiting.pop()
        placed.append(Placed(id, parents[id], id in standing))
        waiting += _last_first(children.get(id, ()), standing)
    if len(placed) < len(parents):
        raise InvalidInput("Its messages follow each other in a circle.")
    return placed


def _parents(nodes: Sequence[Node]) -> dict[str, str | None]:
    ids = {node.id for node in nodes}
    if len(ids) < len(nodes):
        raise InvalidInput("Two of its messages have the same id.")
    return {node.id: node.parent if node.parent in ids else None for node in nodes}


def _children(
    nodes: Sequence[Node], parents: Mapping[str, str | None]
) -> dict[str | None, list[str]]:
    children: dict[str | None, list[str]] = {}
    for node in sorted(nodes, key=lambda node: node.at):
        children.setdefault(parents[node.id], []).append(node.id)
    return children


def _newest_leaf(nodes: Sequence[Node], children: Mapping[str | None, Sequence[str]]) -> str | None:
    leaves = [node for node in nodes if node.id not in children]
    return max(reversed(leaves), key=lambda node: node.at).id if leaves else None


def _way_to(leaf: str | None, parents: Mapping[str, str | None]) -> set[str]:
    way: set[str] = set()
    while leaf is not None and leaf not in way:
        way.add(leaf)
        leaf = parents[leaf]
    return way


def _last_first(children: Sequence[str], standing: set[str]) -> list[str]:
    """What stands is visited last, so it is put down first."""
    replaced = [id for id in children if id not in standing]
    return [*(id for id in children if id in standing), *reversed(replaced)]
