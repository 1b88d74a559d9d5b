"""PostgreSQL's machine is gone under load, and its replica is promoted: what was acknowledged is
there, and the service, which was told of both hosts, goes on by itself."""

import asyncio

import pytest

from tests.faults.fleet import Fleet
from tests.faults.replication import replicated
from tests.faults.siege import Siege
from tests.faults.tally import Tally
from tests.faults.traffic import Traffic

_TIMES = 5


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_a_replica_takes_over(tally: Tally) -> None:
    with replicated() as pair:
        siege = Siege(pair.url, servers=2, raw_url=pair.writable_url)

        async def fail_over(_: Fleet, traffic: Traffic) -> None:
            """All that clients do goes well before, after, and with a new replica."""
            await traffic.succeed(1)
            for _number in range(_TIMES):
                await asyncio.to_thread(pair.fail_over)
                await traffic.succeed(2)
                await asyncio.to_thread(pair.mend)
                await traffic.succeed(1)

        found = siege.hold(fail_over)
        outcomes = siege.facts.outcomes
        tally.tell(
            "the primary killed, its replica promoted",
            pair.url,
            found,
            times=_TIMES,
            acknowledged=len(siege.facts.said),
            refused_or_cut_off=outcomes["refused"] + outcomes["cut off"],
            answers_cut_short=outcomes["answers cut short"],
        )
