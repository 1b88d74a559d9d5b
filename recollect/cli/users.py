"""The command over users."""

import argparse
from dataclasses import asdict

from recollect.cli.shared import Commands, add_actions, add_command, open_existing
from recollect.core.errors import InvalidInput, NotFound
from recollect.core.plurals import things_of
from recollect.settings import Settings
from recollect.store.url import without_password


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    actions = add_actions(commands, "users", help="delete a user, with all that is theirs")
    delete = add_command(actions, "delete", parents=[database], help="delete one; for good")
    delete.add_argument("--user", required=True, help="who")
    delete.add_argument("--yes", action="store_true", help="do it")
    delete.set_defaults(command=_delete)


def _delete(settings: Settings, options: argparse.Namespace) -> int:
    if not options.yes:
        raise InvalidInput(
            f"This removes {options.user} with every conversation and key, for good: "
            "say so with --yes."
        )
    with open_existing(settings) as memory:
        deleted = memory.users.delete_user(user_id=options.user)
    if not any(asdict(deleted).values()):
        where = without_password(settings.database_url)
        raise NotFound(f"There is no user {options.user} in {where}: nothing of theirs was there.")
    for what, count in asdict(deleted).items():
        print(f"{count:>12,}  {things_of(count, what)}")
    print("Gone.")
    return 0
