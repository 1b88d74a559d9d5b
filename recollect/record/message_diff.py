"""Find the new part of a message list: clients that send the full list store nothing twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from recollect.core.types import Message, MessageIn


@dataclass(frozen=True, slots=True)
class KnownPrefix:
    """The part of a client's list that came from us: its first `messages`, up to an answer's id."""

    answer_id: str
    messages: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """The messages that are not stored yet.

    `is_repeated` if all are stored and answered: the client wants another answer.
    """

    new: Sequence[MessageIn]
    is_repeated: bool = False


def find_overlap(
    client: Sequence[MessageIn], stored: Sequence[Message], known: KnownPrefix | None = None
) -> Overlap:
    """Compare a client's list with the newest stored messages, oldest first.

    `stored` must have more messages than `client`, if there are. The rules, in order:
    - Messages up to a `known` answer are stored.
    - The longest prefix of the list that `stored` ends with is stored.
    - A list of which all messages were answered is repeated: if it has an answer, or the stored
      answer is incomplete.
    - Messages up to the list's last answer are stored: a client may trim its list, or alter the
      text of an answer.
    Empty answers are ignored, because a client never saw them.
    """
    if known and (later := _after(known.answer_id, stored)) is not None:
        return _overlap_after_answer(client[known.messages :], later)
    stored_keys = [_key(message) for message in stored if not _is_empty_answer(message)]
    client_keys = [_key(message) for message in client]
    for length in range(min(len(stored_keys), len(client_keys)), 0, -1):
        if client_keys[:length] == stored_keys[-length:]:
            new = client[length:]
            return Overlap(new, is_repeated=not new and _is_empty_answer(stored[-1]))
    if not stored:
        return Overlap(client)
    answers = [index for index, message in enumerate(client) if message.role == "assistant"]
    last = stored[-1]
    has_answer = last.role == "assistant" and not _is_empty_answer(last)
    is_answered = has_answer and stored_keys[-len(client_keys) - 1 : -1] == client_keys
    if is_answered and (answers or last.status != "complete"):
        return Overlap((), is_repeated=True)
    return Overlap(client[answers[-1] + 1 :] if answers else client)


def find_edited(
    client: Sequence[MessageIn], stored: Sequence[Message], known: KnownPrefix | None = None
) -> Message | None:
    """Return the stored user message that the last message of a client's list replaces.

    The messages before both must be the same. Of several candidates, the newest with the same text
    is preferred, then the oldest: a client may send nothing but the edited message.
    """
    if known and (later := _after(known.answer_id, stored)) is not None:
        questions = [message for message in later if message.role == "user"]
        index = len(client) - known.messages - 1
        return questions[index] if index < len(questions) else None
    visible = [message for message in stored if not _is_empty_answer(message)]
    keys = [_key(message) for message in visible]
    before = [_key(message) for message in client[:-1]]
    candidates = [
        message
        for index, message in enumerate(visible)
        if message.role == "user" and keys[max(0, index - len(before)) : index] == before
    ]
    same = [message for message in candidates if message.content == client[-1].content]
    return same[-1] if same else candidates[0] if candidates else None


def _key(message: Message | MessageIn) -> tuple[str, str]:
    return message.role, message.content


def _after(answer_id: str, stored: Sequence[Message]) -> Sequence[Message] | None:
    for index, message in enumerate(stored):
        if message.id == answer_id:
            return stored[index + 1 :]
    return None


def _overlap_after_answer(client: Sequence[MessageIn], stored: Sequence[Message]) -> Overlap:
    """Compare the messages after a known answer. Questions without an answer may be stored."""
    questions = [message.content for message in stored if message.role == "user"]
    pairs = zip(client, questions, strict=False)
    same = len(list(takewhile(lambda pair: pair[0].content == pair[1], pairs)))
    if same < len(client):
        return Overlap(client[same:])
    if same < len(questions):  # other questions were stored since: this one is asked again
        return Overlap(client)
    return Overlap((), is_repeated=stored[-1].role == "assistant")


def has_content(message: Message) -> bool:
    return bool(message.content.strip() or message.tool_calls)


def _is_empty_answer(message: Message) -> bool:
    return message.role == "assistant" and not has_content(message)
