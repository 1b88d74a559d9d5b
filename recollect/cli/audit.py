"""Command: audit."""

import argparse
import json
from dataclasses import asdict

from recollect.cli.shared import Commands, add_command, open_existing
from recollect.core.types import utc_text
from recollect.settings import Settings

_PAGE_SIZE = 200


def add_commands(commands: Commands) -> None:
    help = "print the audit log as JSON lines, newest first"
    audit = add_command(commands, "audit", _print_entries, help)
    audit.add_argument("--user", help="only what was done with this user's data")


def _print_entries(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        cursor = None
        while True:
            page = engine.audit.list_entries(_PAGE_SIZE, user_id=options.user, cursor=cursor)
            for entry in page:
                line = {**asdict(entry), "created_at": utc_text(entry.created_at)}
                print(json.dumps(line, ensure_ascii=False))
            cursor = page.next_cursor
            if cursor is None:
                return
