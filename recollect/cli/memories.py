"""The commands over what is known about a user."""

import argparse
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import LONGEST_LINE, Commands, add_actions, add_command, open_existing
from recollect.core.memory_types import Memory, MemoryFilters, MemoryIn
from recollect.core.types import MemoryType
from recollect.settings import LOCAL_USER, Settings
from recollect.sync import Recollect


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    actions = add_actions(commands, "memories", help="see and correct what is known about a user")
    owned = argparse.ArgumentParser(add_help=False, parents=[database])
    owned.add_argument("--user", default=LOCAL_USER, help="whose memories; else local's")
    memory_list = add_command(actions, "list", parents=[owned], help="list them, newest first")
    memory_list.add_argument("text", nargs="*", help="words that they contain")
    memory_list.add_argument("--type", choices=get_args(MemoryType))
    memory_list.add_argument("--category")
    memory_list.add_argument("--pinned", action="store_true", default=None)
    memory_list.add_argument("--archived", action="store_true")
    memory_list.add_argument("--superseded", action="store_true", help="what held before")
    memory_list.add_argument("--limit", type=int, default=50, help="at most so many")
    memory_list.set_defaults(command=_list)
    add = add_command(actions, "add", parents=[owned], help="remember something")
    add.add_argument("text", nargs="+", help="what to remember")
    add.add_argument("--type", choices=get_args(MemoryType), default="fact")
    add.add_argument("--category")
    add.add_argument("--pin", action="store_true", help="show it in every context")
    add.set_defaults(command=_add)
    edit = add_command(actions, "edit", parents=[owned], help="correct, pin or archive one")
    edit.add_argument("id", help="the id that `memories list` shows")
    edit.add_argument("text", nargs="*", help="what it is to say")
    edit.add_argument("--pin", action=argparse.BooleanOptionalAction, default=None)
    edit.add_argument("--archive", action=argparse.BooleanOptionalAction, default=None)
    edit.set_defaults(command=_edit)
    extract = add_command(actions, "extract", parents=[owned], help="read a conversation for them")
    extract.add_argument("conversation", help="its id")
    extract.set_defaults(command=_extract)
    for name, does, help in (
        ("history", _show, "show every change of one"),
        ("undo", _undo, "take back its last change"),
        ("delete", _delete, "forget one"),
    ):
        action = add_command(actions, name, parents=[owned], help=help)
        action.add_argument("id", help="the id that `memories list` shows")
        action.set_defaults(command=does)


def _list(settings: Settings, options: argparse.Namespace) -> int:
    filters = MemoryFilters(
        memory_type=options.type,
        category=options.category,
        pinned=options.pinned,
        archived=options.archived,
        superseded=options.superseded,
        query=" ".join(options.text) or None,
    )
    with open_existing(settings) as memory:
        found = memory.memories.get_memories(filters, options.limit, user_id=options.user)
    for one in found:
        print(_line(one))
    if not found:
        print("Nothing was found.")
    return 0


def _add(settings: Settings, options: argparse.Namespace) -> int:
    new = MemoryIn(
        memory_type=options.type,
        content=" ".join(options.text),
        category=options.category,
        is_pinned=options.pin,
    )
    with Recollect.open(settings=settings) as memory:
        print(_line(memory.memories.create_memory(new, user_id=options.user)))
    return 0


def _edit(settings: Settings, options: argparse.Namespace) -> int:
    given = {
        "content": " ".join(options.text) or None,
        "is_pinned": options.pin,
        "is_archived": options.archive,
    }
    updates = {name: value for name, value in given.items() if value is not None}
    with open_existing(settings) as memory:
        print(
            _line(
                memory.memories.update_memory(updates, memory_id=options.id, user_id=options.user)
            )
        )
    return 0


def _extract(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        found = memory.memories.extract_memories(
            conversation_id=options.conversation, user_id=options.user
        )
    for one in found:
        print(_line(one))
    if not found:
        print("Nothing new to remember.")
    return 0


def _show(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        print(_line(memory.memories.get_memory(memory_id=options.id, user_id=options.user)))
        for event in memory.memories.get_history(200, memory_id=options.id, user_id=options.user):
            undone = " (undone)" if event.undone_at else ""
            print(f"{event.created_at:%Y-%m-%d %H:%M}  {event.action} by {event.actor}{undone}")
            before = event.before or {}
            for name, value in event.after.items():
                if value != before.get(name):
                    was = f"{before[name]} → " if before.get(name) is not None else ""
                    print(f"      {name}: {was}{value}")
    return 0


def _undo(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        print(_line(memory.memories.undo(memory_id=options.id, user_id=options.user)))
    return 0


def _delete(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as memory:
        memory.memories.delete_memory(memory_id=options.id, user_id=options.user)
    print("Forgotten.")
    return 0


def _line(one: Memory) -> str:
    marks = {"pinned": one.is_pinned, "archived": one.is_archived, "superseded": one.valid_to}
    about = ", ".join([one.memory_type, *(name for name, is_so in marks.items() if is_so)])
    content = shorten(one.content, LONGEST_LINE, placeholder=" …")
    return f"{one.id}  {one.valid_from.date()}  {content} ({about})"
