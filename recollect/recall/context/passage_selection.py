"""Select passages for a context.

A search always finds something. Whether anything it found is relevant is decided first, by a floor
that small talk and new topics hardly ever reach (docs/benchmarks.md). The floor is lower for a
question about the user or about what was said: only memory can answer it. If something is relevant,
passages are taken by their score, those far below the best left out. A long one has to score higher
than a short one: for its tokens, several short ones could be quoted, from different parts of a
conversation.
"""

import re
from collections.abc import Mapping, Sequence

from recollect.language.questions import is_small_talk_question
from recollect.language.salience import detect_signals
from recollect.language.sentences import split_sentences
from recollect.llm.protocols import LOCAL_RELATED_COSINE
from recollect.recall.search.ranking import PassageCandidate, meets_relevance_floor

_FIRST = 50
"""The best candidates, one of which has to be relevant."""
_MIN_COSINE = 1.25 * LOCAL_RELATED_COSINE
_MIN_COSINE_WITH_NAME = 0.2
_MIN_COSINE_WITH_WORDS, _MIN_BM25_WITH_COSINE = 0.25, 8.0
"""A lower cosine is enough together with a BM25 that takes several rare words."""
_MIN_PERSONAL_COSINE = 0.2
_MIN_RELATIVE_SCORE = 0.3
"""Of the best score."""
_FREE_CHARS, _LENGTH_EXPONENT = 240, 0.75
"""Passages up to this length compete by their scores alone."""
_MAX_SMALL_TALK_CHARS = 200
_CLAUSE_END = re.compile(r"[,;:]\s|\s[-\u2013\u2014]\s")
_OPENING_MARKS = "\u00a1\u00bf\"'("


def is_small_talk(message: str) -> bool:
    """Return whether a message thanks, greets or agrees and says nothing else."""
    if len(message) > _MAX_SMALL_TALK_CHARS:
        return False
    return all(map(_is_courtesy, split_sentences(message)))


def _is_courtesy(sentence: str) -> bool:
    signals = detect_signals(sentence.lstrip(_OPENING_MARKS))
    if signals.is_courtesy and not (signals.is_question or signals.is_request):
        return True
    clauses = _CLAUSE_END.split(sentence)
    if len(clauses) == 1:
        return is_small_talk_question(sentence)
    return all(map(_is_courtesy, clauses))


def select_passages(
    ranked: Sequence[PassageCandidate],
    texts: Mapping[tuple[str, int], str],
    *,
    is_personal: bool = False,
) -> list[PassageCandidate]:
    """Return the passages worth quoting, best first; none if nothing found is relevant. `texts` are
    those of the best candidates, by message and part. `is_personal` tells that the question is
    about the user or about what was said."""
    first = ranked[:_FIRST]
    has_personal = is_personal and any(_may_be_meant(candidate) for candidate in first)
    if not (has_personal or any(is_clearly_relevant(candidate) for candidate in first)):
        return []
    min_score = _MIN_RELATIVE_SCORE * ranked[0].score
    return [c for c in ranked if c.score >= min_score and texts.get(c.key)]


def _may_be_meant(candidate: PassageCandidate) -> bool:
    if candidate.similarity is None:
        return meets_relevance_floor(candidate.lexical, None)
    return candidate.similarity >= _MIN_PERSONAL_COSINE


def value_by_length(candidate: PassageCandidate, text: str) -> float:
    """Return the score, less for a long text."""
    length = max(1.0, (len(text) + _FREE_CHARS) / (2 * _FREE_CHARS))
    return candidate.score / float(length**_LENGTH_EXPONENT)


def is_clearly_relevant(candidate: PassageCandidate) -> bool:
    """Return whether a candidate is above the floor of relevance for contexts, which is higher than
    that of a search: nobody asked to see these results."""
    cosine = candidate.similarity
    if cosine is None:
        return meets_relevance_floor(candidate.lexical, None)
    has_words = candidate.lexical >= _MIN_BM25_WITH_COSINE and cosine >= _MIN_COSINE_WITH_WORDS
    has_name = candidate.shares_name and cosine >= _MIN_COSINE_WITH_NAME
    return has_words or has_name or cosine >= _MIN_COSINE
