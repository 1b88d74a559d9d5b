"""The command line: serve, worker, search, memories, rebuild, keys, config, doctor."""

import argparse
import asyncio
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from importlib.metadata import version
from pathlib import Path
from textwrap import shorten
from typing import get_args

from recollect import engine
from recollect.errors import Misconfigured, RecollectError, Unavailable
from recollect.logs import configure_logging
from recollect.memories import Memory, MemoryFilters, MemoryIn
from recollect.model import MemoryType
from recollect.recall.search import SearchKind
from recollect.settings import LOCAL_USER, NAMES, SECRETS, Settings, parse_database_url
from recollect.sync import Recollect

_LONGEST_LINE = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status; what went wrong is said in one sentence."""
    options = parser().parse_args(arguments)
    configure_logging()
    try:
        status: int = options.command(_settings(options), options)
    except RecollectError as error:
        print(f"recollect: {error.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="recollect", description="Conversation memory for LLM applications."
    )
    parser.add_argument("--version", action="version", version=version("recollect"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    database = argparse.ArgumentParser(add_help=False)
    database.add_argument(
        "--database", metavar="URL", help="sqlite:///path.db or postgresql://…; else DATABASE_URL"
    )

    serve = commands.add_parser("serve", parents=[database], help="serve the API and the web app")
    serve.add_argument("--host", help="the address to listen on")
    serve.add_argument("--port", type=int, help="the port to listen on")
    serve.set_defaults(command=_serve)

    worker = commands.add_parser(
        "worker", parents=[database], help="do what is owed, on as many machines as you like"
    )
    worker.set_defaults(command=_work)

    search = commands.add_parser("search", parents=[database], help="find what was said")
    search.add_argument("query", nargs="+", help="what to look for")
    search.add_argument("--user", default=LOCAL_USER, help="whose conversations; else local's")
    search.add_argument("--kind", choices=get_args(SearchKind), default="messages")
    search.add_argument("--limit", type=int, default=10, help="at most so many")
    search.set_defaults(command=_search)

    _add_memory_commands(commands, database)

    rebuild = commands.add_parser(
        "rebuild", parents=[database], help="derive anew all that search needs"
    )
    rebuild.set_defaults(command=_rebuild)

    keys = commands.add_parser("keys", help="make, list and revoke API keys")
    actions = keys.add_subparsers(required=True, metavar="ACTION")
    create = actions.add_parser("create", parents=[database], help="print a new key, once")
    create.add_argument("--user", required=True, help="whose key it is")
    create.add_argument("--admin", action="store_true", help="it may act for others")
    create.set_defaults(command=_create_key)
    listing = actions.add_parser("list", parents=[database], help="list all keys")
    listing.set_defaults(command=_list_keys)
    revoke = actions.add_parser("revoke", parents=[database], help="revoke a key")
    revoke.add_argument("id", help="the id that `keys list` shows")
    revoke.set_defaults(command=_revoke_key)

    config = commands.add_parser("config", parents=[database], help="show the settings in force")
    config.set_defaults(command=_config)

    doctor = commands.add_parser(
        "doctor", parents=[database], help="check the installation, and say what to do"
    )
    doctor.set_defaults(command=_doctor)
    return parser


def _add_memory_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    database: argparse.ArgumentParser,
) -> None:
    memories = commands.add_parser("memories", help="see and correct what is known about a user")
    actions = memories.add_subparsers(required=True, metavar="ACTION")
    owned = argparse.ArgumentParser(add_help=False, parents=[database])
    owned.add_argument("--user", default=LOCAL_USER, help="whose memories; else local's")
    memory_list = actions.add_parser("list", parents=[owned], help="list them, newest first")
    memory_list.add_argument("text", nargs="*", help="words that they contain")
    memory_list.add_argument("--type", choices=get_args(MemoryType))
    memory_list.add_argument("--category")
    memory_list.add_argument("--pinned", action="store_true", default=None)
    memory_list.add_argument("--archived", action="store_true")
    memory_list.add_argument("--superseded", action="store_true", help="what held before")
    memory_list.add_argument("--limit", type=int, default=50, help="at most so many")
    memory_list.set_defaults(command=_list_memories)
    add = actions.add_parser("add", parents=[owned], help="remember something")
    add.add_argument("text", nargs="+", help="what to remember")
    add.add_argument("--type", choices=get_args(MemoryType), default="fact")
    add.add_argument("--category")
    add.add_argument("--pin", action="store_true", help="show it in every context")
    add.set_defaults(command=_add_memory)
    edit = actions.add_parser("edit", parents=[owned], help="correct, pin or archive one")
    edit.add_argument("id", help="the id that `memories list` shows")
    edit.add_argument("text", nargs="*", help="what it is to say")
    edit.add_argument("--pin", action=argparse.BooleanOptionalAction, default=None)
    edit.add_argument("--archive", action=argparse.BooleanOptionalAction, default=None)
    edit.set_defaults(command=_edit_memory)
    extract = actions.add_parser("extract", parents=[owned], help="read a conversation for them")
    extract.add_argument("conversation", help="its id")
    extract.set_defaults(command=_extract_memories)
    for name, does, help in (
        ("history", _show_memory, "show every change of one"),
        ("undo", _undo_memory, "take back its last change"),
        ("delete", _delete_memory, "forget one"),
    ):
        action = actions.add_parser(name, parents=[owned], help=help)
        action.add_argument("id", help="the id that `memories list` shows")
        action.set_defaults(command=does)


def _settings(options: argparse.Namespace) -> Settings:
    settings = Settings.from_environment()
    if options.database is not None:
        parse_database_url(options.database)
        settings = replace(settings, database_url=options.database)
    given = {name: getattr(options, name, None) for name in ("host", "port")}
    return replace(settings, **{name: value for name, value in given.items() if value is not None})


def _serve(settings: Settings, options: argparse.Namespace) -> int:
    try:
        from recollect.server.run import serve
    except ImportError as error:
        raise Misconfigured("Serving needs more: pip install 'recollect[server]'.") from error
    return serve(settings)


def _work(settings: Settings, options: argparse.Namespace) -> int:
    """Until Ctrl-C or a SIGTERM; what it was at is taken up by another when its lease lapses."""

    async def work() -> None:
        async with engine.Recollect.open(settings=settings) as memory:
            running = asyncio.create_task(memory.run_worker())
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
            print("Working on what is owed (stop with Ctrl-C).", flush=True)
            with suppress(asyncio.CancelledError):
                await running

    asyncio.run(work())
    return 0


def _search(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        memory.warm_up()
        hits = memory.recall.search(
            options.user, " ".join(options.query), kind=options.kind, limit=options.limit
        )
    for hit in hits:
        where = hit.conversation_id if hit.seq is None else f"{hit.conversation_id} #{hit.seq}"
        print(f"{hit.score:.2f}  {hit.created_at.date()}  {where or hit.id}")
        print(f"      {shorten(hit.text, _LONGEST_LINE, placeholder=' …')}")
    if not hits:
        print("Nothing was found.")
    return 0


def _list_memories(settings: Settings, options: argparse.Namespace) -> int:
    filters = MemoryFilters(
        memory_type=options.type,
        category=options.category,
        pinned=options.pinned,
        archived=options.archived,
        superseded=options.superseded,
        query=" ".join(options.text) or None,
    )
    with Recollect.open(settings=settings) as memory:
        found = memory.memories.get_memories(options.user, filters, options.limit)
    for one in found:
        print(_memory_line(one))
    if not found:
        print("Nothing was found.")
    return 0


def _add_memory(settings: Settings, options: argparse.Namespace) -> int:
    new = MemoryIn(
        memory_type=options.type,
        content=" ".join(options.text),
        category=options.category,
        is_pinned=options.pin,
    )
    with Recollect.open(settings=settings) as memory:
        print(_memory_line(memory.memories.create_memory(options.user, new)))
    return 0


def _edit_memory(settings: Settings, options: argparse.Namespace) -> int:
    given = {
        "content": " ".join(options.text) or None,
        "is_pinned": options.pin,
        "is_archived": options.archive,
    }
    updates = {name: value for name, value in given.items() if value is not None}
    with Recollect.open(settings=settings) as memory:
        print(_memory_line(memory.memories.update_memory(options.id, options.user, updates)))
    return 0


def _extract_memories(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        found = memory.memories.extract_memories(options.conversation, options.user)
    for one in found:
        print(_memory_line(one))
    if not found:
        print("Nothing new to remember.")
    return 0


def _show_memory(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        print(_memory_line(memory.memories.get_memory(options.id, options.user)))
        for event in memory.memories.get_history(options.id, options.user, 200):
            undone = " (undone)" if event.undone_at else ""
            print(f"{event.created_at:%Y-%m-%d %H:%M}  {event.action} by {event.actor}{undone}")
            before = event.before or {}
            for name, value in event.after.items():
                if value != before.get(name):
                    was = f"{before[name]} → " if before.get(name) is not None else ""
                    print(f"      {name}: {was}{value}")
    return 0


def _undo_memory(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        print(_memory_line(memory.memories.undo(options.id, options.user)))
    return 0


def _delete_memory(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        memory.memories.delete_memory(options.id, options.user)
    print("Forgotten.")
    return 0


def _memory_line(one: Memory) -> str:
    marks = {"pinned": one.is_pinned, "archived": one.is_archived, "superseded": one.valid_to}
    about = ", ".join([one.memory_type, *(name for name, is_so in marks.items() if is_so)])
    content = shorten(one.content, _LONGEST_LINE, placeholder=" …")
    return f"{one.id}  {one.valid_from.date()}  {content} ({about})"


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


def _create_key(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        key = memory.keys.create_key(options.user, is_admin=options.admin)
    where = _without_password(settings.database_url)
    print(f"A new key for {options.user} in {where}. It is shown only now:")
    print(key)
    return 0


def _list_keys(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        keys = memory.keys.list_keys()
    for key in keys:
        state = "revoked" if key.revoked_at else "admin" if key.is_admin else "active"
        created = key.created_at.date()
        print(f"{key.id}  {key.prefix}…  {created}  {state:8}  {key.user_id}")
    if not keys:
        print("No keys: a server on this database is in local mode.")
    return 0


def _revoke_key(settings: Settings, options: argparse.Namespace) -> int:
    with Recollect.open(settings=settings) as memory:
        memory.keys.revoke_key(options.id)
    print("Revoked.")
    return 0


def _config(settings: Settings, options: argparse.Namespace) -> int:
    for setting in fields(settings):
        value = str(getattr(settings, setting.name))
        if value and setting.name in SECRETS:
            value = "…"
        print(f"{NAMES[setting.name]}={_without_password(value)}")
    return 0


def _doctor(settings: Settings, options: argparse.Namespace) -> int:
    """Creates nothing: a database that is not there yet may be a mistyped address."""
    print("settings    fine")
    where = _without_password(settings.database_url)
    if _can_be_created(settings.database_url):
        print(f"database    {where} is not there yet: the first start creates it")
        return 0
    with Recollect.open(settings=settings) as memory:
        print(f"database    {where} opens, and can be written")
        memory.check()
        print("migrations  all applied")
        print(f"extensions  vectors {memory.vector_version()}")
        mode = "API keys" if memory.keys.any_keys() else "local: one user, this machine only"
        print(f"identity    {mode}")
        print(f"search      by words{_meaning(memory.embedder)}")
    print(f"models      {_models(settings)}")
    return 0


def _models(settings: Settings) -> str:
    variants = settings.chat_variants()
    default = variants[settings.default_variant_name()]
    if default.is_local:
        return "local: small, for trying out; RECOLLECT_CHAT_MODEL connects another"
    where = _without_password(default.base_url or "OpenAI")
    return f"{default.name}: {default.model} at {where}"


def _meaning(embedder: str | None) -> str:
    if embedder is None:
        return "; RECOLLECT_EMBEDDER and RECOLLECT_EMBEDDING_MODEL add meaning"
    return f" and by meaning, with {embedder}"


def _can_be_created(database_url: str) -> bool:
    kind, path = parse_database_url(database_url)
    if kind != "sqlite" or Path(path).exists():
        return False
    nearest = next(parent for parent in Path(path).absolute().parents if parent.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK)


def _without_password(text: str) -> str:
    text = re.sub(r"(://[^:@/?]*):.*@", r"\1:…@", text)
    return re.sub(r"([?&]password=)[^&]*", r"\1…", text)
