"""Databases with one recorded conversation each, kept in a folder between runs.

Recording a long chat takes a minute, because it is digested and embedded. A database is found by
the hash of the chat and of the sources that decide what is stored; `reuse` ignores the sources, to
compare contexts built from the same database. Runs use a copy, so that a kept database never
changes.
"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import recollect
from bench.common.runner import log
from bench.common.vector_cache import Vectors
from bench.evidence.chats import message_text
from bench.recall.data import Person
from recollect import MessageIn
from recollect.engine import Recollect, utc_now
from recollect.settings import Settings

CHAT = "chat"
"""The caller's id of the conversation in every database."""
_BATCH = 50
_DECISIVE = ("core", "digest", "language", "llm", "record", "store")
"""Packages that decide what a database contains."""
_SUFFIXES = {".md", ".py", ".sql", ".txt"}


@dataclass(frozen=True, slots=True)
class RecordedChat:
    """An open database. The user is named like the person; messages are numbered from 1."""

    memory: Recollect
    person: Person

    @property
    def messages(self) -> Sequence[MessageIn]:
        (session,) = self.person.sessions
        return session.messages

    @property
    def texts(self) -> dict[str, str]:
        """Texts of the messages by turn."""
        (session,) = self.person.sessions
        texts = map(message_text, session.messages)
        return dict(zip(session.turns, texts, strict=True))


@dataclass(frozen=True, slots=True)
class Recordings:
    folder: Path
    vectors: Vectors
    is_fresh: bool = False
    """Record again even if there is a database."""
    reuses: bool = False
    """Use a database even if it was recorded by other sources."""

    @asynccontextmanager
    async def open(self, person: Person) -> AsyncIterator[RecordedChat]:
        path = self._find(person)
        if path is None:
            path = await self._record(person)
        with TemporaryDirectory(prefix="recollect-evidence-") as folder:
            copy = Path(folder) / path.name
            await asyncio.to_thread(shutil.copyfile, path, copy)
            async with self._engine(copy, utc_now) as memory:
                yield RecordedChat(memory, person)
        self.vectors.keep()

    def _find(self, person: Person) -> Path | None:
        if self.is_fresh:
            return None
        recorded_by = "*" if self.reuses else _sources_key()
        found = self.folder.glob(f"{person.name}-{_chat_key(person)}-{recorded_by}.db")
        return max(found, key=lambda path: path.stat().st_mtime, default=None)

    async def _record(self, person: Person) -> Path:
        log(f"recording {person.name}")
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{person.name}-{_chat_key(person)}-{_sources_key()}.db"
        with TemporaryDirectory(dir=self.folder) as folder:
            new = Path(folder) / path.name
            clock = _Clock()
            async with self._engine(new, clock) as memory:
                await record(memory, person, clock)
            new.replace(path)
        self.vectors.keep()
        return path

    @asynccontextmanager
    async def _engine(self, path: Path, clock: Callable[[], datetime]) -> AsyncIterator[Recollect]:
        settings = Settings(database_url=f"sqlite:///{path}")
        async with Recollect.open(settings=settings, clock=clock) as memory:
            await self.vectors.serve(memory)
            yield memory


@dataclass(slots=True)
class _Clock:
    """A clock that can be put back, so that jobs which wait for an idle conversation are due."""

    behind: timedelta = timedelta()

    def __call__(self) -> datetime:
        return utc_now() - self.behind


async def record(memory: Recollect, person: Person, clock: _Clock) -> None:
    """Record a conversation as if an hour ago, and do all background work."""
    clock.behind = timedelta(hours=1)
    (session,) = person.sessions
    await memory.conversations.create_conversation(user_id=person.name, external_id=CHAT)
    for start in range(0, len(session.messages), _BATCH):
        await memory.conversations.add_messages(
            session.messages[start : start + _BATCH], conversation_id=CHAT, user_id=person.name
        )
    clock.behind = timedelta()
    while await memory.work():
        pass
    if left := (await memory.jobs.count_jobs()).by_kind:
        raise RuntimeError(f"Background jobs are left: {dict(left)}.")


def _chat_key(person: Person) -> str:
    (session,) = person.sessions
    return _hash(repr((session.turns, session.messages)).encode())


@cache
def _sources_key() -> str:
    package = Path(recollect.__file__).parent
    files = (path for name in _DECISIVE for path in sorted((package / name).rglob("*")))
    return _hash(*(path.read_bytes() for path in files if path.suffix in _SUFFIXES))


def _hash(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]
