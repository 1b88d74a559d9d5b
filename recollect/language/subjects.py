"""References by subject: "the one about the budget", "quella sul volo", "yung tungkol sa budget".

A phrase that stands for a turn (*the one*, *quella*, *yung*, *what you said*), words that link it
to a subject (*about*, *su*, *tungkol sa*), and the subject up to the end of its clause; or the
subject first: "the budget we talked about". Without the link it would be anything: "quella casa",
"the one I want". The same holds where the link may also say whose something is or where it lies:
"la de María", "the one on the left". A miss costs one more question, a false alarm leads to a wrong
turn.
"""

import re
from functools import cache
from typing import NamedTuple

from recollect.language.normalize import plain
from recollect.language.patterns import any_of
from recollect.language.registry import merged

_MAX_SUBJECT_CHARS = 120


class Subject(NamedTuple):
    phrase: str
    """The whole reference, as it was written."""
    text: str
    """The subject of the turn."""


class _SubjectPatterns(NamedTuple):
    subject_last: re.Pattern[str]
    subject_first: re.Pattern[str]
    closing: re.Pattern[str]
    pronoun: re.Pattern[str]


@cache
def _patterns() -> _SubjectPatterns:
    phrases = merged("subjects")
    article = any_of(phrases["articles"], flexible=True)
    after = any_of(phrases["after"], flexible=True)
    inside = r"(?:[^.,;:!?\u00bf\u00a1\n]|[.,:](?=\w)|(?<=\b[dms][rst])\.)"
    return _SubjectPatterns(
        subject_last=re.compile(
            rf"{any_of(phrases['before'], flexible=True)} *+"
            rf"(?!{any_of(phrases['not_subjects'], flexible=True)})(?:{article} *+)?"
            rf"(?P<subject>\w{inside}{{0,{_MAX_SUBJECT_CHARS}}})"
        ),
        subject_first=re.compile(
            rf"{article} *+(?P<subject>\w[\w'-]*+(?: ++(?!{after})\w[\w'-]*+){{0,3}}) ++{after}"
        ),
        closing=re.compile(any_of(phrases["closing"], flexible=True) + r"\Z|[^\w)\]\"%]+\Z"),
        pronoun=re.compile(any_of(phrases["pronouns"], flexible=True)),
    )


def find_subject(text: str) -> Subject | None:
    """The first reference in `text`."""
    patterns = _patterns()
    letters = plain(text)
    for pattern in (patterns.subject_last, patterns.subject_first):
        for match in pattern.finditer(letters):
            start, end = match.span("subject")
            while closing := patterns.closing.search(
                letters, max(start, end - _MAX_SUBJECT_CHARS), end
            ):
                end = closing.start()
            if start < end and not patterns.pronoun.fullmatch(letters, start, end):
                last = end if pattern is patterns.subject_last else match.end()
                return Subject(text[match.start() : last], text[start:end])
    return None
