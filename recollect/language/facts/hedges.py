"""Recognizes what is not stated for certain and for good.

A question is not a statement, nor is what depends on an "if" or was said by somebody else; and a
clause that is uncertain or about the day states nothing that lasts. In doubt, nothing is stated.
"""

import re

from recollect.language.patterns import alternatives, any_of
from recollect.language.registry import merged, phrase_pattern

_QUESTION_MARK = re.compile(r"[?？؟][\s\"'”’»)\]*_!]{0,20}\Z")  # noqa: RUF001
_BEFORE_CLAUSE = re.compile(
    r"(?:\A|[,;:()\u2013\u2014…\U0001f300-\U0001faff\u2600-\u27bf]|\.{2,}| - )\s*"
)
_PHRASES = merged("facts.hedges")
_QUESTION = re.compile(
    rf"(?:{alternatives(_PHRASES['before_questions'])},? ){{0,2}}"
    rf"(?:{alternatives(_PHRASES['question_prepositions'])} )?{any_of(_PHRASES['questions'])}"
)
_TAG_QUESTION = re.compile(any_of(_PHRASES["tag_questions"]) + r"\s?\?[\s)!?]{0,20}\Z")
_STANDING_REQUEST = re.compile(
    f"{any_of(_PHRASES['polite_requests'])}(?=.{{1,200}}{any_of(_PHRASES['permanently'])})"
)
"""A polite question about how to answer from now on."""


def stated_part(text: str) -> str:
    """The beginning of a sentence up to a question in it."""
    if not _QUESTION_MARK.search(text):
        return text
    if _STANDING_REQUEST.match(text):
        return text.rstrip("?!. ")
    if _TAG_QUESTION.search(text):
        return ""
    end = 0
    for boundary in _BEFORE_CLAUSE.finditer(text):
        if boundary.end() < len(text):
            end = boundary.start()
            if _QUESTION.match(text, boundary.end()):
                break
    return text[:end]


def is_conditional(before: str) -> bool:
    """Whether the text before a clause makes it a condition, or somebody else's words."""
    rest = phrase_pattern("facts.hedges", "harmless_conditions").sub(" ", before)
    return phrase_pattern("facts.hedges", "conditions").search(rest) is not None


def is_hedged(clause: str) -> bool:
    """Whether a clause is uncertain, or about the day."""
    patterns = (phrase_pattern("facts.hedges", field) for field in ("uncertain", "temporary"))
    return any(pattern.search(clause) for pattern in patterns)
