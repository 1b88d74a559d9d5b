"""Text as the terms of the lexical index: the one analyzer for both databases.

The databases only store and match terms; all that is language happens here. A text is cut into
pieces, and each piece gives its terms:

- a *word* gives its stem, without case and accents: in Latin script that of the text's language, in
  others that of the language which the script speaks for, if Snowball knows one;
- an *identifier*, which is whatever has digits or is joined by signs ("ACME-1234", "user_id",
  "10:30", an address, a path), gives itself unstemmed, and the words in it, so that a question
  which names it in full matches more than once;
- a *run* of a script without blanks (Chinese, Japanese, Thai, and Korean for its particles) gives
  overlapping pairs of characters, and in documents each Han or Hangul character too, because one
  often is a word; a question asks for single characters only where it has no pair;
- an *emoji* gives itself, without skin tone and variation.

A short question does not show its language, so it cannot be stemmed as its answer was. Therefore a
document decides and a question does not: a document is stemmed in the language whose function words
prevail, and in English where there are none; a question asks for the stems of its words in every
language. So the same word always meets itself, whatever language the text around it was taken for,
and its other inflections meet it wherever that language was recognised. A word in a document stays
one term (two where accents change the stem), which leaves the counts of BM25 as they are. Stems in
languages other than English bear a mark ("prenot~"): without it a question for "wine" would find
"win", which is its stem in Italian. Words that cannot be Italian or Filipino, but stand in such a
text, have their English stem there.

Function words stay in documents. Questions lose them, in the languages that they show, unless they
have nothing else.

Of a long text only both ends are read, as what is said about a pasted file stands before or after
it. All steps take linear time; words repeat, so what a word gives is cached.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from threading import Lock

import Stemmer

from recollect.language.normalize import fold
from recollect.language.stopwords import ENGLISH_TOO, STOP_WORDS

__all__ = [
    "MAX_QUERY_TERMS",
    "MAX_TERM_CHARS",
    "analyze",
    "content_words",
    "folded_words",
    "is_probably_english",
    "names_and_numbers",
    "query_terms",
]

MAX_TERM_CHARS = 64
"""In characters. Of a longer one, the beginning is the term."""
MAX_QUERY_TERMS = 64

_DOCUMENT_ENDS, _QUERY_ENDS = (48_000, 16_000), (3_000, 1_000)
_LONGEST_ACRONYMS = 20  # a longer text is merely written in capitals
_ENGLISH_ANYWAY = 0.45  # votes: a word that two other languages share is more, of three it is less
_SPOKEN = 0.75  # the share of the leading language's votes that makes another one worth hearing
_MARK = "~"
_CAPITAL_INSIDE = re.compile(r"(?<=[^\W_])[,;:]? [\"'(]?([A-Z\u00c0-\u00de]\w+)")


def analyze(text: str) -> list[str]:
    """The terms of a document, in order and as often as they occur."""
    pieces = _pieces(text, *_DOCUMENT_ENDS)
    language = _language(_votes(pieces))
    if language == "en":
        return [term for piece in pieces for term in piece.terms]
    return [
        term
        for piece in pieces
        for term in (_marked(language, piece.word) if piece.word else piece.terms)
    ]


def query_terms(text: str) -> list[str]:
    """The terms of a question, any of which may match: each once, without stop words.

    The most telling words come first, which are those with digits and then the longest, so that
    they are left where there are too many.
    """
    telling, votes = _telling(text)
    telling.sort(key=_rarity, reverse=True)
    words = [*dict.fromkeys(word for piece in telling for word in piece.words)][:MAX_QUERY_TERMS]
    likely = _language(votes)
    terms = dict.fromkeys(t for word in words if likely != "en" for t in _marked(likely, word))
    terms |= dict.fromkeys(term for piece in telling for term in piece.asked)
    terms |= dict.fromkeys(t for word in words for t in _abroad(word))
    return [*terms][:MAX_QUERY_TERMS]


def is_probably_english(text: str) -> bool:
    """Whether no function words and no letters speak for another language."""
    letters = [c for c in text[: sum(_QUERY_ENDS)] if c.isalpha()]
    foreign = sum(1 for c in letters if not c.isascii())
    return 10 * foreign <= len(letters) and _language(_votes(_pieces(text, *_QUERY_ENDS))) == "en"


def names_and_numbers(text: str) -> set[str]:
    """The names and numbers of a question, folded: telling words that are written with a capital
    letter though no sentence begins there, or have a digit."""
    inside = {match[1] for match in _CAPITAL_INSIDE.finditer(text[: sum(_QUERY_ENDS)])}
    return {
        fold(word)
        for word in content_words(text)
        if len(word) > 1 and (word in inside or _DIGIT.search(word))
    }


def folded_words(text: str) -> set[str]:
    """The words of a text, folded."""
    return {fold(token) for token in _TOKEN.findall(text[: _DOCUMENT_ENDS[0]])}


def content_words(text: str) -> list[str]:
    """The words of a question, as they stand in it, without stop words."""
    telling = {*_telling(text)[0]}
    tokens = _TOKEN.findall(text[: sum(_QUERY_ENDS)])
    return [
        token for token in tokens if len(token) <= MAX_TERM_CHARS and _read_once(token) in telling
    ]


def _telling(text: str) -> tuple[list["_Piece"], dict[str, float]]:
    """All but the stop words of the languages that a question shows, and what shows them."""
    pieces = [piece for piece in _pieces(text, *_QUERY_ENDS) if piece.asked]
    votes = _votes(pieces)
    enough = _SPOKEN * max(votes.values())
    spoken = [STOP_WORDS[language] for language, count in votes.items() if count >= enough]
    telling = [p for p in pieces if not any(fold(p.word) in words for words in spoken)]
    return telling or pieces, votes


@dataclass(frozen=True, slots=True)
class _Piece:
    terms: tuple[str, ...]
    """In a document; those of a word are for English."""
    asked: tuple[str, ...]
    """In a question."""
    words: tuple[str, ...] = ()
    """All words in Latin script, lower-case and with accents, as stemmers want them."""
    word: str = ""
    """The one word that it is, if it is nothing else."""
    votes: tuple[tuple[str, float], ...] = ()
    """The languages in which it is a function word."""


def _pieces(text: str, beginning: int, end: int) -> list[_Piece]:
    if len(text) > beginning + end:
        text = f"{text[:beginning]}\n{text[-end:]}"
    if text.isupper() and len(text) > _LONGEST_ACRONYMS:
        text = text.lower()
    return [
        _read_once(token) if len(token) <= MAX_TERM_CHARS else _read(token)
        for token in _TOKEN.findall(text)
    ]


def _votes(pieces: Iterable[_Piece]) -> dict[str, float]:
    """How many function words speak for each language; one that several share speaks less."""
    votes = {**_NO_VOTES, "en": _ENGLISH_ANYWAY}
    for piece in pieces:
        for language, vote in piece.votes:
            votes[language] += vote
    return votes


def _language(votes: Mapping[str, float]) -> str:
    return max(votes, key=votes.__getitem__)


def _rarity(piece: _Piece) -> tuple[bool, int]:
    return _DIGIT.search(piece.asked[0]) is not None, len(piece.asked[0])


def _read(token: str) -> _Piece:
    if not token.isascii():
        if _EMOJI.match(token):
            return _Piece((token,), (token,))
        token = unicodedata.normalize("NFKC", _TOO_MANY_MARKS.sub(r"\1", token))
        if _UNSPACED.match(token):
            return _read_run(token)
    lower = token.lower()
    if not (lower.isalpha() and lower.isascii()):
        lower = lower.translate(_SPELLING).strip("_")
        words = _WORD.findall(lower)
        if not words:
            return _Piece((), ())
        if words != [lower] or _DIGIT.search(lower):
            return _read_identifier(lower)
    return _read_word(lower[:MAX_TERM_CHARS], is_acronym=len(token) > 1 and token.isupper())


_read_once = lru_cache(maxsize=2**15)(_read)


def _read_word(word: str, *, is_acronym: bool) -> _Piece:
    term = tuple(filter(None, [_stem(word)]))
    if not _is_latin(word):
        return _Piece(term, term)
    if is_acronym:  # "US", "IT" and "WHO" are no function words
        return _Piece(term, term, (word,))
    return _Piece(term, term, (word,), word, _SPEAKERS.get(fold(word), ()))


def _read_identifier(token: str) -> _Piece:
    whole = _SCHEME.sub("", token)
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
    terms = tuple(filter(None, dict.fromkeys([*map(_folded, parts), *map(_stem, words)])))
    return _Piece(terms, terms, tuple(word for word in words if _is_latin(word)))


def _read_run(run: str) -> _Piece:
    characters = _CHARACTER.findall(run)
    pairs = tuple(map("".join, pairwise(characters))) or tuple(characters)
    alone = [character for character in characters if _OFTEN_A_WORD.match(character)]
    return _Piece((*pairs, *alone) if len(characters) > 1 else pairs, pairs)


def _is_latin(word: str) -> bool:
    return (word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00") and not _DIGIT.search(word)


def _folded(word: str) -> str:
    """Without accents, but with the vowel signs of India and its neighbours."""
    if word.isascii():
        return word.lower()[:MAX_TERM_CHARS]
    bare = word.casefold() if "\u0700" <= word[0] < "\u1e00" else fold(word)
    return "".join([c for c in bare if c.isprintable() and c not in " \"'\\"])[:MAX_TERM_CHARS]


def _stem(word: str) -> str:
    if _is_latin(word):
        return _folded(_snowball("en", fold(word)))
    for letters, language in _SCRIPTS.items():
        if ord(word[0]) in letters and not _DIGIT.search(word):
            return _folded(_snowball(language, word))
    return _folded(word)


@lru_cache(maxsize=2**15)
def _marked(language: str, word: str) -> tuple[str, ...]:
    """The stem of a word, and that of the word without accents if it differs."""
    stems = [_stem_in(language, form) for form in dict.fromkeys((word, fold(word)))]
    return tuple(dict.fromkeys(_folded(stem)[: MAX_TERM_CHARS - 1] + _MARK for stem in stems))


@lru_cache(maxsize=2**13)
def _abroad(word: str) -> tuple[str, ...]:
    """The stems of a word in all languages but English."""
    stems = [_marked(language, word) for language in STOP_WORDS if language != "en"]
    return tuple(dict.fromkeys(chain.from_iterable(stems)))


def _stem_in(language: str, word: str) -> str:
    if language in _BORROWED and _BORROWED[language].search(word):
        stem = _snowball("en", word)
    else:
        for affix, instead in _AFFIXES.get(language, ()):
            word = affix.sub(instead, word)
        stem = word if language == "fil" else _snowball(language, word)
    return stem.replace("o", "u") if language == "fil" else stem  # luto, lutuin


def _snowball(language: str, word: str) -> str:
    with _STEMMING:
        return str(_STEMMERS[language].stemWord(word))


_STEMMING = Lock()  # a stemmer has one buffer for whoever calls
_STEMMERS = {
    language: Stemmer.Stemmer(name, 0)
    for language, name in {
        **{"en": "english", "it": "italian", "es": "spanish", "fr": "french", "de": "german"},
        **{"pt": "portuguese", "nl": "dutch", "ru": "russian", "el": "greek", "ar": "arabic"},
        **{"hi": "hindi", "ta": "tamil", "hy": "armenian"},
    }.items()
}
_SCRIPTS = {
    range(0x0370, 0x0400): "el",
    range(0x1F00, 0x2000): "el",
    range(0x0400, 0x0530): "ru",
    range(0x0530, 0x0590): "hy",
    range(0x0600, 0x0700): "ar",
    range(0x0900, 0x0980): "hi",
    range(0x0B80, 0x0C00): "ta",
}
_BORROWED = {
    "it": re.compile("[^aeiou\u00e0\u00e8\u00e9\u00ec\u00f2\u00f9]$"),
    "fil": re.compile("[cfjqvxz]|ee|oo|sh|th|[^aeiou]s$"),
}
_AFFIXES = {  # where Snowball has no stemmer, or misses a plural
    "pt": [(re.compile("(?:[\u00f5o]es|[\u00e3a]o)$"), "\u00e3o")],
    "fil": [  # kumakain, kinain, kainan: kain
        (re.compile(r"^([^aeiou]?)(?:um|in)(?=[aeiou].{2})"), r"\1"),
        (re.compile(r"^(?:[mnp]agpa|[mn]aka|[mnp]ag|i?pinag|ipa|ni)(?=.{4})"), ""),
        (re.compile(r"^([^aeiou]?)([aeiou])(?=\1[^aeiou]?\2.{2})"), ""),
        (re.compile(r"(?<=.{2}[aeiou])ng$"), ""),
        (re.compile(r"(?<=.{4})(?:h?[ai]n?){1,2}$"), ""),
        (re.compile(r"(?<=.{2}[aeiou])n$"), ""),
    ],
}

_NO_VOTES = dict.fromkeys(STOP_WORDS, 0.0)
_KNOWN = {**STOP_WORDS, "en": STOP_WORDS["en"] | ENGLISH_TOO}
_SPEAKERS = {
    word: tuple((language, 1 / len(speakers)) for language in speakers)
    for word in frozenset().union(*_KNOWN.values())
    if (speakers := [language for language, words in _KNOWN.items() if word in words])
}

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
