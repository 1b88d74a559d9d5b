"""Turns text into the terms of the lexical index, for both databases.

The databases only store and match terms; everything that depends on a language happens here. A text
is split into tokens, and each token gives its terms:

- a *word* gives its stem, without case and accents: in Latin script that of the text's language, in
  other scripts that of the language that uses the script, if Snowball has a stemmer for it;
- an *identifier*, with digits or joined by signs ("ACME-1234", "user_id", "10:30", an address, a
  path), gives itself unstemmed and the words in it, so that a query with the whole identifier
  matches more than once;
- a *run* of a script without blanks (Chinese, Japanese, Thai, and Korean for its particles) gives
  overlapping pairs of characters, and in documents each Han or Hangul character too, because one
  often is a word; a query uses single characters only where it has no pair;
- an *emoji* gives itself, without skin tone and variation.

A short query does not show its language, so it cannot be stemmed like the document. Therefore a
document is stemmed in the language with the most stop words, or in English if it has none, and a
query asks for the stems of its words in every language. So a word always matches itself, and its
other inflections match wherever the language was recognized. A word in a document stays one term
(two where accents change the stem), which leaves the counts of BM25 as they are. Stems of languages
other than English are marked ("prenot~"): otherwise a query for "wine" would find "win", its stem
in Italian.

Stop words stay in documents. Queries lose them, in the languages that they seem to be in, unless
they contain nothing else.

Of a long text only the beginning and the end are read, where people comment on a pasted file. All
steps take linear time; the terms of a token are cached.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise
from threading import Lock
from typing import NamedTuple

import Stemmer

from recollect.language.normalize import fold
from recollect.language.registry import all_languages
from recollect.language.stopwords import KNOWN_WORDS, STOP_WORDS

MAX_TERM_CHARS = 64
MAX_QUERY_TERMS = 64

_DOCUMENT_ENDS, _QUERY_ENDS = (48_000, 16_000), (3_000, 1_000)
_PART_CHARS = 2**14
_MAX_FOLDED_CHARS = 16 * MAX_TERM_CHARS  # a term is their beginning, without accents and blanks
_MAX_ACRONYM_TEXT_CHARS = 20  # a longer text is merely written in capitals
_ENGLISH_VOTES = 0.45  # English wins over one word that three other languages share
_LIKELY_SHARE = 0.75  # of the leading language's votes
_MARK = "~"
_CAPITAL_INSIDE = re.compile(r"(?<=[^\W_])[,;:]? [\"'(]?([A-Z\u00c0-\u00de]\w+)")


def analyze(text: str) -> list[str]:
    """The terms of a document, in their order and with repetitions."""
    tokens = _tokens(text, *_DOCUMENT_ENDS)
    language = _language(_votes(tokens))
    if language == "en":
        return [term for token in tokens for term in token.terms]
    return [
        term
        for token in tokens
        for term in (_marked_stems(language, token.word) if token.word else token.terms)
    ]


def query_terms(text: str) -> list[str]:
    """The distinct terms of a query, without stop words; any of them may match.

    Words with digits come first, then the longest, so that these stay if there are too many.
    """
    content, votes = _content_tokens(text)
    content.sort(key=_rarity, reverse=True)
    words = [*dict.fromkeys(word for token in content for word in token.words)][:MAX_QUERY_TERMS]
    likely = _language(votes)
    terms = dict.fromkeys(
        t for word in words if likely != "en" for t in _marked_stems(likely, word)
    )
    terms |= dict.fromkeys(term for token in content for term in token.query_terms)
    terms |= dict.fromkeys(t for word in words for t in _stems_abroad(word))
    return [*terms][:MAX_QUERY_TERMS]


def count_words(text: str) -> int:
    """The number of words, identifiers and runs; in parts, so that other threads can run."""
    return sum(
        len(_TOKEN.findall(text, start, start + _PART_CHARS))
        for start in range(0, len(text), _PART_CHARS)
    )


def is_probably_english(text: str) -> bool:
    """Whether neither stop words nor letters show another language."""
    letters = [c for c in text[: sum(_QUERY_ENDS)] if c.isalpha()]
    foreign = sum(1 for c in letters if not c.isascii())
    return 10 * foreign <= len(letters) and _language(_votes(_tokens(text, *_QUERY_ENDS))) == "en"


def names_and_numbers(text: str) -> set[str]:
    """The folded content words of a query that have a digit, or a capital letter though no sentence
    begins there."""
    inside = {match[1] for match in _CAPITAL_INSIDE.finditer(text[: sum(_QUERY_ENDS)])}
    return {
        fold(word)
        for word in content_words(text)
        if len(word) > 1 and (word in inside or _DIGIT.search(word))
    }


def likely_languages(text: str) -> frozenset[str]:
    """The codes of the languages that the stop words of a query show; English if they show none."""
    return _likely(_votes(_tokens(text, *_QUERY_ENDS)))


def folded_words(text: str) -> list[str]:
    """The distinct words of the beginning of a text, folded, in their order."""
    return [*dict.fromkeys(fold(token) for token in _TOKEN.findall(text[: _DOCUMENT_ENDS[0]]))]


def content_words(text: str) -> list[str]:
    """The words of a query as they are written, without stop words."""
    content = {*_content_tokens(text)[0]}
    words = _TOKEN.findall(text[: sum(_QUERY_ENDS)])
    return [
        word for word in words if len(word) <= MAX_TERM_CHARS and _cached_token(word) in content
    ]


def _content_tokens(text: str) -> tuple[list["_IndexToken"], dict[str, float]]:
    """The tokens of a query without stop words of its likely languages, and the language votes."""
    tokens = [token for token in _tokens(text, *_QUERY_ENDS) if token.query_terms]
    votes = _votes(tokens)
    likely = [STOP_WORDS[language] for language in _likely(votes)]
    content = [t for t in tokens if not any(fold(t.word) in words for words in likely)]
    return content or tokens, votes


@dataclass(frozen=True, slots=True)
class _IndexToken:
    terms: tuple[str, ...]
    """In a document; those of a word are for English."""
    query_terms: tuple[str, ...]
    words: tuple[str, ...] = ()
    """All words in Latin script, in lower case and with accents, as stemmers need them."""
    word: str = ""
    """The word, if the token is a single one."""
    votes: tuple[tuple[str, float], ...] = ()
    """The languages in which it is a stop word."""


def _tokens(text: str, beginning: int, end: int) -> list[_IndexToken]:
    if len(text) > beginning + end:
        text = f"{text[:beginning]}\n{text[-end:]}"
    if text.isupper() and len(text) > _MAX_ACRONYM_TEXT_CHARS:
        text = text.lower()
    return [
        _cached_token(token) if len(token) <= MAX_TERM_CHARS else _token(token)
        for token in _TOKEN.findall(text)
    ]


def _votes(tokens: Iterable[_IndexToken]) -> dict[str, float]:
    """The number of stop words of each language; a word that several share counts less."""
    votes = {**dict.fromkeys(STOP_WORDS, 0.0), "en": _ENGLISH_VOTES}
    for token in tokens:
        for language, vote in token.votes:
            votes[language] += vote
    return votes


def _likely(votes: Mapping[str, float]) -> frozenset[str]:
    enough = _LIKELY_SHARE * max(votes.values())
    return frozenset(language for language, count in votes.items() if count >= enough)


def _language(votes: Mapping[str, float]) -> str:
    return max(votes, key=votes.__getitem__)


def _rarity(token: _IndexToken) -> tuple[bool, int]:
    term = token.query_terms[0]
    return _DIGIT.search(term) is not None, len(term)


def _token(text: str) -> _IndexToken:
    if not text.isascii():
        if _EMOJI.match(text):
            return _IndexToken((text,), (text,))
        text = unicodedata.normalize("NFKC", _TOO_MANY_MARKS.sub(r"\1", text))
        if _UNSPACED.match(text):
            return _run_token(text)
    lower = text.lower()
    if not (lower.isalpha() and lower.isascii()):
        lower = lower.translate(_SPELLING).strip("_")
        words = _WORD.findall(lower)
        if not words:
            return _IndexToken((), ())
        if words != [lower] or _DIGIT.search(lower):
            return _identifier_token(lower)
    return _word_token(lower[:MAX_TERM_CHARS], is_acronym=len(text) > 1 and text.isupper())


_cached_token = lru_cache(maxsize=2**15)(_token)


def _word_token(word: str, *, is_acronym: bool) -> _IndexToken:
    term = tuple(filter(None, [_stem(word)]))
    if not _is_latin(word):
        return _IndexToken(term, term)
    if is_acronym:  # "US", "IT" and "WHO" are not stop words
        return _IndexToken(term, term, (word,))
    speakers = _LANGUAGES_BY_WORD.get(fold(word), ())
    votes = tuple((language, 1 / len(speakers)) for language in speakers)
    return _IndexToken(term, term, (word,), word, votes)


def _identifier_token(text: str) -> _IndexToken:
    whole = _SCHEME.sub("", text)
    parts = [whole]
    words: list[str] = []
    for part in _SEAM.split(whole):
        found = _WORD.findall(part)
        if len(found) > 1:
            parts.append(part)
        shortest = 2 if len(found) == 1 or _LETTER.search(part) else 4  # the year of a date
        words += [word[:MAX_TERM_CHARS] for word in found if len(word) >= shortest]
    if _GROUPED.fullmatch(whole):
        words.append(re.sub(r"[.,]", "", whole))
    words = [*dict.fromkeys(words)]  # before stemming: one sign may stand for many equal words
    terms = tuple(filter(None, dict.fromkeys([*map(_folded, parts), *map(_stem, words)])))
    return _IndexToken(terms, terms, tuple(word for word in words if _is_latin(word)))


def _run_token(run: str) -> _IndexToken:
    characters = _CHARACTER.findall(run)
    pairs = tuple(map("".join, pairwise(characters))) or tuple(characters)
    alone = [character for character in characters if _OFTEN_A_WORD.match(character)]
    return _IndexToken((*pairs, *alone) if len(characters) > 1 else pairs, pairs)


def _is_latin(word: str) -> bool:
    return (word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00") and not _DIGIT.search(word)


def _folded(word: str) -> str:
    """Without accents, but with the vowel signs of Indic scripts."""
    if word.isascii():
        return word.lower()[:MAX_TERM_CHARS]
    word = word[:_MAX_FOLDED_CHARS]
    bare = word.casefold() if "\u0700" <= word[0] < "\u1e00" else fold(word)
    return "".join([c for c in bare if c.isprintable() and c not in " \"'\\"])[:MAX_TERM_CHARS]


def _stem(word: str) -> str:
    if _is_latin(word):
        return _folded(_snowball("en", fold(word)))
    for script, language in _SCRIPTS:
        if ord(word[0]) in script and not _DIGIT.search(word):
            return _folded(_snowball(language, word))
    return _folded(word)


@lru_cache(maxsize=2**15)
def _marked_stems(language: str, word: str) -> tuple[str, ...]:
    """The stem of a word, and that of the word without accents if it differs."""
    stems = [_stem_in(language, form) for form in dict.fromkeys((word, fold(word)))]
    return tuple(dict.fromkeys(_folded(stem)[: MAX_TERM_CHARS - 1] + _MARK for stem in stems))


@lru_cache(maxsize=2**13)
def _stems_abroad(word: str) -> tuple[str, ...]:
    """The stems of a word in all languages but English."""
    stems = [_marked_stems(language, word) for language in STOP_WORDS if language != "en"]
    return tuple(dict.fromkeys(chain.from_iterable(stems)))


def _stem_in(language: str, word: str) -> str:
    rules = _stemming_rules(language)
    if rules.loanwords and rules.loanwords.search(word):
        stem = _snowball("en", word)
    else:
        for affix, replacement in rules.affixes:
            word = affix.sub(replacement, word)
        stem = _snowball(language, word)
    return stem.translate(rules.equal_letters)


class _StemmingRules(NamedTuple):
    stemmer: Stemmer.Stemmer | None
    affixes: list[tuple[re.Pattern[str], str]]
    loanwords: re.Pattern[str] | None
    equal_letters: dict[int, int]


@cache
def _stemming_rules(code: str) -> _StemmingRules:
    rules = next(entry["stemming"] for entry in all_languages() if entry.code == code)
    affixes = [line.partition(" >") for line in rules["affixes"].splitlines()]
    return _StemmingRules(
        Stemmer.Stemmer(rules["snowball"], 0) if rules["snowball"] else None,
        [(re.compile(affix), replacement.strip()) for affix, _, replacement in affixes],
        re.compile(rules["loanwords"]) if rules["loanwords"] else None,
        str.maketrans(*rules["equal_letters"].split()) if rules["equal_letters"] else {},
    )


def _snowball(language: str, word: str) -> str:
    stemmer = _stemming_rules(language).stemmer
    if stemmer is None:
        return word
    with _STEMMING:
        return str(stemmer.stemWord(word))


_STEMMING = Lock()  # a stemmer has one buffer
_SCRIPTS = [
    (range(int(script[:4], 16), int(script[5:], 16) + 1), language.code)
    for language in all_languages()
    for script in language["stemming"]["scripts"].split()
]
_LANGUAGES_BY_WORD: dict[str, list[str]] = {}
for _code, _words in KNOWN_WORDS.items():
    for _known in _words:
        _LANGUAGES_BY_WORD.setdefault(_known, []).append(_code)

_UNSPACED_SIGNS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0edf"  # Thai, Lao
    "\u1000-\u1049\u1050-\u109d\u1780-\u17d3\u17dd-\u17e9"  # Burmese, Khmer
    "\u1100-\u11ff\u2e80-\u2fd5\u3005-\u3007\u3041-\u309a\u309d-\u30fa\u30fc-\u318e\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufad9\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_MARK_SIGNS = (  # accents, vowel signs, soft hyphens, joiners: in words, but no letters to Python
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06ed\u0711-\u0963\u0981-\u0df3\u0f18-\u0fbc\u135d-\u135f"
    "\u1712-\u1773\u180b-\u1cf9\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0\ua802-\uabed\ufb1e"
    "\ufe00-\ufe0f\ufe20-\ufe2f"
)
_LETTERS = rf"[^\W\u02bc{_UNSPACED_SIGNS}]"
_RUN = rf"{_LETTERS}++(?:[{_MARK_SIGNS}]++{_LETTERS}*+)*+"
_JOINT = (
    r"(?:[-./\\@&=?%+~\u2010\u2011]|://|::|:\\|(?<=\d)[,:](?=\d)"
    r"|(?<=[nN])['\u2019\u02bc](?=[tT](?!\w)))"  # don't
)
_EMOJI_SIGN = (
    "(?:[\U0001f1e6-\U0001f1ff]{2}"  # a flag
    "|[\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001f3fa\U0001f400-\U0001faff])"
)
_TOKEN = re.compile(
    rf"[#@]?{_RUN}(?:{_JOINT}{_RUN})*+(?:\+\+|#(?!\w))?|[{_UNSPACED_SIGNS}]+|{_EMOJI_SIGN}"
)
_WORD = re.compile(rf"[^\W_]++(?:[{_MARK_SIGNS}]++[^\W_]*+)*+")
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")
_EMOJI, _UNSPACED = re.compile(_EMOJI_SIGN), re.compile(f"[{_UNSPACED_SIGNS}]")
_CHARACTER = re.compile(r"\w[^\w\s]*")
_OFTEN_A_WORD = re.compile("[\u3400-\u9fff\uac00-\ud7a3\uf900-\ufad9\U00020000-\U000323af]")
_TOO_MANY_MARKS = re.compile(r"(\W{8})\W+")  # to normalise them takes quadratic time
_SPELLING = str.maketrans("\u2010\u2011\\", "--/", "'\u2019\u02bc\u00ad\u200c\u200d")
_SCHEME = re.compile(r"^(?:[a-z]+://)?(?:www\.)?(?=\w)")
_SEAM = re.compile(r"[/@?&=]+|(?<=\d)t(?=\d\d:)")
_GROUPED = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*")
