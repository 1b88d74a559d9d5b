"""Acknowledged appends, and checks that a database has them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import apsw

from recollect import Message, MessageIn
from recollect.sync import Recollect
from tests.faults.appender import CONVERSATIONS, USER
from tests.faults.fault_report import Findings


@dataclass
class AppendLog:
    acknowledged: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    """By id: conversation, seq and content."""
    open_requests: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    """Requests without a response: conversation and contents by idempotency key."""

    def read(self, line: bytes) -> None:
        said = json.loads(line)
        if "id" in said:
            entry = (said["conversation_id"], said["seq"], said["content"])
            assert self.acknowledged.setdefault(said["id"], entry) == entry
        elif "key" in said:
            self.open_requests[said["key"]] = (said["conversation_id"], said["contents"])
        elif "done" in said:
            del self.open_requests[said["done"]]

    def retry(self, memory: Recollect) -> None:
        """Retry unanswered requests with their keys, twice each."""
        for key, (conversation_id, contents) in self.open_requests.items():
            drafts = [MessageIn(role="user", content=content) for content in contents]
            for _ in range(2):
                stored = memory.conversations.add_messages(
                    drafts, conversation_id=conversation_id, user_id=USER, idempotency_key=key
                )
                self.record(stored)
            assert [message.content for message in stored] == contents
        self.open_requests.clear()

    def record(self, stored: Iterable[Message]) -> None:
        for message in stored:
            entry = (message.conversation_id, message.seq, message.content)
            assert self.acknowledged.setdefault(message.id, entry) == entry

    def check(self, memory: Recollect) -> tuple[int, Findings]:
        """Return the number of stored messages and the findings."""
        found = stored_messages(memory)
        by_id = {message.id: message for message in found}
        lost = [
            f"{entry} was acknowledged, and is {_entry(by_id.get(id))}"
            for id, entry in self.acknowledged.items()
            if _entry(by_id.get(id)) != entry
        ]
        said = Counter(message.content for message in found)
        twice = [f"{content!r} is there {times} times" for content, times in said.items()]
        return len(found), Findings(
            lost=tuple(lost),
            duplicated=tuple(
                one for one, times in zip(twice, said.values(), strict=True) if times > 1
            ),
            broken=tuple(_incomplete_batches(said)),
        )


def _entry(message: Message | None) -> tuple[str, int, str] | None:
    if message is None:
        return None
    return message.conversation_id, message.seq, message.content


def all_messages(memory: Recollect, conversation_id: str, user: str = USER) -> Iterator[Message]:
    """Yield all messages, oldest first."""
    cursor = None
    while True:
        page = memory.conversations.get_messages(
            200, conversation_id=conversation_id, user_id=user, cursor=cursor
        )
        yield from page
        cursor = page.next_cursor
        if cursor is None:
            return


def stored_messages(memory: Recollect) -> list[Message]:
    """Check seq and counters of each conversation; return all messages."""
    chats = memory.conversations.list_conversations(user_id=USER)
    assert len({chat.title for chat in chats}) == len(chats) <= CONVERSATIONS
    found: list[Message] = []
    for chat in chats:
        messages = list(all_messages(memory, chat.id))
        assert [message.seq for message in messages] == list(range(1, len(messages) + 1))
        assert chat.message_count == len(messages)
        assert chat.token_count == sum(message.tokens for message in messages)
        found += messages
    return found


def check_file(url: str) -> None:
    """Run SQLite's integrity checks; no-op for PostgreSQL."""
    if url.startswith("sqlite:///"):
        connection = apsw.Connection(url.removeprefix("sqlite:///"))
        try:
            assert connection.pragma("integrity_check") == "ok"
            assert connection.pragma("foreign_key_check") is None
        finally:
            connection.close()


def _incomplete_batches(contents: Iterable[str]) -> Iterator[str]:
    """Yield batches that are stored only in part."""
    batches: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for content in contents:
        request, index, size, _ = content.split("|")
        batches[request, size].add(index)
    for (request, size), indexes in batches.items():
        if indexes != {str(index) for index in range(int(size))}:
            yield f"{request} is torn: of {size} there are {sorted(indexes)}"
