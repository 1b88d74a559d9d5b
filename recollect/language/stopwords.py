"""The stop words of each language, by its code and without accents.

Articles, pronouns, prepositions, conjunctions, auxiliary verbs and question words: they show the
language of a text and next to nothing about its content.
"""

from collections.abc import Iterable, Sequence

from recollect.language.patterns import words
from recollect.language.registry import all_languages

_LISTS = {language.code: language["general"] for language in all_languages()}
STOP_WORDS = {
    code: words(lists["stop_words"]) for code, lists in _LISTS.items() if lists["stop_words"]
}
KNOWN_WORDS = {
    code: stop_words | words(_LISTS[code]["content_words"])
    for code, stop_words in STOP_WORDS.items()
}
"""With the stop words of other languages that mean something in this one; they prove little."""
_ANAPHORA = {code: words(lists["anaphora"]) for code, lists in _LISTS.items()}
_CONTINUATIONS = frozenset().union(*(words(lists["continuations"]) for lists in _LISTS.values()))


def points_back(asked: Sequence[str], languages: Iterable[str]) -> bool:
    """Return whether the words of a question point to something said before ("what about him?",
    "and in winter?")."""
    is_continuation = bool(asked) and asked[0] in _CONTINUATIONS
    return is_continuation or any(not _ANAPHORA[code].isdisjoint(asked) for code in languages)
