"""Removes text from a user's message that the user did not write.

Applications paste system prompts, memories, recalled messages and answers into the messages they
send. Without this filter such echoes would be extracted as the user's own words, again and again.
Recollect's own blocks are recognized by their headings and tags, other echoes by the hashes of
their sentences.
"""

import re
from collections.abc import Iterable, Set

from recollect.language.normalize import content_hash
from recollect.language.sentences import split_sentences

_RECALLED = re.compile(r"<recalled\b[^>]{0,200}>.*?(?:</recalled>|\Z)", re.IGNORECASE | re.DOTALL)
_SECTION = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?:What You Know About the User|Conversation Summary"
    r"|Previous Conversation Context|Pinned messages|Earlier in this conversation)"
    r"|BACKGROUND\b.{0,3}PRIOR CONVERSATION SUMMARY|Previous conversation:|User is referring to:"
    r"|Exact values:).*\n?(?:[ \t]*\S.*\n?)*",
    re.IGNORECASE | re.MULTILINE,
)
_MAX_CHARS = 100_000


def sentence_hashes(texts: Iterable[str]) -> set[str]:
    """Return the hash of each sentence, for `remove_echoes`."""
    return {
        content_hash(sentence) for text in texts for sentence in split_sentences(text[:_MAX_CHARS])
    }


def remove_echoes(text: str, echoes: Set[str]) -> str:
    """Remove Recollect's own blocks, and the sentences whose hashes are in `echoes`."""
    text = _SECTION.sub("\n", _RECALLED.sub("\n", text[:_MAX_CHARS]))
    for sentence in split_sentences(text):
        if content_hash(sentence) in echoes:
            text = text.replace(sentence, " ", 1)
    return text.strip()
