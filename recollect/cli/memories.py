"""Command: memories."""

import argparse
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import MAX_LINE_CHARS, Commands, add_actions, add_command, open_existing
from recollect.core.memory_types import Memory, MemoryFilters, MemoryIn
from recollect.core.types import MemoryType
from recollect.settings import LOCAL_USER, Settings
from recollect.sync import Recollect


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    actions = add_actions(commands, "memories", help="list and edit the memories of a user")
    owned = argparse.ArgumentParser(add_help=False, parents=[database])
    owned.add_argument("--user", default=LOCAL_USER, help="the user (default: local)")
    listing = add_command(actions, "list", parents=[owned], help="list memories, newest first")
    listing.add_argument("text", nargs="*", help="words in the memory")
    listing.add_argument("--type", choices=get_args(MemoryType))
    listing.add_argument("--category")
    listing.add_argument("--pinned", action="store_true", default=None)
    listing.add_argument("--archived", action="store_true")
    listing.add_argument(
        "--superseded", action="store_true", help="only memories that are no longer valid"
    )
    listing.add_argument("--limit", type=int, default=50, help="the maximum number (default: 50)")
    listing.set_defaults(command=_list)
    add = add_command(actions, "add", parents=[owned], help="add a memory")
    add.add_argument("text", nargs="+", help="the text of the memory")
    add.add_argument("--type", choices=get_args(MemoryType), default="fact")
    add.add_argument("--category")
    add.add_argument("--pin", action="store_true", help="include it in every context")
    add.set_defaults(command=_add)
    edit = add_command(actions, "edit", parents=[owned], help="edit, pin or archive a memory")
    edit.add_argument("id", help="the id shown by `memories list`")
    edit.add_argument("text", nargs="*", help="the new text")
    edit.add_argument("--pin", action=argparse.BooleanOptionalAction, default=None)
    edit.add_argument("--archive", action=argparse.BooleanOptionalAction, default=None)
    edit.set_defaults(command=_edit)
    extract = add_command(
        actions, "extract", parents=[owned], help="extract memories from a conversation"
    )
    extract.add_argument("conversation", help="the id of the conversation")
    extract.set_defaults(command=_extract)
    for name, command, help in (
        ("history", _history, "show all changes of a memory"),
        ("undo", _undo, "undo the last change of a memory"),
        ("delete", _delete, "delete a memory"),
    ):
        action = add_command(actions, name, parents=[owned], help=help)
        action.add_argument("id", help="the id shown by `memories list`")
        action.set_defaults(command=command)


def _list(settings: Settings, options: argparse.Namespace) -> int:
    filters = MemoryFilters(
        memory_type=options.type,
        category=options.category,
        pinned=options.pinned,
        archived=options.archived,
        superseded=options.superseded,
        query=" ".join(options.text) or None,
    )
    with open_existing(settings) as engine:
        memories = engine.memories.get_memories(filters, options.limit, user_id=options.user)
    for memory in memories:
        print(_line(memory))
    if not memories:
        print("No results.")
    return 0


def _add(settings: Settings, options: argparse.Namespace) -> int:
    new = MemoryIn(
        memory_type=options.type,
        content=" ".join(options.text),
        category=options.category,
        is_pinned=options.pin,
    )
    with Recollect.open(settings=settings) as engine:
        print(_line(engine.memories.create_memory(new, user_id=options.user)))
    return 0


def _edit(settings: Settings, options: argparse.Namespace) -> int:
    fields = {
        "content": " ".join(options.text) or None,
        "is_pinned": options.pin,
        "is_archived": options.archive,
    }
    updates = {name: value for name, value in fields.items() if value is not None}
    with open_existing(settings) as engine:
        print(
            _line(
                engine.memories.update_memory(updates, memory_id=options.id, user_id=options.user)
            )
        )
    return 0


def _extract(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as engine:
        memories = engine.memories.extract_memories(
            conversation_id=options.conversation, user_id=options.user
        )
    for memory in memories:
        print(_line(memory))
    if not memories:
        print("No new memories.")
    return 0


def _history(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as engine:
        print(_line(engine.memories.get_memory(memory_id=options.id, user_id=options.user)))
        for event in engine.memories.get_history(200, memory_id=options.id, user_id=options.user):
            undone = " (undone)" if event.undone_at else ""
            print(f"{event.created_at:%Y-%m-%d %H:%M}  {event.action} by {event.actor}{undone}")
            before = event.before or {}
            for name, value in event.after.items():
                if value != before.get(name):
                    was = f"{before[name]} → " if before.get(name) is not None else ""
                    print(f"      {name}: {was}{value}")
    return 0


def _undo(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as engine:
        print(_line(engine.memories.undo(memory_id=options.id, user_id=options.user)))
    return 0


def _delete(settings: Settings, options: argparse.Namespace) -> int:
    with open_existing(settings) as engine:
        engine.memories.delete_memory(memory_id=options.id, user_id=options.user)
    print("Deleted.")
    return 0


def _line(memory: Memory) -> str:
    marks = {
        "pinned": memory.is_pinned,
        "archived": memory.is_archived,
        "superseded": memory.valid_to,
    }
    about = ", ".join([memory.memory_type, *(name for name, is_set in marks.items() if is_set)])
    content = shorten(memory.content, MAX_LINE_CHARS, placeholder=" …")
    return f"{memory.id}  {memory.valid_from.date()}  {content} ({about})"
