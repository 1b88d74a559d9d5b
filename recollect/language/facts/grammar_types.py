"""The small words of a language, by which values are told from what stands around them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_CONTINUED = re.compile(r"\\\n\s*")


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """Between semicolons and line ends."""
    return frozenset(filter(None, map(str.strip, re.split(r"[;\n]", text))))


def unfolded(text: str) -> str:
    """With lines that end in a backslash joined to the next."""
    return _CONTINUED.sub("", text)


def any_of(phrases: str) -> str:
    """An alternative of the phrases between semicolons and line ends, as whole words."""
    found = (phrase.strip() for phrase in re.split(r"[;\n]", unfolded(phrases)))
    return rf"(?<!\w)(?:{'|'.join(filter(None, found))})(?!\w)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    stops: frozenset[str]
    """At these every value ends: pronouns, conjunctions, auxiliary verbs."""
    joins: frozenset[str]
    """What stands between the members of a list; stops too."""
    cuts: frozenset[str]
    """Stops that show that a value was not complete: "games that …", "sure that cats are"."""
    near: frozenset[str]
    """Prepositions, at which short values such as names and places end as well."""
    clause: frozenset[str]
    """Verbs that begin a clause of their own after "and", so that they are no member of a list."""
    ending: frozenset[str]
    """What may trail behind a value, and is no part of it: "too", "please", "po"."""
    barred: frozenset[str]
    """A value with one of these says nothing by itself: "it", "the second one", "your idea"."""
    fillers: frozenset[str]
    """No value begins with these: "here", "trouble", "to"."""
    not_names: frozenset[str]
    not_places: frozenset[str]
    articles: frozenset[str]
    inside: frozenset[str] = frozenset()
    """Prepositions that may stand within a name, between capitals."""
    mine: Mapping[str, str] = field(default_factory=dict)
    """How "my" is retold."""
