"""Extracts key phrases without a model.

A sentence is split into tokens. Content words have stems; stop words such as articles, pronouns,
"please" and "vorrei" have none. Runs of content words without stop words or punctuation between
them are the candidates, as in RAKE: "cover letter", "Python 3.12". A candidate counts once for each
text it occurs in, times the weight of that text; repeating it inside one text adds less and less,
so that a long answer does not outweigh a short question. Longer phrases, names, and words that
occur elsewhere too score higher, as in YAKE.

Stems are for comparison only: up to six folded letters, so that "travelling" and "traveller" match.
Chinese and Japanese write no blanks. There, particles separate the words, and pairs of characters
are the stems; a sentence with hiragana is Japanese, one without is Chinese.

Only the beginning and the end of long input are read, in linear time.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import log
from typing import Self, TypeVar

from recollect.language.normalize import fold
from recollect.language.patterns import HAN, IDEOGRAPH, KANA, alternatives, words
from recollect.language.registry import all_languages, merged
from recollect.language.sentences import is_code, split_sentences

_MAX_HEAD_CHARS, _MAX_TAIL_CHARS = 1_500, 500
_MAX_FIRST_TEXTS, _MAX_LAST_TEXTS = 8, 32
_MAX_PHRASE_WORDS, _MAX_STEMS = 4, 12
_NAME_FACTOR, _EXTRA_WORD_FACTOR = 1.5, 0.3

Stems = tuple[str, ...]
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence. Stop words have no stems."""

    start: int
    end: int
    stems: Stems
    is_courtesy: bool


@dataclass(frozen=True)
class Sentence:
    text: str
    words: tuple[Token, ...]

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(text, tuple(_split_tokens(text)))

    @cached_property
    def stems(self) -> Stems:
        return tuple(stem for word in self.words for stem in word.stems)

    @cached_property
    def is_small_talk(self) -> bool:
        """Whether it has no topic: "hi", "ciao, come stai?", "ok"."""
        return all(word.is_courtesy or not word.stems for word in self.words)

    def gap_before(self, word: int) -> str:
        return self.text[self.words[word - 1].end : self.words[word].start]

    def part(self, first: int, last: int) -> str:
        """The text from one word to another, both included."""
        return self.text[self.words[first].start : self.words[last].end]


@dataclass(frozen=True)
class WeightedTexts:
    """Texts split into sentences, each text with its weight."""

    texts: Sequence[tuple[float, Sequence[Sentence]]]

    @classmethod
    def of(cls, texts: Sequence[tuple[float, str]]) -> Self:
        read = head_and_tail(texts, _MAX_FIRST_TEXTS, _MAX_LAST_TEXTS)
        return cls([(weight, [*sentences(text)]) for weight, text in read])

    @cached_property
    def topical(self) -> Sequence[tuple[float, Sequence[Sentence]]]:
        """The texts without small talk."""
        return [(weight, [s for s in text if not s.is_small_talk]) for weight, text in self.texts]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weight of each stem in all texts."""
        return _tally(
            (weight, (stem for s in text for stem in s.stems)) for weight, text in self.topical
        )

    def keyphrases(self, limit: int) -> list[str]:
        """The key phrases in their own spelling, best first, each idea once."""
        by_text = [(weight, [*_phrases_in(text)]) for weight, text in self.topical]
        times = _tally((weight, (phrase.stems for phrase in text)) for weight, text in by_text)
        phrases = [phrase for _, text in by_text for phrase in text]
        names = {phrase.stems for phrase in phrases if phrase.is_name}
        spelling = {phrase.stems: phrase.text for phrase in reversed(phrases)}

        def score(stems: Stems) -> float:
            length = 1 + _EXTRA_WORD_FACTOR * (min(len(stems), _MAX_PHRASE_WORDS) - 1)
            own = times[stems] * length * (_NAME_FACTOR if stems in names else 1)
            return own + sum(self.weights[stem] for stem in stems) / len(stems)

        chosen: list[Stems] = []
        for stems in sorted(times, key=score, reverse=True):
            if len(chosen) >= limit:
                break
            if not any(_are_near(stems, other) for other in chosen):
                chosen.append(stems)
        return [spelling[stems] for stems in chosen]


def stems_of(text: str) -> frozenset[str]:
    return frozenset(stem for sentence in sentences(text) for stem in sentence.stems)


def head_and_tail(items: Sequence[T], first: int, last: int) -> Sequence[T]:
    return items if len(items) <= first + last else [*items[:first], *items[-last:]]


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, without code and without the middle of a long text."""
    if len(text) > _MAX_HEAD_CHARS + _MAX_TAIL_CHARS:
        text = f"{text[:_MAX_HEAD_CHARS]}\n{text[-_MAX_TAIL_CHARS:]}"
    for sentence in split_sentences(text):
        if not is_code(sentence) and (prose := readable(sentence)):
            yield Sentence.of(prose)


def readable(text: str) -> str:
    """Text on one line, without code blocks, links, markup and control characters."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in _JOINERS else " " * c.isspace() for c in text)
    prose = _NO_PROSE.sub(" ", _LINK_TEXT.sub(r"\1", text)).replace("`", "")
    return " ".join(_MARKUP.sub("", prose.strip()).split())


@dataclass(frozen=True, slots=True)
class _Phrase:
    stems: Stems
    text: str
    is_name: bool


def _phrases_in(sentences: Iterable[Sentence]) -> Iterator[_Phrase]:
    """Every run of a few content words with only blanks between them."""
    for sentence in sentences:
        for first in range(len(sentence.words)):
            if not _NUMBER.fullmatch(sentence.part(first, first)):
                yield from _phrases_from(first, sentence)


def _phrases_from(first: int, sentence: Sentence) -> Iterator[_Phrase]:
    stems: Stems = ()
    for last, word in enumerate(sentence.words[first : first + _MAX_PHRASE_WORDS], first):
        stems += word.stems
        is_separated = last > first and sentence.gap_before(last).strip()
        if not word.stems or is_separated or len(stems) > _MAX_STEMS:
            return
        text = sentence.part(first, last)
        after_capital = text[1:] if first == 0 else text
        yield _Phrase(stems, text, is_name=after_capital != after_capital.lower())


def _tally(found: Iterable[tuple[float, Iterable[K]]]) -> dict[K, float]:
    total: dict[K, float] = {}
    for weight, items in found:
        for item, times in Counter(items).items():
            total[item] = total.get(item, 0.0) + weight * (1 + log(times))
    return total


def _are_near(one: Stems, other: Stems) -> bool:
    """Whether they share more than half of the shorter one."""
    return 2 * len({*one} & {*other}) > min(len({*one}), len({*other}))


def _split_tokens(sentence: str) -> Iterator[Token]:
    pattern = next(tokens for marker, tokens in _token_patterns() if marker.search(sentence))
    follows_greeting = False
    for match in pattern.finditer(sentence):
        folded = fold(match[0]).replace("\u2019", "'")
        is_greeted = follows_greeting and _is_set_apart(match)
        follows_greeting = folded in _GREETINGS
        is_stop = match.lastgroup is None or is_greeted or folded in _STOP_WORDS
        stems = () if is_stop else _stems(folded, is_wide=match.lastgroup == "wide")
        yield Token(match.start(), match.end(), stems, folded in _COURTESIES)


def _is_set_apart(word: re.Match[str]) -> bool:
    """As the name in "Hi Claude, can you …" is, but not the one in "Hi, Docker does not start"."""
    return word[0][0].isupper() and word.string[word.end() : word.end() + 1] in ",.!?"


def _stems(folded: str, *, is_wide: bool) -> Stems:
    if is_wide:
        return tuple(map("".join, pairwise(folded))) or (folded,)
    bare = folded.removesuffix("'s")
    if len(bare) > 3:
        bare = bare.removesuffix("s")
    return (bare[:6],) if bare else ()


_JOINERS = "\u200c\u200d"  # invisible, but part of how words and emoji are written
_NO_PROSE = re.compile(
    r"```.*?(?:```|\Z)|</?[a-zA-Z][^<>]{0,200}>"
    r"|https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
)
_LINK_TEXT = re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\s]{0,500}\)")
_MARKUP = re.compile(
    r"\A(?:(?:[#>*\u2022\u2013\u2014-]+|(?i:user|assistant) ?:)\s+)+"
    r"|\*\*+|(?<![\w*])[*_]{1,3}(?=\w)|(?<=[\w.!?])[*_]{1,3}(?![\w*])"
)
_NUMBER = re.compile(r"[\d.,-]+")

_MARKS = (  # accents and vowel signs, which Python does not count among the letters
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0981-\u0df3\u0e31-\u0e4e\u0eb1-\u0ece\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)
_LETTER = rf"(?:[^\W_{HAN}{KANA}]|[{_MARKS}])"
_WORDS = merged("keyphrases")
_SPACED = (
    rf"\b(?i:{alternatives(_WORDS['elisions'])})['\u2019](?=\w)"  # l'arte, qu'il
    rf"|(?P<word>{_LETTER}+(?:(?:[-.'\u2019\u200c\u200d]|(?<=\d),(?=\d)){_LETTER}+)*[+#]*)"
)
_STOP_WORDS = words(fold(_WORDS["stop_words"]))
_COURTESIES = words(fold(_WORDS["courtesies"]))
_GREETINGS = words(_WORDS["greetings"])


@cache
def _token_patterns() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """The marker and the tokens of each script without blanks; the one without a marker is last."""
    scripts = [
        (entry["keyphrases"]["script_marker"], script.replace("<ideograph>", IDEOGRAPH))
        for entry in all_languages()
        if (script := entry["keyphrases"]["script"])
    ]
    scripts.sort(key=lambda entry: not entry[0])
    return [(re.compile(marker), re.compile(f"{_SPACED}|{script}")) for marker, script in scripts]
