"""Command: keys."""

import argparse

from recollect.cli.shared import Commands, add_actions, add_command, open_existing
from recollect.settings import Settings
from recollect.store.url import without_password
from recollect.sync import Recollect


def add_commands(commands: Commands) -> None:
    actions = add_actions(commands, "keys", "create, list and revoke API keys")
    create = add_command(actions, "create", _create, "create a key and print it once")
    create.add_argument("--user", required=True, help="the user of the key")
    create.add_argument("--admin", action="store_true", help="allow the key to act for other users")
    add_command(actions, "list", _list, "list all keys, without their secrets")
    revoke = add_command(actions, "revoke", _revoke, "revoke a key")
    revoke.add_argument("id", help="the id shown by `keys list`")


def _create(settings: Settings, options: argparse.Namespace) -> None:
    with Recollect.open(settings=settings) as engine:
        key = engine.keys.create_key(user_id=options.user, is_admin=options.admin)
    where = without_password(settings.database_url)
    print(f"New key for {options.user} in {where}, shown only once:")
    print(key)


def _list(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        keys = engine.keys.list_keys()
        needs_key = engine.keys.has_keys()
    for key in keys:
        state = "revoked" if key.revoked_at else "admin" if key.is_admin else "active"
        created = key.created_at.date()
        print(f"{key.id}  {key.prefix}…  {created}  {state:8}  {key.user_id}")
    if not keys and needs_key:
        print("No keys left: a server on this database refuses all requests until you create one.")
    elif not keys:
        print("No keys: a server on this database runs in local mode.")


def _revoke(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        engine.keys.revoke_key(key_id=options.id)
    print("Revoked.")
