"""The commands over the search: search, and rebuild of all that it needs."""

import argparse
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import LONGEST_LINE, Commands, add_command, open_existing
from recollect.core.errors import Unavailable
from recollect.core.plurals import counted
from recollect.recall.search.service import SearchKind
from recollect.settings import LOCAL_USER, Settings


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    search = add_command(commands, "search", parents=[database], help="find what was said")
    search.add_argument("query", nargs="+", help="what to look for")
    search.add_argument("--user", default=LOCAL_USER, help="whose conversations; else local's")
    search.add_argument("--kind", choices=get_args(SearchKind), default="messages")
    search.add_argument("--limit", type=int, default=10, help="at most so many")
    search.set_defaults(command=_search)

    rebuild = add_command(
        commands, "rebuild", parents=[database], help="derive anew all that search needs"
    )
    rebuild.set_defaults(command=_rebuild)


def _search(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        memory.warm_up()
        hits = memory.recall.search(
            " ".join(options.query), user_id=options.user, kind=options.kind, limit=options.limit
        )
    for hit in hits:
        where = hit.conversation_id if hit.seq is None else f"{hit.conversation_id} #{hit.seq}"
        print(f"{hit.score:.2f}  {hit.created_at.date()}  {where or hit.id}")
        print(f"      {shorten(hit.text, LONGEST_LINE, placeholder=' …')}")
    if not hits:
        print("Nothing was found.")
    return 0


def _rebuild(settings: Settings, options: argparse.Namespace) -> int:
    """Where no worker is running, the work is done here; one that is takes its part."""
    with open_existing(settings) as memory:
        count = memory.rebuild()
        print(f"Deriving what search needs of {counted(count, 'conversations')} …", flush=True)
        memory.work()
        if left := memory.unfinished():
            raise Unavailable(f"Not done yet: {counted(left, 'jobs')}. GET /api/jobs says why.")
    print("Done.")
    return 0
