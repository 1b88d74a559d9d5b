"""What is new in a list of messages that a client keeps."""

import pytest

from recollect import Message, MessageIn
from recollect.core.types import Role
from recollect.record.message_diff import KnownPrefix, Overlap, find_edited, find_overlap
from tests.recall.sample_conversations import said

Talk = list[tuple[Role, str]]

U1: tuple[Role, str] = ("user", "first")
A1: tuple[Role, str] = ("assistant", "one")
U2: tuple[Role, str] = ("user", "second")
A2: tuple[Role, str] = ("assistant", "two")
U3: tuple[Role, str] = ("user", "third")
OTHER: tuple[Role, str] = ("assistant", "one, as the client shows it")


def given(talk: Talk) -> list[MessageIn]:
    return [MessageIn(role=role, content=text) for role, text in talk]


def as_stored(talk: Talk) -> list[Message]:
    return said(*({"role": role, "content": text} for role, text in talk))


def result(overlap: Overlap) -> tuple[Talk, bool]:
    return [(one.role, one.content) for one in overlap.new], overlap.is_repeated


@pytest.mark.parametrize(
    ("stored", "sent", "new"),
    [
        ([], [U1], [U1]),
        ([], [U1, A1, U2], [U1, A1, U2]),
        ([U1, A1], [U2], [U2]),
        ([U1, A1], [U1], [U1]),  # said again
        ([U1, A1], [U1, A1, U2], [U2]),
        ([U1, A1, U2, A2], [U2, A2, U3], [U3]),  # trimmed by the client
        ([U1, A1, U2], [U1, A1, U2], []),  # nobody has answered it yet
        ([U1, A1], [U1, OTHER, U2], [U2]),
        ([U1, A1, U2, A2], [U1, A1, U2, A2, U3], [U3]),
    ],
)
def test_messages_after_the_stored_part_are_new(stored: Talk, sent: Talk, new: Talk) -> None:
    messages = as_stored(stored)
    overlap = find_overlap(given(sent), messages[-len(sent) - 1 :])
    assert result(overlap) == (new, False)


def test_answered_list_is_repeated() -> None:
    messages = as_stored([U1, A1, U2, A2])
    overlap = find_overlap(given([U1, A1, U2]), messages)
    assert result(overlap) == ([], True)


@pytest.mark.parametrize(
    ("sent", "seq"),
    [([U3], 1), ([U1, A1, U3], 3), ([U1, OTHER, U3], None), ([A1, U3], 3), ([U2, A2, U3], None)],
)
def test_edited_message_is_found_by_the_messages_before_it(sent: Talk, seq: int | None) -> None:
    messages = as_stored([U1, A1, U2, A2])
    found = find_edited(given(sent), messages)
    assert (found.seq if found else None) == seq


HALF: tuple[Role, str] = ("assistant", "on")
LOST: tuple[Role, str] = ("assistant", "")


@pytest.mark.parametrize(
    ("stored", "sent", "new", "is_repeated"),
    [
        ([U1, A1], [U1, HALF, U2], [U2], False),
        ([U1, A1, U2], [U1, HALF, U2], [], False),  # asked already, and not answered yet
        ([U1, A1, U2, A2], [U1, HALF, U2], [], True),
        ([U1, A1, U2, A2], [U1, HALF, U2, U3], [U3], False),  # nothing was heard on the second
        ([U1, A1, U2, A2], [U1, HALF, U3], [U3], False),
        ([U1, A1, U2, A2, U3], [U1, HALF, U2], [U2], False),  # said again, since there is more
    ],
)
def test_known_answer_id_beats_altered_text(
    stored: Talk, sent: Talk, new: Talk, is_repeated: bool
) -> None:
    messages = as_stored(stored)
    overlap = find_overlap(given(sent), messages, KnownPrefix(messages[1].id, 2))
    assert result(overlap) == (new, is_repeated)


@pytest.mark.parametrize("status", ["streaming", "error", "interrupted"])
@pytest.mark.parametrize(
    ("sent", "new", "is_repeated"),
    [
        ([U2], [], True),  # as clients do by themselves when they were told that it failed
        ([U1, A1, U2], [], True),
        ([U1, A1, U2, HALF, U3], [U3], False),
        ([U3], [U3], False),
        ([U1], [U1], False),
    ],
)
def test_same_question_after_an_incomplete_answer_is_repeated(
    sent: Talk, new: Talk, is_repeated: bool, status: str
) -> None:
    talk = [{"role": role, "content": text} for role, text in [U1, A1, U2, HALF]]
    messages = said(*talk[:-1], talk[-1] | {"status": status})
    overlap = find_overlap(given(sent), messages)
    assert result(overlap) == (new, is_repeated)


@pytest.mark.parametrize(
    ("sent", "new", "is_repeated"), [([U1, U2], [U2], False), ([U1], [], True), ([U3], [U3], False)]
)
def test_empty_answers_are_ignored(sent: Talk, new: Talk, is_repeated: bool) -> None:
    messages = as_stored([U1, LOST])
    overlap = find_overlap(given(sent), messages)
    assert result(overlap) == (new, is_repeated)


@pytest.mark.parametrize(
    ("sent", "seq"), [([U1, HALF, U3], 3), ([U1, HALF, U2, U3], None), ([U1, HALF, U2], 3)]
)
def test_edited_message_is_found_after_a_known_answer(sent: Talk, seq: int | None) -> None:
    messages = as_stored([U1, A1, U2, A2])
    found = find_edited(given(sent), messages, KnownPrefix(messages[1].id, 2))
    assert (found.seq if found else None) == seq


def test_single_question_matches_the_newest_with_its_text() -> None:
    messages = as_stored([U1, A1, U2, A2, U1, A1])
    found = find_edited(given([U1]), messages)
    assert found is not None
    assert found.seq == 5
