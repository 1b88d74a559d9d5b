"""The commands over the search: search, and rebuild of all that it needs."""

import argparse
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import LONGEST_LINE, Commands
from recollect.errors import Unavailable
from recollect.recall.search import SearchKind
from recollect.settings import LOCAL_USER, Settings
from recollect.sync import Recollect


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    search = commands.add_parser("search", parents=[database], help="find what was said")
    search.add_argument("query", nargs="+", help="what to look for")
    search.add_argument("--user", default=LOCAL_USER, help="whose conversations; else local's")
    search.add_argument("--kind", choices=get_args(SearchKind), default="messages")
    search.add_argument("--limit", type=int, default=10, help="at most so many")
    search.set_defaults(command=_search)

    rebuild = commands.add_parser(
        "rebuild", parents=[database], help="derive anew all that search needs"
    )
    rebuild.set_defaults(command=_rebuild)


def _search(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        memory.warm_up()
        hits = memory.recall.search(
            options.user, " ".join(options.query), kind=options.kind, limit=options.limit
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
    with Recollect.open(settings=settings) as memory:
        count = memory.rebuild()
        number = "1 conversation" if count == 1 else f"{count:,} conversations"
        print(f"Deriving what search needs of {number} …", flush=True)
        memory.work()
        if left := memory.unfinished():
            raise Unavailable(f"{left:,} jobs are not done yet: GET /api/jobs says why.")
    print("Done.")
    return 0
