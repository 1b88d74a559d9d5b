"""Signals to all processes of a PostgreSQL server."""

import os
import signal

import psycopg


def signal_all(url: str, postmaster: int, sent: signal.Signals) -> list[int]:
    """Signal all processes and return their ids. The postmaster is stopped first."""
    with psycopg.connect(url, autocommit=True) as connection:
        os.kill(postmaster, signal.SIGSTOP)
        found = connection.execute("select pid from pg_stat_activity").fetchall()
        others = [pid for (pid,) in found if pid != connection.info.backend_pid]
    signalled = [postmaster, *others]
    for pid in signalled:
        os.kill(pid, sent)
    return signalled


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
