"""How much of a prompt a provider can take from its cache, turn after turn.

Of each prompt the longest beginning counts that was also the beginning of an earlier prompt. A
prompt that follows a digest is left out: its summary is new. Each message is sent at its own time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from statistics import fmean
from tempfile import TemporaryDirectory

from bench.common.runner import log
from bench.common.vector_cache import Vectors
from bench.evidence.long_chats import long_chats
from bench.evidence.methods import context_text
from bench.evidence.scoring import count_tokens
from bench.recall.data import assistants
from recollect import MessageIn
from recollect.core.policy import Layout
from recollect.engine import Recollect
from recollect.settings import Settings

TURNS = 50
_USER, _CHAT = "alice", "chat"


@dataclass(slots=True)
class Prefixes:
    """The prompts of one chat in one layout."""

    chat: str
    layout: Layout
    prompts: list[str] = field(default_factory=list)
    summary_versions: list[int] = field(default_factory=list)
    _sent_before: list[tuple[int, int]] = field(default_factory=list)
    """Tokens that were sent before, and all tokens, of each prompt that counts."""

    def add(self, prompt: str, summary_version: int) -> None:
        if self.prompts and summary_version == self.summary_versions[-1]:
            shared = max(_common(prompt, old) for old in self.prompts)
            self._sent_before.append((count_tokens(prompt[:shared]), count_tokens(prompt)))
            sent, tokens = self._sent_before[-1]
            log(f"prompt {len(self.prompts) + 1}: {sent:,} of {tokens:,} tokens sent before")
        self.prompts.append(prompt)
        self.summary_versions.append(summary_version)

    @property
    def share(self) -> float:
        """Share of the tokens that were sent before, from the second prompt on."""
        sent = sum(sent for sent, _ in self._sent_before)
        return sent / sum(tokens for _, tokens in self._sent_before)

    @property
    def tokens(self) -> float:
        """Mean tokens of a prompt."""
        return fmean(tokens for _, tokens in self._sent_before)

    @property
    def digests(self) -> int:
        return len(self.prompts) - 1 - len(self._sent_before)


async def measure_prefixes(vectors: Vectors) -> list[Prefixes]:
    (person,) = assistants().people
    ordinary = [*chain.from_iterable(session.messages for session in person.sessions)]
    long = long_chats().people[0].sessions[0].messages
    measured = []
    layouts: tuple[Layout, ...] = ("cache", "seed")
    for name, messages in (("answers of 120 tokens", ordinary), ("answers of 1,100 tokens", long)):
        for layout in layouts:
            log(f"sending {TURNS} prompts, {name}, layout {layout}")
            measured.append(await _send(Prefixes(name, layout), messages, vectors))
    return measured


async def _send(prefixes: Prefixes, messages: Sequence[MessageIn], vectors: Vectors) -> Prefixes:
    with TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/prefix.db")
        now = _sent_at(messages[0])

        def clock() -> datetime:
            return now

        async with Recollect.open(settings=settings, clock=clock) as memory:
            await vectors.serve(memory)
            await memory.conversations.create_conversation(user_id=_USER, external_id=_CHAT)
            for question, *answers in _turns(messages)[:TURNS]:
                now = max(now + timedelta(minutes=1), _sent_at(question))
                context = await memory.contexts.build_context(
                    question.content, conversation_id=_CHAT, user_id=_USER, layout=prefixes.layout
                )
                prompt = "".join(
                    f"<{message['role']}>\n{context_text([message])}\n"
                    for message in context.messages
                )
                prefixes.add(prompt, context.receipt.summary_version)
                await memory.conversations.add_messages(
                    [question, *answers], conversation_id=_CHAT, user_id=_USER
                )
                await memory.work()
    return prefixes


def _sent_at(message: MessageIn) -> datetime:
    assert message.event_at is not None, "The chats of this bench have times."
    return message.event_at


def _turns(messages: Sequence[MessageIn]) -> list[list[MessageIn]]:
    turns: list[list[MessageIn]] = []
    for message in messages:
        if message.role == "user":
            turns.append([])
        turns[-1].append(message)
    return turns


def _common(one: str, other: str) -> int:
    """Return how many characters two texts have in common at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
