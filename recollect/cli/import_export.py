"""The commands over a user's data: export, import."""

import argparse
import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TextIO

from recollect import engine
from recollect.cli.progress import Bar
from recollect.cli.shared import Commands, add_command, check_there
from recollect.core.errors import NotFound
from recollect.core.files import written_whole
from recollect.core.wording import format_count
from recollect.settings import LOCAL_USER, Settings
from recollect.store.url import without_password
from recollect.transfer.importers.archive import ImportFile, list_import_files
from recollect.transfer.types import Counts, Imported

_STANDARD = "-"
_CHUNK = 1 << 16
_SHOWN_FAILURES = 20
_TOLD = ("conversation", "message")
_LINES_OF_NOTHING = 2
"""The first, which says what the file is, and the last."""


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    export = add_command(commands, "export", parents=[database], help="write all that a user has")
    export.add_argument("file", metavar="FILE", nargs="?", default=_STANDARD, help="else stdout")
    export.add_argument("--user", default=LOCAL_USER, help="whose data; else local's")
    export.add_argument("--force", action="store_true", help="replace a file that is there")
    export.set_defaults(command=_export)

    importing = add_command(
        commands,
        "import",
        parents=[database],
        help="read an export of ours, of ChatGPT's or of Claude's",
    )
    importing.add_argument("file", metavar="FILE", help="the file, or the ZIP that holds it")
    importing.add_argument(
        "--user", default=LOCAL_USER, help="whose data it is to be; else local's"
    )
    importing.set_defaults(command=_import)


def _export(settings: Settings, options: argparse.Namespace) -> int:
    check_there(settings)
    user = options.user
    written: Counter[str] = Counter()

    async def export(out: TextIO) -> None:
        async with engine.Recollect.open(settings=settings) as memory:
            async for lines in _lines_of(user, memory):
                out.write(lines)
                for kind in _TOLD:
                    written[kind] += f"\n{lines}".count(f'\n{{"kind":"{kind}",')

    if options.file == _STANDARD:
        try:
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            asyncio.run(export(sys.stdout))
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read it has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        return 0
    with (
        written_whole(Path(options.file), force=options.force) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as out,
    ):
        asyncio.run(export(out))
    told = ", ".join(format_count(written[kind], f"{kind}s") for kind in _TOLD)
    print(f"Wrote {told} of {user} to {options.file}.", file=sys.stderr)
    return 0


async def _lines_of(user_id: str, memory: engine.Recollect) -> AsyncIterator[str]:
    """Raises NotFound where nothing is on record for them, not even a key: a name mistyped."""
    lines = memory.data.export_lines(user_id=user_id)
    beginning = await anext(lines) + await anext(lines)
    is_empty = beginning.count("\n") == _LINES_OF_NOTHING
    if is_empty and all(key.user_id != user_id for key in await memory.keys.list_keys()):
        where = without_password(memory.settings.database_url)
        raise NotFound(f"There is no user {user_id} in {where}: nothing of theirs is there.")
    yield beginning
    async for more in lines:
        yield more


def _import(settings: Settings, options: argparse.Namespace) -> int:
    async def import_all() -> Imported:
        done = Imported()
        async with engine.Recollect.open(settings=settings) as memory:
            if options.file == _STANDARD:
                return await memory.data.import_file(_standard_input(), user_id=options.user)
            with Bar() as bar:
                for before, part in _with_sizes(parts):
                    done += await memory.data.import_file(
                        _chunks(part),
                        user_id=options.user,
                        progress=partial(_show, bar, before, total),
                    )
        return done

    parts = [] if options.file == _STANDARD else list_import_files(Path(options.file))
    total = sum(part.size for part in parts)
    return _tell(asyncio.run(import_all()))


def _show(bar: Bar, before: int, total: int, read: int) -> None:
    bar.show("importing", before + read, total)


def _with_sizes(parts: list[ImportFile]) -> Iterator[tuple[int, ImportFile]]:
    before = 0
    for part in parts:
        yield before, part
        before += part.size


async def _chunks(part: ImportFile) -> AsyncIterator[bytes]:
    for chunk in part.chunks():
        yield chunk


async def _standard_input() -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(sys.stdin.buffer.read, _CHUNK):
        yield chunk


def _tell(done: Imported) -> int:
    """Status 1 where something could not be imported."""
    print(f"Imported: {_listed(done.imported)}.")
    if done.skipped != Counts():
        print(f"There already: {_listed(done.skipped)}.")
    for failure in done.failed[:_SHOWN_FAILURES]:
        print(f"recollect: {failure.where}: {failure.reason}", file=sys.stderr)
    if done.failures > _SHOWN_FAILURES:
        print(f"recollect: and {done.failures - _SHOWN_FAILURES:,} more.", file=sys.stderr)
    if done.imported.conversations:
        print("They can be searched as soon as a server or a worker has read them.")
    return 1 if done.failures else 0


def _listed(counts: Counts) -> str:
    found = [
        format_count(count, name.replace("_", " "))
        for name, count in asdict(counts).items()
        if count
    ]
    return ", ".join(found) or "nothing"
