"""A short question that points back is searched together with the last exchange."""

import pytest

from recollect.recall.context.question import SearchQuery, search_query
from recollect.recall.context.tool_pairs import pair_tool_calls
from tests.recall.sample_conversations import assistant, said, user

TAIL, _ = pair_tool_calls(
    said(user("When is it warm in Lisbon?"), assistant("From May on. July is hot. Bring a hat."))
)


@pytest.mark.parametrize(
    "question",
    [
        "And in winter?",
        "what about him?",
        "and the second one?",
        "E lui?",
        "¿Y eso?",
        "E in inverno?",
    ],
)
def test_a_question_that_points_back_gets_the_last_exchange(question: str) -> None:
    query = search_query(question, TAIL)
    assert query.text == f"When is it warm in Lisbon?\nFrom May on.\nJuly is hot.\n{question}"
    assert query.message_ids == {entry.message.id for entry in TAIL}
    assert search_query(question, []) == SearchQuery(question)


@pytest.mark.parametrize(
    "message",
    [
        "Thanks!",
        "How are you?",
        "What now?",
        "Tell me about that.",
        "Which museums open on Sunday?",
        "Perché il mare è salato?",
        "Was ist der Unterschied?",
    ],
)
def test_other_messages_are_searched_as_they_are(message: str) -> None:
    assert search_query(message, TAIL) == SearchQuery(message)
