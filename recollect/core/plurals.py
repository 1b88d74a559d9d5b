"""How many of something there are, as one says it."""


def counted(count: int, things: str) -> str:
    """ "1 memory", "2,000 memories": of one, the singular."""
    return f"{count:,} {things_of(count, things)}"


def things_of(count: int, things: str) -> str:
    """The word alone."""
    if count != 1:
        return things
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")
