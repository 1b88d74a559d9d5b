"""Commands: search, rebuild."""

import argparse
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import (
    DATABASE_AND_USER,
    MAX_LINE_CHARS,
    Commands,
    add_command,
    open_existing,
)
from recollect.core.errors import Unavailable
from recollect.core.wording import format_count
from recollect.recall.search.service import SearchKind
from recollect.settings import Settings


def add_commands(commands: Commands) -> None:
    help = "search messages, conversations or memories"
    search = add_command(commands, "search", _search, help, parent=DATABASE_AND_USER)
    search.add_argument("query", nargs="+", help="the words to search for")
    search.add_argument("--kind", choices=get_args(SearchKind), default="messages")
    search.add_argument("--limit", type=int, default=10, help="the maximum number (default: 10)")

    add_command(commands, "rebuild", _rebuild, "rebuild the search index and the embeddings")


def _search(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        engine.warm_up()
        hits = engine.recall.search(
            " ".join(options.query), user_id=options.user, kind=options.kind, limit=options.limit
        )
    for hit in hits:
        where = hit.conversation_id if hit.seq is None else f"{hit.conversation_id} #{hit.seq}"
        print(f"{hit.score:.2f}  {hit.created_at.date()}  {where or hit.id}")
        print(f"      {shorten(hit.text, MAX_LINE_CHARS, placeholder=' …')}")
    if not hits:
        print("No results.")


def _rebuild(settings: Settings, options: argparse.Namespace) -> None:
    """Run the jobs here too, in case no worker is running."""
    with open_existing(settings) as engine:
        count = engine.rebuild()
        print(
            f"Rebuilding the search index of {format_count(count, 'conversations')} …", flush=True
        )
        engine.work()
        if left := engine.count_pending_index_jobs():
            raise Unavailable(
                f"{format_count(left, 'jobs')} not done yet: see GET /api/jobs for the reason."
            )
    print("Done.")
