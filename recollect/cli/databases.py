"""Commands over whole databases: move, backup, vacuum, partition."""

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from recollect.cli.progress import progress_bar
from recollect.cli.shared import Commands, add_command, check_exists
from recollect.core.errors import Misconfigured
from recollect.core.wording import install_hint
from recollect.engine import open_database
from recollect.settings import Settings
from recollect.store.sqlite import MEMORY
from recollect.store.url import parse_database_url, without_password
from recollect.transfer import vacuum_sqlite
from recollect.transfer.backup import back_up
from recollect.transfer.copy.move import check_move_url, move, open_endpoint


def add_commands(commands: Commands) -> None:
    help = "copy everything to another database and verify the copy"
    moving = add_command(commands, "move", _move, help, parent=None)
    moving.add_argument(
        "source", metavar="SOURCE", help="the URL to copy from; it must not be in use"
    )
    moving.add_argument("target", metavar="TARGET", help="the URL of an empty database")

    help = "copy a SQLite database while it is in use"
    backup = add_command(commands, "backup", _back_up, help)
    backup.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    backup.add_argument("--force", action="store_true", help="replace an existing file")

    help = "rewrite a database, so that nothing of deleted data is left in its files"
    add_command(commands, "vacuum", _vacuum, help)

    help = "create partitioned tables in an empty PostgreSQL database"
    partition = add_command(commands, "partition", _partition, help)
    partition.add_argument(
        "--parts", type=int, default=16, metavar="N", help="the number of partitions (default: 16)"
    )


def _move(settings: Settings, options: argparse.Namespace) -> None:
    """If interrupted, the same command resumes."""
    check_move_url(options.source, exists=True)
    check_move_url(options.target, exists=False)
    for url in (options.source, options.target):
        asyncio.run(_migrate(url))
    with (
        closing(open_endpoint(options.source)) as source,
        closing(open_endpoint(options.target)) as target,
        progress_bar() as show,
    ):
        print(f"Moving {source.address} to {target.address}.")
        print("Stop all servers and workers of both databases until it is done.", flush=True)
        moved = move(
            source,
            target,
            lambda progress: show(
                f"{progress.step} {progress.table}", progress.done, progress.total
            ),
        )
    for table, digest in moved.items():
        print(f"{digest.rows:>12,}  {table}")
    print("Verified: row counts and hashes agree.")


async def _migrate(url: str) -> None:
    """Migrate to this release, so that both databases have the same tables."""
    await (await open_database(url)).close()


def _back_up(settings: Settings, options: argparse.Namespace) -> None:
    dialect, path = parse_database_url(settings.database_url)
    if dialect != "sqlite":
        raise Misconfigured(
            "Use PostgreSQL's own tool: pg_dump --format=custom "
            "--enable-row-security --role=recollect_system --file=FILE URL."
        )
    if path == MEMORY:
        raise Misconfigured("A database in memory cannot be backed up.")
    with progress_bar() as show:
        back_up(Path(path), options.file, force=options.force, report=partial(show, "Copying"))
    size = options.file.stat().st_size
    print(f"{options.file} is a verified copy of {path}: {size:,} bytes.")


def _vacuum(settings: Settings, options: argparse.Namespace) -> None:
    check_exists(settings)
    dialect, address = parse_database_url(settings.database_url)
    if address == MEMORY:
        raise Misconfigured("A database in memory cannot be vacuumed.")
    asyncio.run(_migrate(settings.database_url))  # earlier word indexes kept deleted words
    if dialect == "postgres":
        with _postgres_driver():
            from recollect.transfer import vacuum_postgres
        is_complete = vacuum_postgres.vacuum(address)
        print(f"{without_password(settings.database_url)} is rewritten.")
        if not is_complete:
            print("The planner's statistics are not: that needs the owner of the database.")
        return
    vacuumed = vacuum_sqlite.vacuum(Path(address))
    print(f"{address} is rewritten: {vacuumed.bytes_before:,} to {vacuumed.bytes_after:,} bytes.")
    if not vacuumed.is_log_empty:
        print(
            f"{address}-wal still has older pages, because another process is reading them: run "
            "vacuum again when it has finished."
        )


def _partition(settings: Settings, options: argparse.Namespace) -> None:
    dialect, address = parse_database_url(settings.database_url)
    if dialect != "postgres":
        raise Misconfigured("partition needs a PostgreSQL database, not SQLite.")
    with _postgres_driver():
        from recollect.store.postgres import create_partitioned
    create_partitioned(address, options.parts)
    where = without_password(settings.database_url)
    print(f"{where} is ready, with {options.parts} partitions by user.")


@contextmanager
def _postgres_driver() -> Iterator[None]:
    """For imports of modules that need the optional driver."""
    try:
        yield
    except ImportError as error:
        raise Misconfigured(
            f"The PostgreSQL driver is not installed, {install_hint('postgres')}."
        ) from error
