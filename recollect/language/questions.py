"""What a question is about: the user, the assistant's words, or nothing at all."""

import re
from functools import cache

from recollect.language.normalize import plain
from recollect.language.patterns import any_of
from recollect.language.registry import merged, phrase_pattern

QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")
_MAX_CHARS = 2_000


def asks_about_assistant(question: str) -> bool:
    """Return whether a question asks what the assistant said ("What did you recommend?")."""
    pattern = phrase_pattern("questions", "about_assistant")
    return pattern.search(plain(question[:_MAX_CHARS])) is not None


def is_personal(question: str) -> bool:
    """Return whether a question is about the user or about what was said, and so can only be
    answered from memory ("What is our budget?")."""
    text = plain(question[-_MAX_CHARS:])
    is_question = text.rstrip().endswith(QUESTION_MARKS)
    pattern = phrase_pattern("questions", "about_user")
    return is_question and (bool(pattern.search(text)) or asks_about_assistant(question))


def is_small_talk_question(sentence: str) -> bool:
    """Return whether a sentence ends in a question that nobody needs memory for ("Hi, how are
    you?")."""
    return _small_talk().search(plain(sentence[-_MAX_CHARS:])) is not None


@cache
def _small_talk() -> re.Pattern[str]:
    return re.compile(any_of(merged("questions")["small_talk"]) + r"\W*\Z")
