"""What the commands have in common."""

import argparse
from collections.abc import Sequence
from typing import TypeAlias

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
