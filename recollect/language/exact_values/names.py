"""Proper names, by their capitals.

A name is a run of capitalized words, with small particles ("van", "dela", "of") between them. The
first word of a sentence has a capital anyway, so it is a name only together with the next one, and
if it is not a common word. In German all nouns have capitals, so a name needs two words. Scripts
without capitals give no names.
"""

import re
from collections.abc import Iterator

from recollect.language.normalize import plain
from recollect.language.patterns import words
from recollect.language.registry import merged

_NAME_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_WORDS = merged("names")
_COMMON, _PARTICLES = words(_WORDS["common"]), words(_WORDS["particles"])
_NOUN_CAPITALS = words(_WORDS["noun_capitals"])
_MAX_WORDS, _MIN_CHARS, _MAX_CHARS = 5, 3, 60
_OPENING = "\"'“«([*_¿¡ "


def find_names(sentence: str) -> Iterator[tuple[int, int]]:
    """The start and end of each name."""
    found = list(_NAME_WORD.finditer(sentence))
    if not found or sentence.isupper():
        return
    min_words = 2 if sum(word[0].lower() in _NOUN_CAPITALS for word in found) >= 2 else 1
    run: list[re.Match[str]] = []
    for word in found:
        if run and (len(run) >= _MAX_WORDS or not _adjoin(sentence, run[-1], word)):
            yield from _name(run, sentence, min_words)
            run = []
        if _is_capitalized(word[0]) or (run and word[0] in _PARTICLES):
            run.append(word)
        else:
            yield from _name(run, sentence, min_words)
            run = []
    yield from _name(run, sentence, min_words)


def _is_capitalized(word: str) -> bool:
    return word[0].isupper() and plain(word) not in _COMMON


def _adjoin(sentence: str, one: re.Match[str], other: re.Match[str]) -> bool:
    between = sentence[one.end() : other.start()]
    return between == " " or (between == ". " and len(one[0]) == 1)


def _name(run: list[re.Match[str]], sentence: str, min_words: int) -> Iterator[tuple[int, int]]:
    while run and run[-1][0] in _PARTICLES:
        run.pop()
    if not run:
        return
    before = sentence[max(0, run[0].start() - 4) : run[0].start()].rstrip(_OPENING)
    begins_sentence = not before or before[-1] in ":.!?"
    if begins_sentence and len(run) > 3 and run[1][0] in _PARTICLES:
        run, begins_sentence = run[2:], False  # "Chiedi di Ludovica Marangoni"
    start, end = run[0].start(), run[-1].end()
    is_acronym = len(run) == 1 and run[0][0].isupper()
    is_long_enough = (
        len(run) >= (2 if begins_sentence else min_words)
        and _MIN_CHARS <= end - start <= _MAX_CHARS
    )
    if is_long_enough and not is_acronym:
        yield start, end
