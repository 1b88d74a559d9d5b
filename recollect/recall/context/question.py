"""Understand the current message in its place: what to search for, and what it refers to."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from recollect.core.turns import group_turns
from recollect.core.types import Message, Turn
from recollect.language.analyzer import folded_words, likely_languages
from recollect.language.questions import QUESTION_MARKS
from recollect.language.references import Reference, find_reference
from recollect.language.sentences import split_sentences
from recollect.language.stopwords import STOP_WORDS, points_back
from recollect.language.subjects import find_subject
from recollect.recall.context.tool_pairs import HistoryEntry

_MAX_REFERENCE_CHARS = 2_000
"""At both ends of a message, where a reference is looked for."""
_MIN_OWN_WORDS = 3
"""A question with more words of its own can be understood alone."""
_MAX_ANSWER_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The text to search for, and the recent messages that it was completed with."""

    text: str
    message_ids: Set[str] = frozenset()


def search_query(question: str, tail: Sequence[HistoryEntry]) -> SearchQuery:
    """Return the query for a question after the recent messages.

    A short question that points back ("and the second one?", "what about him?") says too little:
    the last exchange is put before it.
    """
    words = folded_words(question)
    points = points_back(words, likely_languages(question))
    own = [word for word in words if not any(word in stop for stop in STOP_WORDS.values())]
    is_question = question.rstrip().endswith(QUESTION_MARKS)
    if not is_question or len(own) >= _MIN_OWN_WORDS or not points:
        return SearchQuery(question)
    last_user = next((e for e in reversed(tail) if e.message.role == "user"), None)
    last_answer = next((e for e in reversed(tail) if e.is_answer), None)
    exchange = [last_user.text[:_MAX_REFERENCE_CHARS] if last_user else ""]
    if last_answer is not None and last_answer.text:
        sentences = split_sentences(last_answer.text[:_MAX_REFERENCE_CHARS])
        exchange += sentences[:_MAX_ANSWER_SENTENCES]
    return SearchQuery(
        "\n".join(part for part in (*exchange, question) if part.strip()),
        {entry.message.id for entry in (last_user, last_answer) if entry is not None},
    )


def find_numbered_reference(question: str) -> Reference | None:
    """Return a reference by number; one by subject is left to the search."""
    ends = _ends(question)
    return None if find_subject(ends) is not None else find_reference(ends, careful=True)


def find_shown_reference(backlog: Sequence[Message], question: str) -> list[Turn]:
    """Return the user's messages of the answered turn that the question refers to."""
    reference = find_reference(_ends(question), careful=True)
    turns = [turn for turn in group_turns(backlog) if turn.is_answered]
    index = reference.index_in([turn.number for turn in turns]) if reference else None
    if index is None:
        return []
    by_user = tuple(message for message in turns[index].messages if message.role == "user")
    return [Turn(turns[index].number, by_user)]


def _ends(text: str) -> str:
    if len(text) <= 2 * _MAX_REFERENCE_CHARS:
        return text
    return f"{text[:_MAX_REFERENCE_CHARS]}\n{text[-_MAX_REFERENCE_CHARS:]}"
