"""The benches still run: each contestant of ours stores and loads on the present schema."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import pytest

from bench.contestants.ours import Awaited, Blocking
from bench.contestants.raw import RawMessages, RawMinimal


@pytest.mark.parametrize("contestant", [Awaited, Blocking, RawMessages, RawMinimal])
def test_a_contestant_stores_and_loads(contestant: type[Any], tmp_path: Path) -> None:
    async def run() -> int:
        one = contestant()
        assert "WAL, full" in await one.open(tmp_path)
        await one.fill(5)
        await _done(one.append(0, one.draft(0)))
        loaded: int = await _done(one.load())
        await one.close()
        return loaded

    assert asyncio.run(run()) == 6


async def _done(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result
