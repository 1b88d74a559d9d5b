"""What stands in a user's message without the user having said it.

Applications paste what they were given into the messages they send: their system prompt, the notes
about the user, what was recalled of earlier messages, the assistant's own words. Read as the
user's, all of that would be remembered once more, and again the next time. Our own blocks are known
by their headings and tags; all else by its hash, sentence by sentence.
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
_LONGEST_READ = 100_000


def sentence_hashes(texts: Iterable[str]) -> set[str]:
    """Of each sentence, as `without_injected` compares them."""
    return {
        content_hash(sentence)
        for text in texts
        for sentence in split_sentences(text[:_LONGEST_READ])
    }


def without_injected(text: str, injected: Set[str]) -> str:
    """A message without our own blocks, and without the sentences whose hashes are given."""
    said = _SECTION.sub("\n", _RECALLED.sub("\n", text[:_LONGEST_READ]))
    for sentence in split_sentences(said):
        if content_hash(sentence) in injected:
            said = said.replace(sentence, " ", 1)
    return said.strip()
