"""Command: keys."""

import argparse
import re
from datetime import UTC, datetime, time, timedelta
from typing import get_args

from recollect.cli.shared import CLI_ACTOR, Commands, add_actions, add_command, open_existing
from recollect.core.types import ApiKey, KeyScope
from recollect.settings import Settings
from recollect.store.url import without_password
from recollect.sync import Recollect


def add_commands(commands: Commands) -> None:
    actions = add_actions(commands, "keys", "create, list, rotate and revoke API keys")
    create = add_command(actions, "create", _create, "create a key and print it once")
    create.add_argument("--user", required=True, help="the user of the key")
    create.add_argument("--name", help="what the key is for")
    create.add_argument(
        "--scope", choices=get_args(KeyScope), help="what the key may do (default: write)"
    )
    create.add_argument(
        "--expires",
        type=_parse_expiry,
        metavar="WHEN",
        help="a date such as 2027-01-31, or a number of days such as 90d (default: never)",
    )
    create.add_argument("--admin", action="store_true", help="the same as --scope admin")
    add_command(actions, "list", _list, "list all keys, without their secrets")
    rotate = add_command(actions, "rotate", _rotate, "replace a key by a new one, printed once")
    rotate.add_argument("id", help="the id shown by `keys list`")
    rotate.add_argument(
        "--grace",
        type=int,
        default=24,
        metavar="HOURS",
        help="how long the old key stays valid (default: 24)",
    )
    revoke = add_command(actions, "revoke", _revoke, "revoke a key")
    revoke.add_argument("id", help="the id shown by `keys list`")


def _create(settings: Settings, options: argparse.Namespace) -> None:
    with Recollect.open(settings=settings) as engine:
        issued = engine.keys.issue_key(
            user_id=options.user,
            is_admin=options.admin,
            name=options.name,
            scope=options.scope,
            expires_at=options.expires,
        )
        _record(engine, "keys create", issued.api_key)
    where = without_password(settings.database_url)
    print(f"New key for {options.user} in {where}, shown only once:")
    print(issued.key)


def _rotate(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        grace = timedelta(hours=options.grace)
        issued = engine.keys.rotate_key(key_id=options.id, grace=grace)
        _record(engine, "keys rotate", issued.api_key)
    print(f"The old key is valid for {options.grace} more hours. The new one, shown only once:")
    print(issued.key)


def _list(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        keys = engine.keys.list_keys()
        needs_key = engine.keys.has_keys()
    for key in keys:
        dates = (key.created_at, key.expires_at, key.last_used_at)
        created, expires, used = (date.date() if date else "never" for date in dates)
        line = f"{key.id}  {key.prefix}…  {created}  {expires!s:10}  {used!s:10}  "
        name = f"  {key.name!r}" if key.name else ""
        print(f"{line}{_state(key):8}  {key.user_id}{name}")
    if not keys and needs_key:
        print("No keys left: a server on this database refuses all requests until you create one.")
    elif not keys:
        print("No keys: a server on this database runs in local mode.")


def _record(engine: Recollect, operation: str, key: ApiKey) -> None:
    engine.audit.record(
        user_id=key.user_id,
        actor=CLI_ACTOR,
        action="change",
        operation=operation,
        target=f"keys/{key.id}",
    )


def _state(key: ApiKey) -> str:
    if key.revoked_at:
        return "revoked"
    if key.expires_at and key.expires_at <= datetime.now(UTC):
        return "expired"
    return "active" if key.scope == "write" else key.scope


def _parse_expiry(text: str) -> datetime:
    """Parse a date, at whose end the key expires, a time, or a number of days."""
    if days := re.fullmatch(r"(\d{1,5})d", text):
        return datetime.now(UTC) + timedelta(days=int(days[1]))
    moment = datetime.fromisoformat(text)
    if re.fullmatch(r"[\d-]+", text):
        moment = datetime.combine(moment, time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _revoke(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        engine.keys.revoke_key(key_id=options.id)
        for key in engine.keys.list_keys():
            if key.id == options.id.lower():
                _record(engine, "keys revoke", key)
    print("Revoked.")
