"""Recognizes what is not stated for certain and for good.

A question is not a statement, nor is what depends on an "if" or was said by somebody else; and a
clause that is uncertain or about the day states nothing that lasts. In doubt, nothing is stated.
"""

import re
from functools import cache, partial
from typing import NamedTuple

from recollect.language.patterns import alternatives, any_of
from recollect.language.registry import merged, phrase_pattern

_QUESTION_MARK = re.compile(r"[?？؟][\s\"'”’»)\]*_!]{0,20}\Z")  # noqa: RUF001
_BEFORE_CLAUSE = re.compile(
    r"(?:\A|[,;:()\u2013\u2014…\U0001f300-\U0001faff\u2600-\u27bf]|\.{2,}| - )\s*"
)


class _QuestionPatterns(NamedTuple):
    question: re.Pattern[str]
    tag_question: re.Pattern[str]
    standing_request: re.Pattern[str]
    """A polite question about how to answer from now on."""


@cache
def _patterns() -> _QuestionPatterns:
    phrases = merged("facts.hedges")
    return _QuestionPatterns(
        question=re.compile(
            rf"(?:{alternatives(phrases['before_questions'])},? ){{0,2}}"
            rf"(?:{alternatives(phrases['question_prepositions'])} )?{any_of(phrases['questions'])}"
        ),
        tag_question=re.compile(any_of(phrases["tag_questions"]) + r"\s?\?[\s)!?]{0,20}\Z"),
        standing_request=re.compile(
            f"{any_of(phrases['polite_requests'])}(?=.{{1,200}}{any_of(phrases['permanently'])})"
        ),
    )


def stated_part(text: str) -> str:
    """The beginning of a sentence up to a question in it."""
    if not _QUESTION_MARK.search(text):
        return text
    patterns = _patterns()
    if patterns.standing_request.match(text):
        return text.rstrip("?!. ")
    if patterns.tag_question.search(text):
        return ""
    end = 0
    for boundary in _BEFORE_CLAUSE.finditer(text):
        if boundary.end() < len(text):
            end = boundary.start()
            if patterns.question.match(text, boundary.end()):
                break
    return text[:end]


def is_conditional(before: str) -> bool:
    """Whether the text before a clause makes it a condition, or somebody else's words."""
    suspicious = _phrases("harmless_conditions").sub(" ", before)
    return _phrases("conditions").search(suspicious) is not None


def is_hedged(clause: str) -> bool:
    """Whether a clause is uncertain, or about the day."""
    return bool(_phrases("uncertain").search(clause) or _phrases("temporary").search(clause))


_phrases = partial(phrase_pattern, "facts.hedges")
