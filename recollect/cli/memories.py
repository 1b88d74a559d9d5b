"""Command: memories."""

import argparse
from collections.abc import Sequence
from textwrap import shorten
from typing import get_args

from recollect.cli.shared import (
    DATABASE_AND_USER,
    MAX_LINE_CHARS,
    CommandFunction,
    Commands,
    add_actions,
    add_command,
    open_existing,
)
from recollect.core.memory_types import Memory, MemoryFilters, MemoryIn
from recollect.core.types import MemoryType
from recollect.settings import Settings
from recollect.sync import Recollect


def add_commands(commands: Commands) -> None:
    actions = add_actions(commands, "memories", "list and edit the memories of a user")

    def add_action(name: str, run: CommandFunction, help: str) -> argparse.ArgumentParser:
        return add_command(actions, name, run, help, parent=DATABASE_AND_USER)

    listing = add_action("list", _list, "list memories, newest first")
    listing.add_argument("text", nargs="*", help="words in the memory")
    listing.add_argument("--type", choices=get_args(MemoryType))
    listing.add_argument("--category")
    listing.add_argument("--pinned", action="store_true", default=None)
    listing.add_argument("--archived", action="store_true")
    listing.add_argument(
        "--superseded", action="store_true", help="only memories that are no longer valid"
    )
    listing.add_argument("--limit", type=int, default=50, help="the maximum number (default: 50)")
    add = add_action("add", _add, "add a memory")
    add.add_argument("text", nargs="+", help="the text of the memory")
    add.add_argument("--type", choices=get_args(MemoryType), default="fact")
    add.add_argument("--category")
    add.add_argument("--pin", action="store_true", help="include it in every context")
    edit = add_action("edit", _edit, "edit, pin or archive a memory")
    edit.add_argument("--pin", action=argparse.BooleanOptionalAction, default=None)
    edit.add_argument("--archive", action=argparse.BooleanOptionalAction, default=None)
    extract = add_action("extract", _extract, "extract memories from a conversation")
    extract.add_argument("conversation", help="the id of the conversation")
    history = add_action("history", _history, "show all changes of a memory")
    undo = add_action("undo", _undo, "undo the last change of a memory")
    delete = add_action("delete", _delete, "delete a memory")
    for action in (edit, history, undo, delete):
        action.add_argument("id", help="the id shown by `memories list`")
    edit.add_argument("text", nargs="*", help="the new text")  # follows the id


def _list(settings: Settings, options: argparse.Namespace) -> None:
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
    _print_all(memories.items, if_empty="No results.")


def _add(settings: Settings, options: argparse.Namespace) -> None:
    new = MemoryIn(
        memory_type=options.type,
        content=" ".join(options.text),
        category=options.category,
        is_pinned=options.pin,
    )
    with Recollect.open(settings=settings) as engine:
        print(_line(engine.memories.create_memory(new, user_id=options.user)))


def _edit(settings: Settings, options: argparse.Namespace) -> None:
    fields = {
        "content": " ".join(options.text) or None,
        "is_pinned": options.pin,
        "is_archived": options.archive,
    }
    updates = {name: value for name, value in fields.items() if value is not None}
    with open_existing(settings) as engine:
        memory = engine.memories.update_memory(updates, memory_id=options.id, user_id=options.user)
    print(_line(memory))


def _extract(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        memories = engine.memories.extract_memories(
            conversation_id=options.conversation, user_id=options.user
        )
    _print_all(memories, if_empty="No new memories.")


def _history(settings: Settings, options: argparse.Namespace) -> None:
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


def _undo(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        print(_line(engine.memories.undo(memory_id=options.id, user_id=options.user)))


def _delete(settings: Settings, options: argparse.Namespace) -> None:
    with open_existing(settings) as engine:
        engine.memories.delete_memory(memory_id=options.id, user_id=options.user)
    print("Deleted.")


def _print_all(memories: Sequence[Memory], *, if_empty: str) -> None:
    print("\n".join(map(_line, memories)) or if_empty)


def _line(memory: Memory) -> str:
    marks = {
        "pinned": memory.is_pinned,
        "archived": memory.is_archived,
        "superseded": memory.valid_to,
    }
    about = ", ".join([memory.memory_type, *(name for name, is_set in marks.items() if is_set)])
    content = shorten(memory.content, MAX_LINE_CHARS, placeholder=" …")
    return f"{memory.id}  {memory.valid_from.date()}  {content} ({about})"
