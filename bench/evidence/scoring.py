"""Scores of a context: evidence, answer words and tokens.

An evidence message is present if one of its sentences of 30 characters or more stands in the
context word for word, white space folded; a message without such a sentence, if its whole text
does. The answer's own words are those that are neither stop words nor in the question.
"""

import re
import warnings
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module
from statistics import fmean
from typing import Any

from recollect.language.stopwords import STOP_WORDS

MIN_SENTENCE_CHARS = 30
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w+")


def evidence_share(messages: Iterable[str], context: str) -> float:
    """Return the share of the messages that are present in the context."""
    folded = fold(context)
    return fmean(any(part in folded for part in quotable(text)) for text in messages)


@cache
def quotable(text: str) -> tuple[str, ...]:
    """Return the long sentences of a message, or its whole text if it has none."""
    sentences = (fold(sentence) for sentence in _SENTENCE_END.split(text))
    long = tuple(sentence for sentence in sentences if len(sentence) >= MIN_SENTENCE_CHARS)
    return long or (fold(text),)


def answer_share(answer: str, question: str, context: str) -> float | None:
    """Return the share of the answer's own words in the context, None if it has none."""
    own = _words(answer) - STOP_WORDS["en"] - _words(question)
    return len(own & _words(context)) / len(own) if own else None


def count_tokens(text: str) -> int:
    """Count by OpenAI's o200k."""
    return len(_encoding().encode_ordinary(text))


@lru_cache(maxsize=100_000)
def cut(text: str, most: int) -> str:
    """Return the longest beginning of a text within `most` tokens."""
    tokens = _encoding().encode_ordinary(text)
    if len(tokens) <= most:
        return text
    beginning: str = _encoding().decode(tokens[:most])
    return beginning.rstrip("\ufffd")


def fold(text: str) -> str:
    return " ".join(text.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it reads its files in a deprecated way
        return import_module("bpe_openai").get_encoding("o200k_base")
