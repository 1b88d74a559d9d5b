"""Commands: search, rebuild."""

import argparse
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import MAX_LINE_CHARS, Commands, add_command, open_existing
from recollect.core.errors import Unavailable
from recollect.core.wording import format_count
from recollect.recall.search.service import SearchKind
from recollect.settings import LOCAL_USER, Settings


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    search = add_command(
        commands, "search", parents=[database], help="search messages, conversations or memories"
    )
    search.add_argument("query", nargs="+", help="the words to search for")
    search.add_argument(
        "--user", default=LOCAL_USER, help="the user whose data is searched (default: local)"
    )
    search.add_argument("--kind", choices=get_args(SearchKind), default="messages")
    search.add_argument(
        "--limit", type=int, default=10, help="the maximum number of results (default: 10)"
    )
    search.set_defaults(command=_search)

    rebuild = add_command(
        commands, "rebuild", parents=[database], help="rebuild the search index and the embeddings"
    )
    rebuild.set_defaults(command=_rebuild)


def _search(settings: Settings, options: argparse.Namespace) -> int:
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
    return 0


def _rebuild(settings: Settings, options: argparse.Namespace) -> int:
    """Run the jobs here too, in case no worker is running."""
    with open_existing(settings) as engine:
        count = engine.rebuild()
        print(
            f"Rebuilding the search index of {format_count(count, 'conversations')} …", flush=True
        )
        engine.work()
        if left := engine.unfinished():
            raise Unavailable(
                f"{format_count(left, 'jobs')} not done yet: see GET /api/jobs for the reason."
            )
    print("Done.")
    return 0
