"""Mixed load on two servers that are killed repeatedly; then all invariants are checked."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from tests.faults.append_log import check_file
from tests.faults.client_load import ClientLoad
from tests.faults.fault_report import FaultReport
from tests.faults.load_run import LoadRun
from tests.faults.server_group import ServerGroup
from tests.raw import RawDatabase

_MODEL_FAULTS = 0.2


def test_killed_servers_under_load(tmp_path: Path, fault_report: FaultReport) -> None:
    _hold(f"sqlite:///{tmp_path}/recollect.db", fault_report, kills=2, seconds_each=1.0)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_killed_servers_under_long_load(database_url: str, fault_report: FaultReport) -> None:
    _hold(database_url, fault_report, kills=20, seconds_each=6.0)


def _hold(url: str, fault_report: FaultReport, *, kills: int, seconds_each: float) -> None:
    load_run = LoadRun(url, servers=2, model_faults=_MODEL_FAULTS)
    chosen = random.Random(load_run.seed)

    async def kill(group: ServerGroup, client_load: ClientLoad) -> None:
        await client_load.wait_for_successes(1)
        for _ in range(kills):
            await asyncio.sleep(chosen.uniform(0, 2 * seconds_each))
            await asyncio.to_thread(group.kill, chosen.choice(group.urls))
            await asyncio.to_thread(group.add)
        await client_load.wait_for_successes(1)

    began = time.monotonic()
    found = load_run.run_load(kill)
    check_file(url)
    expected, model_behaviour = load_run.expected, load_run.model_behaviour
    fault_report.record(
        "SIGKILL under mixed load",
        url,
        found,
        kills=kills,
        seconds=round(time.monotonic() - began),
        acknowledged=len(expected.said),
        words_deleted=len(expected.deleted_words),
        contexts=expected.outcomes["build_context"],
        searches=expected.outcomes["search"],
        requests_aborted=expected.outcomes["aborted"],
        answers_interrupted=expected.outcomes["answers interrupted"],
        model_calls=model_behaviour.asked,
        bad_responses=model_behaviour.bad_answers,
        summaries=RawDatabase(url).count("summaries"),
    )
