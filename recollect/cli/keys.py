"""The commands over API keys."""

import argparse

from recollect.cli.shared import Commands, add_actions, add_command, open_existing
from recollect.settings import Settings
from recollect.store.url import without_password
from recollect.sync import Recollect


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    actions = add_actions(commands, "keys", help="make, list and revoke API keys")
    create = add_command(actions, "create", parents=[database], help="print a new key, once")
    create.add_argument("--user", required=True, help="whose key it is")
    create.add_argument("--admin", action="store_true", help="it may act for others")
    create.set_defaults(command=_create)
    listing = add_command(actions, "list", parents=[database], help="list all keys")
    listing.set_defaults(command=_list)
    revoke = add_command(actions, "revoke", parents=[database], help="revoke a key")
    revoke.add_argument("id", help="the id that `keys list` shows")
    revoke.set_defaults(command=_revoke)


def _create(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        key = memory.keys.create_key(user_id=options.user, is_admin=options.admin)
    where = without_password(settings.database_url)
    print(f"A new key for {options.user} in {where}. It is shown only now:")
    print(key)
    return 0


def _list(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        keys = memory.keys.list_keys()
        is_shut = memory.keys.any_keys()
    for key in keys:
        state = "revoked" if key.revoked_at else "admin" if key.is_admin else "active"
        created = key.created_at.date()
        print(f"{key.id}  {key.prefix}…  {created}  {state:8}  {key.user_id}")
    if not keys and is_shut:
        print("No keys any more: a server on this database wants one, and nobody has any.")
    elif not keys:
        print("No keys: a server on this database is in local mode.")
    return 0


def _revoke(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        memory.keys.revoke_key(key_id=options.id)
    print("Revoked.")
    return 0
