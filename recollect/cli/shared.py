"""Helpers that all commands share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from recollect.core.errors import NotFound
from recollect.settings import LOCAL_USER, Settings
from recollect.store.sqlite import MEMORY
from recollect.store.url import parse_database_url
from recollect.sync import Recollect

MAX_LINE_CHARS = 100
CLI_ACTOR = "cli"
"""The operator in the audit log."""
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
CommandFunction = Callable[[Settings, argparse.Namespace], int | None]
"""Runs a command, and returns its exit status: None for success."""

DATABASE = argparse.ArgumentParser(add_help=False)
DATABASE.add_argument(
    "--database",
    dest="database_url",
    metavar="URL",
    help="sqlite:///path.db or postgresql://… (default: DATABASE_URL)",
)
DATABASE_AND_USER = argparse.ArgumentParser(add_help=False, parents=[DATABASE])
DATABASE_AND_USER.add_argument("--user", default=LOCAL_USER, help="the user (default: local)")


def add_command(
    commands: Commands,
    name: str,
    run: CommandFunction,
    help: str,
    *,
    parent: argparse.ArgumentParser | None = DATABASE,
) -> argparse.ArgumentParser:
    """Add a command with the options of `parent`."""
    parser = _add_parser(commands, name, help, *([parent] if parent else []))
    parser.set_defaults(command=lambda settings, options: run(settings, options) or 0)
    return parser


def add_actions(commands: Commands, name: str, help: str) -> Commands:
    """Add a command that has subcommands."""
    group = _add_parser(commands, name, help)
    group.set_defaults(group=group)
    return group.add_subparsers(metavar="ACTION")


def _add_parser(
    commands: Commands, name: str, help: str, *parents: argparse.ArgumentParser
) -> argparse.ArgumentParser:
    """Add a parser; `help` is also the first line of its own help."""
    description = f"{help[0].upper()}{help[1:]}."
    return commands.add_parser(name, help=help, description=description, parents=parents)


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
