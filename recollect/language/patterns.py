"""Builds regular expressions from the word and phrase lists of the languages."""

import re

HAN = "\u3005\u3006\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u30ff\u31f0-\u31ff"
IDEOGRAPH = rf"[{HAN}\u30a1-\u30fa\u30fc]"
"""The signs that write nouns in Chinese and Japanese."""
_WILDCARD = re.compile(r"(?<!\w)_(?!\w)")


def split_phrases(*lists: str) -> list[str]:
    """The phrases between semicolons and line ends."""
    parts = (part.strip() for text in lists for part in re.split("[;\n]", text))
    return [part for part in parts if part]


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def alternatives(*lists: str) -> str:
    """A group that matches any phrase of the lists, and nothing if the lists are empty."""
    return f"(?:{'|'.join(split_phrases(*lists)) or '(?!)'})"


def any_of(*lists: str, flexible: bool = False) -> str:
    """A pattern that matches any phrase of the lists as whole words.

    With `flexible`, a blank in a phrase stands for one or more blanks and `_` for any word;
    apostrophes and hyphens belong to words, except that a phrase may end in an apostrophe.
    """
    group = alternatives(*lists)
    if not flexible:
        return rf"(?<!\w){group}(?!\w)"
    group = re.sub(" (?![?+])", " ++", _WILDCARD.sub(r"[\\w-]{1,20}", group))
    return rf"(?<![\w'-]){group}(?:(?<=')|(?![\w'-]))"
