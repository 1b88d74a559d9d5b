"""The stop words of each language, by its code and without accents.

Articles, pronouns, prepositions, conjunctions, auxiliary verbs and question words: they show the
language of a text and next to nothing about its content.
"""

from recollect.language.patterns import words
from recollect.language.registry import all_languages

STOP_WORDS = {
    language.code: words(language.stop_words) for language in all_languages() if language.stop_words
}
KNOWN_WORDS = {
    language.code: STOP_WORDS[language.code] | words(language.content_words)
    for language in all_languages()
    if language.stop_words
}
"""With the stop words of other languages that mean something in this one; they prove little."""
