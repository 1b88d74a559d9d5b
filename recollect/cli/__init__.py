"""The command line: one module per group of commands."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version

from recollect.cli import (
    audit,
    databases,
    doctor,
    import_export,
    keys,
    memories,
    search,
    serve,
    users,
)
from recollect.core.errors import RecollectError
from recollect.core.logging import configure_logging
from recollect.settings import Settings

_GROUPS = (serve, search, memories, import_export, keys, users, audit, databases, doctor)
"""In the order of `recollect --help`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status. Errors are printed as one sentence."""
    options = parser().parse_args(arguments)
    if "command" not in options:
        options.group.print_help(sys.stderr)
        return 2
    configure_logging()
    try:
        settings = _settings(options)
        configure_logging(settings.log_format)
        status: int = options.command(settings, options)
    except RecollectError as error:
        print(f"recollect: {error.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has gone, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="recollect", description="Conversation memory for LLM applications."
    )
    parser.add_argument("--version", action="version", version=version("recollect"))
    parser.set_defaults(group=parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for group in _GROUPS:
        group.add_commands(commands)
    return parser


def _settings(options: argparse.Namespace) -> Settings:
    names = ("database_url", "host", "port")
    given = {name: value for name in names if (value := getattr(options, name, None)) is not None}
    return replace(Settings.from_environment(), **given)
