"""SIGKILL during appends: acknowledged messages exist once, and the next start works."""

import random
import subprocess

import psycopg
import pytest

from recollect.sync import Recollect
from tests.faults.append_log import AppendLog, check_file
from tests.faults.conftest import Start
from tests.faults.fault_report import FaultReport, Findings

_TASKS = 6


def test_kill_loses_nothing_acknowledged(
    new_database: str, start: Start, fault_report: FaultReport
) -> None:
    _survive(new_database, start, fault_report, rounds=5, most_lines=500)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_hundred_kills_lose_nothing_acknowledged(
    new_database: str, start: Start, fault_report: FaultReport
) -> None:
    _survive(new_database, start, fault_report, rounds=100, most_lines=1500)


def _survive(
    url: str, start: Start, fault_report: FaultReport, *, rounds: int, most_lines: int
) -> None:
    seed = random.SystemRandom().randrange(2**32)
    chosen = random.Random(seed)
    append_log = AppendLog()
    retried = stored = 0
    found = Findings()
    for number in range(rounds):
        lines = chosen.choice([1, chosen.randrange(1, 10), chosen.randrange(1, most_lines)])
        _run_and_kill(url, start, append_log, run=f"{seed}/{number}", lines=lines)
        _wait_for_its_transactions(url)
        try:
            check_file(url)
            with Recollect.open(url) as memory:
                _, after_the_crash = append_log.check(memory)
                retried += len(append_log.open_requests)
                append_log.retry(memory)
                stored, after_retrying = append_log.check(memory)
                found += after_the_crash + after_retrying
        except AssertionError as error:
            error.add_note(f"seed {seed}, round {number}, killed after {lines} lines")
            raise
    fault_report.record(
        "SIGKILL during appends",
        url,
        found,
        kills=rounds,
        acknowledged=len(append_log.acknowledged),
        stored=stored,
        retried_with_their_key=retried,
    )


def _run_and_kill(url: str, start: Start, append_log: AppendLog, *, run: str, lines: int) -> None:
    """Kill the process after some lines; return all its output."""
    process = start("appender", url, run, _TASKS, 0, stdout=subprocess.PIPE)
    assert process.stdout is not None
    for number, line in enumerate(process.stdout, 1):
        if not line.endswith(b"\n"):
            break
        append_log.read(line)
        if number == lines:
            process.kill()
    assert process.wait() == -9, f"{run} ended by itself"


def _wait_for_its_transactions(url: str) -> None:
    """Wait until PostgreSQL has ended the killed client's session."""
    if url.startswith("sqlite:"):
        return
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(
            "select from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid() and backend_type = 'client backend'"
        ).fetchall():
            pass
