"""Helpers that all commands share."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from recollect.core.errors import NotFound
from recollect.settings import Settings
from recollect.store.sqlite import MEMORY
from recollect.store.url import parse_database_url
from recollect.sync import Recollect

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
MAX_LINE_CHARS = 100


def add_command(
    commands: Commands, name: str, *, help: str, parents: Sequence[argparse.ArgumentParser] = ()
) -> argparse.ArgumentParser:
    """Add a command; `help` is also the first line of its own help."""
    description = f"{help[0].upper()}{help[1:]}."
    return commands.add_parser(name, help=help, description=description, parents=[*parents])


def add_actions(commands: Commands, name: str, *, help: str) -> Commands:
    """Add a command that has subcommands."""
    group = add_command(commands, name, help=help)
    group.set_defaults(group=group)
    return group.add_subparsers(metavar="ACTION")


def is_missing(database_url: str) -> bool:
    """Whether the URL is a SQLite file that does not exist: opening it would create it."""
    dialect, path = parse_database_url(database_url)
    return dialect == "sqlite" and path != MEMORY and not Path(path).exists()


def check_exists(settings: Settings) -> None:
    """Raise NotFound instead of creating a database: the URL may be mistyped."""
    if is_missing(settings.database_url):
        _, path = parse_database_url(settings.database_url)
        raise NotFound(f"There is no database at {path}.")


def open_existing(settings: Settings) -> Recollect:
    check_exists(settings)
    return Recollect.open(settings=settings)
