"""What a user wrote into a summary: theirs, word for word, through later digests and rebuilds."""

from recollect.core import tokens
from recollect.core.types import Summary
from recollect.language.sentences import split_sentences


def written_by_user(before: Summary | None, text: str) -> str:
    """The sentences of an edited text that the user wrote, now or in an earlier edit."""
    known = set(split_sentences(before.text)) if before else set()
    theirs = set(split_sentences(before.kept)) if before else set()
    return "\n".join(
        sentence
        for sentence in split_sentences(text)
        if sentence not in known or sentence in theirs
    )


def kept_within(kept: str, cap: int) -> str:
    """As many of the user's sentences as go into half the cap, from the first on."""
    taken: list[str] = []
    for sentence in split_sentences(kept):
        if tokens.count("\n".join([*taken, sentence])) <= cap // 2:
            taken.append(sentence)
    return "\n".join(taken)
