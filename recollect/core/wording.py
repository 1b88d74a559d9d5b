"""Helpers for messages to users: counted nouns and installation hints."""


def format_count(count: int, plural: str) -> str:
    """Return the count and its noun: "1 memory", "2,000 memories"."""
    return f"{count:,} {noun_for(count, plural)}"


def noun_for(count: int, plural: str) -> str:
    if count != 1:
        return plural
    return f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")


def install_hint(extra: str) -> str:
    """Name a missing extra and the command that installs it. Recollect is in no package index."""
    return f"the extra `{extra}`: pip install '/path/to/recollect[{extra}]'"
