"""The primary is lost under load and the standby promoted: the service reconnects by itself."""

import asyncio

import pytest

from tests.faults.client_load import ClientLoad
from tests.faults.fault_report import FaultReport
from tests.faults.load_run import LoadRun
from tests.faults.replication import replicated
from tests.faults.server_group import ServerGroup

_TIMES = 5


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_failover_to_standby(fault_report: FaultReport) -> None:
    with replicated() as pair:
        load_run = LoadRun(pair.url, servers=2, raw_url=pair.writable_url)

        async def fail_over(_: ServerGroup, client_load: ClientLoad) -> None:
            """All client operations succeed before, after, and with a new standby."""
            await client_load.wait_for_successes(1)
            for _number in range(_TIMES):
                await asyncio.to_thread(pair.fail_over)
                await client_load.wait_for_successes(2)
                await asyncio.to_thread(pair.mend)
                await client_load.wait_for_successes(1)

        found = load_run.run_load(fail_over)
        outcomes = load_run.expected.outcomes
        fault_report.record(
            "primary killed, standby promoted",
            pair.url,
            found,
            times=_TIMES,
            acknowledged=len(load_run.expected.said),
            refused_or_aborted=outcomes["refused"] + outcomes["aborted"],
            answers_interrupted=outcomes["answers interrupted"],
        )
