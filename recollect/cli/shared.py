"""What the commands have in common."""

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
LONGEST_LINE = 100


def add_command(
    commands: Commands, name: str, *, help: str, parents: Sequence[argparse.ArgumentParser] = ()
) -> argparse.ArgumentParser:
    """A command whose own help begins with what the list of commands says of it."""
    description = f"{help[0].upper()}{help[1:]}."
    return commands.add_parser(name, help=help, description=description, parents=[*parents])


def add_actions(commands: Commands, name: str, *, help: str) -> Commands:
    """A command that is several."""
    group = add_command(commands, name, help=help)
    group.set_defaults(called=group)
    return group.add_subparsers(metavar="ACTION")


def is_missing(database_url: str) -> bool:
    """A SQLite file that is not there: to open it would make it."""
    dialect, path = parse_database_url(database_url)
    return dialect == "sqlite" and path != MEMORY and not Path(path).exists()


def check_there(settings: Settings) -> None:
    """For commands that make nothing: what is not there may be a mistyped address."""
    if is_missing(settings.database_url):
        _, path = parse_database_url(settings.database_url)
        raise NotFound(f"There is no database at {path}.")


def open_existing(settings: Settings) -> Recollect:
    check_there(settings)
    return Recollect.open(settings=settings)
