"""SIGKILL at any moment: what was acknowledged is there, once, and the next start goes on."""

import random
import subprocess

import psycopg
import pytest

from recollect.sync import Recollect
from tests.faults.conftest import Start
from tests.faults.ledger import Ledger, check_file
from tests.faults.tally import Findings, Tally

_TASKS = 6


def test_nothing_acknowledged_is_lost(new_database: str, start: Start, tally: Tally) -> None:
    _survive(new_database, start, tally, rounds=5, most_lines=500)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_nothing_acknowledged_is_lost_in_a_hundred_crashes(
    new_database: str, start: Start, tally: Tally
) -> None:
    _survive(new_database, start, tally, rounds=100, most_lines=1500)


def _survive(url: str, start: Start, tally: Tally, *, rounds: int, most_lines: int) -> None:
    seed = random.SystemRandom().randrange(2**32)
    chosen = random.Random(seed)
    ledger = Ledger()
    retried = stored = 0
    found = Findings()
    for number in range(rounds):
        lines = chosen.choice([1, chosen.randrange(1, 10), chosen.randrange(1, most_lines)])
        _run_and_kill(url, start, ledger, run=f"{seed}/{number}", lines=lines)
        _wait_for_its_transactions(url)
        try:
            check_file(url)
            with Recollect.open(url) as memory:
                _, after_the_crash = ledger.check(memory)
                retried += len(ledger.open_requests)
                ledger.retry(memory)
                stored, after_retrying = ledger.check(memory)
                found += after_the_crash + after_retrying
        except AssertionError as error:
            error.add_note(f"seed {seed}, round {number}, killed after {lines} lines")
            raise
    tally.tell(
        "SIGKILL while appending",
        url,
        found,
        kills=rounds,
        acknowledged=len(ledger.acknowledged),
        stored=stored,
        retried_under_their_key=retried,
    )


def _run_and_kill(url: str, start: Start, ledger: Ledger, *, run: str, lines: int) -> None:
    """Kills it when it has said a number of lines, and reads to the end of what it said."""
    process = start("appender", url, run, _TASKS, 0, stdout=subprocess.PIPE)
    assert process.stdout is not None
    for number, line in enumerate(process.stdout, 1):
        if not line.endswith(b"\n"):
            break
        ledger.read(line)
        if number == lines:
            process.kill()
    assert process.wait() == -9, f"{run} ended by itself"


def _wait_for_its_transactions(url: str) -> None:
    """A server ends what a dead client has sent to it; that may be the commit."""
    if url.startswith("sqlite:"):
        return
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(
            "select from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid() and backend_type = 'client backend'"
        ).fetchall():
            pass
