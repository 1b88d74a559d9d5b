"""New databases, and processes that are killed at the end of the test."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

import pytest

from tests.conftest import PostgresServer

_ROOT = Path(__file__).parents[2]


Process = subprocess.Popen[bytes]


class Start(Protocol):
    def __call__(self, module: str, *args: object, stdout: IO[bytes] | int) -> Process: ...


@pytest.fixture(params=["sqlite", "postgres"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a database that is not migrated yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create(migrated=False)
    yield url
    server.drop(url)


@pytest.fixture
def new_postgres(postgres: PostgresServer) -> Iterator[str]:
    url = postgres.create(migrated=False)
    yield url
    postgres.drop(url)


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a module of this folder in a new process."""
    started: list[Process] = []

    def start_module(module: str, *args: object, stdout: IO[bytes] | int) -> Process:
        command = [sys.executable, "-W", "error", "-m", f"tests.faults.{module}", *map(str, args)]
        process = subprocess.Popen(command, cwd=_ROOT, stdout=stdout)
        started.append(process)
        return process

    yield start_module
    for process in started:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
