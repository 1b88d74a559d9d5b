"""Linearization and numbering of branches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import InvalidInput
from recollect.transfer.importers.branches import LastNumbers, TreeNode, assign_numbers, linearize


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[TreeNode], str]:
    """Shuffled nodes, each with an earlier, an unknown or no parent."""
    size = draw(st.integers(min_value=1, max_value=15))
    nodes = []
    for number in range(size):
        parent = draw(st.sampled_from([None, "gone", *map(str, range(number))]))
        nodes.append(TreeNode(str(number), parent, draw(st.sampled_from([0.0, 1.0, 2.0]))))
    return draw(st.permutations(nodes)), draw(st.sampled_from(nodes)).id


@given(trees())
def test_linearize_keeps_every_message_in_order(tree: tuple[list[TreeNode], str]) -> None:
    nodes, current = tree
    parents = {node.id: node.parent for node in nodes}
    placed = linearize(nodes, current)
    places = {one.id: place for place, one in enumerate(placed)}
    assert places.keys() == parents.keys()
    way = []
    id: str | None = current
    while id in parents:
        way.append(id)
        id = parents[id]
    assert [one.id for one in placed if one.is_active] == way[::-1]
    for one in placed:
        assert one.parent is None or places[one.parent] < places[one.id]


def test_replaced_messages_precede_their_replacement() -> None:
    nodes = [
        TreeNode("question", None, 1),
        TreeNode("first", "question", 2),
        TreeNode("followed", "first", 3),
        TreeNode("second", "question", 4),
        TreeNode("third", "question", 5),
        TreeNode("next", "third", 6),
    ]
    assert [one.id for one in linearize(nodes, "next")] == [
        *("question", "first", "followed", "second", "third", "next")
    ]
    back = linearize(nodes, "followed")
    assert [one.id for one in back] == [
        *("question", "second", "third", "next", "first", "followed")
    ]
    newest = linearize(nodes, None)
    assert [one.id for one in newest if one.is_active] == ["question", "third", "next"]


@pytest.mark.parametrize(
    "nodes",
    [
        [TreeNode("a", "a", 0)],
        [TreeNode("a", "b", 0), TreeNode("b", "a", 0)],
        [
            TreeNode("root", None, 0),
            TreeNode("a", "b", 0),
            TreeNode("b", "c", 0),
            TreeNode("c", "a", 0),
        ],
        [TreeNode("a", None, 0), TreeNode("a", None, 0)],
    ],
)
def test_cycles_and_duplicates_are_rejected(nodes: list[TreeNode]) -> None:
    for current in ("a", "root", None):
        with pytest.raises(InvalidInput):
            linearize(nodes, current)


def test_a_long_conversation_needs_no_deep_stack() -> None:
    nodes = [TreeNode(str(n), str(n - 1) if n else None, n) for n in range(20_000)]
    assert [one.id for one in linearize(nodes, "19999")] == [str(n) for n in range(20_000)]


def test_turns_count_active_messages() -> None:
    said = [
        *(("user", True), ("assistant", False), ("user", False), ("assistant", False)),
        *(("assistant", True), ("user", False), ("assistant", False), ("user", True)),
        *(("assistant", True), ("user", False)),
    ]
    rows = [
        {"role": role, "superseded_at": None if is_active else "then"} for role, is_active in said
    ]
    placed, ends = assign_numbers(rows, LastNumbers())
    assert [row["seq"] for row in placed] == [*range(1, 11)]
    assert [row["turn"] for row in placed] == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    assert ends == LastNumbers(last_seq=10, last_turn=2, last_role="assistant")
