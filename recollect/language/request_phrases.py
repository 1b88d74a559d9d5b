"""Removes the words of a request that do not describe its topic.

"Take me back to the chat where we talked about the mortgage": an embedder would find all such
requests alike. What remains is the topic; if nothing remains, the sentence is kept.

Most of these words are ordinary, and a topic may contain them too ("open source", "la porta
blindata", "my chat app"). So they are removed only from the outside of each clause:

    ok, could you | take me back to | the chat | where we talked about | the    | mortgage | please
    opening         verbs             chat       talked, links           articles            closing

The opening counts only if one of the next three follows, or if the clause has nothing else; links
and articles count only after those.
"""

import re
from functools import cache

from recollect.language.normalize import plain
from recollect.language.patterns import alternatives, any_of
from recollect.language.registry import merged

_MAX_SENTENCE_CHARS = 1_000
"""A longer sentence was pasted."""
_MAX_CLOSING_CHARS = 60
_QUOTES = "\"'\u201c\u201d\u201e\u00ab\u00bb"
_ENDS = r".,;:!?\u00bf\u00a1\u2026\n"
_CLAUSE = re.compile(rf"[^{_ENDS} \"\u201c\u00ab(](?:[^{_ENDS}]|[.,:](?=\w))*")


def strip_request_phrases(sentence: str) -> str:
    """The topic of a request, or the sentence itself if it has no topic."""
    if len(sentence) > _MAX_SENTENCE_CHARS:
        return sentence
    text = plain(sentence)
    topics = []
    for clause in _CLAUSE.finditer(text):
        start, end = _topic_span(text, *clause.span())
        if start < end:
            topics.append(sentence[start:end].lstrip(_QUOTES))
    return ", ".join(topics) or sentence


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """The parts of a request by field, and `closing_or_chat`."""
    phrases = merged("requests")
    nouns = alternatives(phrases["chat_nouns"])
    part = {field: any_of(listed, flexible=True) for field, listed in phrases.items()}
    chat = any_of(phrases["chat"].replace("<chat>", nouns), flexible=True)
    followed = f" *+(?={part['links']})"
    quotes = rf"[ (\[{_QUOTES}\-]+\Z"
    closing_or_chat = any_of(phrases["closing"], nouns, flexible=True)
    patterns = {field: f"{pattern} *+" for field, pattern in part.items()} | {
        "chat": rf"{chat} *+(?:\Z|(?={part['links']}))|{part['pronouns']}{followed}"
        f"|{part['pronouns_by_themselves']} *+",
        "closing": rf" *{part['closing']}\Z|{quotes}",
        "closing_or_chat": rf" *{closing_or_chat}\Z|{quotes}",
    }
    return {field: re.compile(pattern) for field, pattern in patterns.items()}


def _topic_span(text: str, start: int, end: int) -> tuple[int, int]:
    patterns = _patterns()
    opening = start
    while (after := _after(patterns["opening"], text, opening, end)) > opening:
        opening = after
    verb = _after(patterns["verbs"], text, opening, end)
    chat = _after(patterns["chat"], text, verb, end)
    talked = _after(patterns["talked"], text, chat, end)
    if talked > opening:
        start = talked
        for part in (patterns["links"], patterns["talked"], patterns["articles"]):
            start = _after(part, text, start, end)
    elif opening == end:
        start = end
    closing = patterns["closing_or_chat"] if opening < verb == chat else patterns["closing"]
    while match := closing.search(text, max(start, end - _MAX_CLOSING_CHARS), end):
        end = match.start()
    return start, end


def _after(part: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where `part` ends if it begins at `start`, else `start`."""
    match = part.match(text, start, end)
    return match.end() if match else start
