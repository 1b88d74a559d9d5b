"""A mixed load on two servers, which are killed again and again; then all tables are read, and
every promise that they can show is checked."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from tests.faults.fleet import Fleet
from tests.faults.ledger import check_file
from tests.faults.siege import Siege
from tests.faults.tally import Tally
from tests.faults.traffic import Traffic
from tests.raw import RawDatabase

_MODEL_FAULTS = 0.2


def test_a_load_on_servers_that_are_killed(tmp_path: Path, tally: Tally) -> None:
    _hold(f"sqlite:///{tmp_path}/recollect.db", tally, kills=2, seconds_each=1.0)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_minutes_of_load_on_servers_that_are_killed(database_url: str, tally: Tally) -> None:
    _hold(database_url, tally, kills=20, seconds_each=6.0)


def _hold(url: str, tally: Tally, *, kills: int, seconds_each: float) -> None:
    siege = Siege(url, servers=2, model_faults=_MODEL_FAULTS)
    chosen = random.Random(siege.seed)

    async def kill(fleet: Fleet, traffic: Traffic) -> None:
        await traffic.succeed(1)
        for _ in range(kills):
            await asyncio.sleep(chosen.uniform(0, 2 * seconds_each))  # any moment will do
            await asyncio.to_thread(fleet.kill, chosen.choice(fleet.urls))
            await asyncio.to_thread(fleet.add)
        await traffic.succeed(1)

    began = time.monotonic()
    found = siege.hold(kill)
    check_file(url)
    facts, talking = siege.facts, siege.talking
    tally.tell(
        "SIGKILL under a mixed load",
        url,
        found,
        kills=kills,
        seconds=round(time.monotonic() - began),
        acknowledged=len(facts.said),
        words_deleted=len(facts.gone_words),
        contexts=facts.outcomes["build_context"],
        searches=facts.outcomes["search"],
        requests_cut_off=facts.outcomes["cut off"],
        answers_cut_short=facts.outcomes["answers cut short"],
        model_calls=talking.asked,
        bad_ones=talking.misbehaved,
        summaries=RawDatabase(url).count("summaries"),
    )
