"""What a question is about: the user, the assistant's words, or nothing at all."""

import re
from functools import cache

from recollect.language.analyzer import likely_languages
from recollect.language.normalize import plain
from recollect.language.patterns import any_of
from recollect.language.registry import all_languages, merged
from recollect.language.sentences import split_sentences

QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")
_MAX_CHARS = 2_000
_MARKS = r"[^\w]*"


def asks_about_assistant(message: str) -> bool:
    """Return whether a message asks what the assistant said ("What did you recommend?")."""
    return _asks("about_assistant", message)


def is_personal(message: str) -> bool:
    """Return whether a message asks about the user or about what was said, and so can only be
    answered from memory ("What is our budget?")."""
    return _asks("about_user", message) or asks_about_assistant(message)


def is_small_talk_question(clause: str) -> bool:
    """Return whether a clause is a question that nobody needs memory for ("how are you?")."""
    return _small_talk().fullmatch(plain(clause[-_MAX_CHARS:])) is not None


def _asks(field: str, message: str) -> bool:
    """Return whether a question at the end of a message has a phrase of this field, in a language
    that the message is likely to be in."""
    end = message[-_MAX_CHARS:]
    questions = [s for s in split_sentences(end) if s.rstrip().endswith(QUESTION_MARKS)]
    pattern = _phrases(field, likely_languages(end))
    return any(pattern.search(plain(question)) for question in questions)


@cache
def _phrases(field: str, codes: frozenset[str]) -> re.Pattern[str]:
    languages = [language for language in all_languages() if language.code in codes]
    return re.compile(any_of(*(language["questions"][field] for language in languages)))


@cache
def _small_talk() -> re.Pattern[str]:
    return re.compile(_MARKS + any_of(merged("questions")["small_talk"]) + _MARKS)
