"""The command over users."""

import argparse
from dataclasses import asdict

from recollect.cli.shared import Commands
from recollect.errors import InvalidInput
from recollect.settings import Settings
from recollect.sync import Recollect


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    users = commands.add_parser("users", help="delete a user, with all that is theirs")
    actions = users.add_subparsers(required=True, metavar="ACTION")
    delete = actions.add_parser("delete", parents=[database], help="delete one; for good")
    delete.add_argument("--user", required=True, help="who")
    delete.add_argument("--yes", action="store_true", help="do it")
    delete.set_defaults(command=_delete)


def _delete(settings: Settings, options: argparse.Namespace) -> int:
    if not options.yes:
        raise InvalidInput(
            f"This removes {options.user} with every conversation and key, for good: "
            "say so with --yes."
        )
    with Recollect.open(settings=settings) as memory:
        deleted = memory.users.delete_user(options.user)
    for what, count in asdict(deleted).items():
        print(f"{count:>12,}  {what}")
    print("Gone.")
    return 0
