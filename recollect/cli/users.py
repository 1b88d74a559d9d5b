"""Command: users."""

import argparse
from dataclasses import asdict

from recollect.cli.shared import CLI_ACTOR, Commands, add_actions, add_command, open_existing
from recollect.core.errors import InvalidInput, NotFound
from recollect.core.wording import noun_for
from recollect.settings import Settings
from recollect.store.url import without_password


def add_commands(commands: Commands) -> None:
    actions = add_actions(commands, "users", "delete users")
    help = "delete a user and all their data, permanently"
    delete = add_command(actions, "delete", _delete, help)
    delete.add_argument("--user", required=True, help="the user to delete")
    delete.add_argument("--yes", action="store_true", help="confirm the deletion")


def _delete(settings: Settings, options: argparse.Namespace) -> None:
    if not options.yes:
        raise InvalidInput(
            f"This deletes {options.user} with all conversations and keys, permanently: "
            "confirm with --yes."
        )
    with open_existing(settings) as engine:
        deleted = engine.users.delete_user(user_id=options.user)
        engine.audit.record(
            user_id=options.user, actor=CLI_ACTOR, action="delete", operation="users delete"
        )
    if not any(asdict(deleted).values()):
        where = without_password(settings.database_url)
        raise NotFound(f"There is no user {options.user} in {where}.")
    for what, count in asdict(deleted).items():
        print(f"{count:>12,}  {noun_for(count, what)}")
    print("Deleted.")
