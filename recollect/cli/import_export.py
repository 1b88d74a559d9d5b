"""Commands over a user's data: export, import."""

import argparse
import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from recollect.cli.progress import progress_bar
from recollect.cli.shared import (
    CLI_ACTOR,
    DATABASE_AND_USER,
    Commands,
    add_command,
    check_exists,
)
from recollect.core.errors import NotFound
from recollect.core.files import atomic_write
from recollect.core.wording import format_count
from recollect.engine import Recollect
from recollect.settings import Settings
from recollect.store.url import without_password
from recollect.transfer.importers.archive import ImportFile, list_import_files
from recollect.transfer.types import Counts, Imported

_STDIO = "-"
_CHUNK_BYTES = 1 << 16
_MAX_SHOWN_FAILURES = 20
_REPORTED_KINDS = ("conversation", "message")
_EMPTY_EXPORT_LINES = 2
"""Header and footer."""


def add_commands(commands: Commands) -> None:
    export = add_command(
        commands, "export", _export, "export all data of a user", parent=DATABASE_AND_USER
    )
    export.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default=_STDIO,
        help="the file to write (default: standard output)",
    )
    export.add_argument("--force", action="store_true", help="replace an existing file")

    help = "import an export of Recollect, ChatGPT or Claude"
    importing = add_command(commands, "import", _import, help, parent=DATABASE_AND_USER)
    importing.add_argument(
        "file", metavar="FILE", help="a file, a ZIP archive, or - for standard input"
    )
    importing.add_argument(
        "--restore-deleted",
        action="store_true",
        help="import also conversations that were deleted here",
    )


def _export(settings: Settings, options: argparse.Namespace) -> int:
    check_exists(settings)
    user = options.user
    written: Counter[str] = Counter()

    async def export(out: TextIO) -> None:
        async with Recollect.open(settings=settings) as engine:
            async for lines in _export_lines(user, engine):
                out.write(lines)
                for kind in _REPORTED_KINDS:
                    written[kind] += f"\n{lines}".count(f'\n{{"kind":"{kind}",')

    if options.file == _STDIO:
        try:
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            asyncio.run(export(sys.stdout))
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        return 0
    with (
        atomic_write(Path(options.file), force=options.force) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as out,
    ):
        asyncio.run(export(out))
    counts = ", ".join(format_count(written[kind], f"{kind}s") for kind in _REPORTED_KINDS)
    print(f"Wrote {counts} of {user} to {options.file}.", file=sys.stderr)
    return 0


async def _export_lines(user_id: str, engine: Recollect) -> AsyncIterator[str]:
    """Raise NotFound for a user without data and keys: the name may be mistyped."""
    lines = engine.data.export_lines(user_id=user_id)
    head = await anext(lines) + await anext(lines)
    is_empty = head.count("\n") == _EMPTY_EXPORT_LINES
    if is_empty and all(key.user_id != user_id for key in await engine.keys.list_keys()):
        where = without_password(engine.settings.database_url)
        raise NotFound(f"There is no user {user_id} in {where}.")
    await engine.audit.record(user_id=user_id, actor=CLI_ACTOR, action="export", operation="export")
    yield head
    async for line in lines:
        yield line


def _import(settings: Settings, options: argparse.Namespace) -> int:
    async def import_all() -> Imported:
        done = Imported()
        async with Recollect.open(settings=settings) as engine:
            await engine.audit.record(
                user_id=options.user, actor=CLI_ACTOR, action="change", operation="import"
            )
            if options.file == _STDIO:
                return await engine.data.import_file(
                    _standard_input(),
                    user_id=options.user,
                    restore_deleted=options.restore_deleted,
                )
            with progress_bar() as show:
                before = 0

                def show_part(read: int) -> None:
                    show("importing", before + read, total)

                for part in parts:
                    done += await engine.data.import_file(
                        _chunks(part),
                        user_id=options.user,
                        progress=show_part,
                        restore_deleted=options.restore_deleted,
                    )
                    before += part.size
        return done

    parts = [] if options.file == _STDIO else list_import_files(Path(options.file))
    total = sum(part.size for part in parts)
    return _report(asyncio.run(import_all()))


async def _chunks(part: ImportFile) -> AsyncIterator[bytes]:
    for chunk in part.chunks():
        yield chunk


async def _standard_input() -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(sys.stdin.buffer.read, _CHUNK_BYTES):
        yield chunk


def _report(done: Imported) -> int:
    """Print the result and return the exit status: 1 if something could not be imported."""
    print(f"Imported: {_format_counts(done.imported)}.")
    if done.skipped != Counts():
        print(f"Already there, or deleted here: {_format_counts(done.skipped)}.")
    for failure in done.failed[:_MAX_SHOWN_FAILURES]:
        print(f"recollect: {failure.where}: {failure.reason}", file=sys.stderr)
    if done.failures > _MAX_SHOWN_FAILURES:
        print(f"recollect: and {done.failures - _MAX_SHOWN_FAILURES:,} more.", file=sys.stderr)
    if done.imported.conversations:
        print("They can be searched once a server or worker has indexed them.")
    return 1 if done.failures else 0


def _format_counts(counts: Counts) -> str:
    found = [
        format_count(count, name.replace("_", " "))
        for name, count in asdict(counts).items()
        if count
    ]
    return ", ".join(found) or "nothing"
