"""Commands over whole databases: move, backup, partition."""

import argparse
import asyncio
from contextlib import closing
from functools import partial
from pathlib import Path

from recollect.cli.progress import progress_bar
from recollect.cli.shared import Commands, add_command
from recollect.core.errors import Misconfigured
from recollect.core.wording import install_hint
from recollect.engine import open_database
from recollect.settings import Settings
from recollect.store.sqlite import MEMORY
from recollect.store.url import parse_database_url, without_password
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


def _partition(settings: Settings, options: argparse.Namespace) -> None:
    dialect, address = parse_database_url(settings.database_url)
    if dialect != "postgres":
        raise Misconfigured("partition needs a PostgreSQL database, not SQLite.")
    try:
        from recollect.store.postgres import create_partitioned
    except ImportError as error:
        raise Misconfigured(
            f"The PostgreSQL driver is not installed, {install_hint('postgres')}."
        ) from error
    create_partitioned(address, options.parts)
    where = without_password(settings.database_url)
    print(f"{where} is ready, with {options.parts} partitions by user.")
