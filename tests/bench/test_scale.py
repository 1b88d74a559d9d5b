"""`bench.scale` runs and detects growth."""

import asyncio
from collections.abc import Callable
from math import log10
from xml.etree import ElementTree

import pytest

from bench.scale.axes import AXES, MEASURED
from bench.scale.fixture import open_fixture
from bench.scale.operations import OPERATIONS, Cost, Costs, measure
from bench.scale.plot import draw
from bench.scale.report import grows
from bench.scale.texts import Texts

SIZES = [10**power for power in range(7)]


@pytest.fixture(scope="module")
def texts() -> Texts:
    return Texts(200)


def test_measuring_restores_the_database(database_url: str, texts: Texts) -> None:
    async def run() -> Costs:
        axis = next(axis for axis in AXES if axis.name == "conversations")
        costs = {}
        async with open_fixture(database_url, axis, texts, max_vectors=1_000) as fixture:
            for size in (1, 10):
                await fixture.grow(size)
                before = _everything(fixture.writer.execute)
                costs[size] = await measure(fixture, rounds=1)
                assert _everything(fixture.writer.execute) == before
                said = await fixture.memory.conversations.get_messages(
                    200, conversation_id=fixture.chat, user_id=MEASURED
                )
                assert [message.seq for message in said] == [*range(1, 201)]
                found = await fixture.memory.conversations.list_conversations(user_id=MEASURED)
                assert len([*found]) == size
        return costs

    costs = asyncio.run(run())
    for found in costs.values():
        assert [*found] == [operation.label for operation in OPERATIONS]
        assert all(cost.p50 > 0 and cost.statements and cost.rows for cost in found.values())


def _everything(execute: Callable[[str], list[tuple[object, ...]]]) -> list[object]:
    """Count everything that appends, digests and jobs write."""
    tables = ("messages", "documents", "embeddings", "summaries", "jobs")
    counts = [execute(f"select count(*) from {table}") for table in tables]
    standing = "select id, last_seq, through_seq, token_count, digested_tokens from conversations"
    return [*counts, sorted(execute(standing), key=str)]


@pytest.mark.parametrize(
    ("cost", "is_growing"),
    [
        (lambda size: 3.0, False),
        (lambda size: 1.0 + log10(size), False),
        (lambda size: size**0.5, True),
        (lambda size: 5 + size / 100_000, True),
    ],
    ids=["constant", "logarithm", "root", "linear at the end"],
)
def test_growth_faster_than_log_is_detected(cost: Callable[[int], float], is_growing: bool) -> None:
    assert grows({size: Cost([cost(size)]) for size in SIZES}) is is_growing


def test_plot_has_a_line_per_operation() -> None:
    line = [(size, 0.5 + size / 1000) for size in SIZES]
    panels = {
        "SQLite": {"append": line, "digest <a step>": line[3:]},
        "PostgreSQL": {"append": line},
    }
    picture = ElementTree.fromstring(draw("Costs & sizes", panels, x="messages", y="ms"))
    svg = "{http://www.w3.org/2000/svg}"
    lines = [one.attrib["points"].split() for one in picture.iter(f"{svg}polyline")]
    assert [len(points) for points in lines] == [7, 4, 7]
    heights = [float(point.partition(",")[2]) for point in lines[0]]
    assert heights == sorted(heights, reverse=True)
    texts = [text.text for text in picture.iter(f"{svg}text")]
    assert {"Costs & sizes", "append", "digest <a step>", "1M"} <= {*texts}
