"""Labels: the few words beside an exact value that make 4,250 EUR the budget and not the fee."""

import re

from recollect.language.normalize import plain
from recollect.language.patterns import alternatives, words
from recollect.language.registry import merged

MAX_LABEL_WORDS = 6
_REACH_CHARS = 80
_WORD = re.compile(r"[^\W_][\w'\u2019./-]*(?<![./-])")
_BREAK = re.compile(r"[,;!?()\"“”«»—–]\s*|[:.]\s")  # noqa: RUF001
_LEADS_TO_VALUE = " :=(\"'`“«"
_WORDS = merged("value_labels")
_STOP_WORDS = words(_WORDS["stop_words"])
_STATED_BEFORE = re.compile(rf"(?:\b{alternatives(_WORDS['before'])}|[:=])\s*[\"'`(]?\Z")
_STATED_AFTER = re.compile(rf"[\"'`)]?\s+{alternatives(_WORDS['after'])}\b")
_WORD_BORDER = re.compile(r"(?<=[a-z\d])(?=[A-Z])|[^\w]+|_+")
_MAX_FIELD_CHARS = 60


def label_in(sentence: str, start: int, end: int) -> str:
    """Return the words before the value in its clause, or else those after it."""
    before = sentence[max(0, start - _REACH_CHARS) : start]
    if start > _REACH_CHARS:
        before = before.partition(" ")[2]
    if label := _telling_words(_BREAK.split(before.rstrip(_LEADS_TO_VALUE))[-1], from_end=True):
        return label
    after = sentence[end : end + _REACH_CHARS]
    if end + _REACH_CHARS < len(sentence):
        after = after.rpartition(" ")[0]
    return _telling_words(_BREAK.split(after.lstrip(), maxsplit=1)[0], from_end=False)


def is_stated(sentence: str, start: int, end: int) -> bool:
    """Whether the sentence exists to state the value: "the order number is …"."""
    before = sentence[max(0, start - 20) : start].lower()
    after = sentence[end : end + 10].lower()
    return bool(_STATED_BEFORE.search(before) or (len(before) < 4 and _STATED_AFTER.match(after)))


def label_of_field(name: str, parent: str = "") -> str:
    """Return the words of a field's name: "booking reference" for `bookingReference`.

    A single word says little ("id"), so the name of the object comes before it.
    """
    found = _field_words(name)
    if len(found) == 1 and parent:
        found = [*_field_words(parent), *found]
    return " ".join(found[-MAX_LABEL_WORDS:])


def _field_words(name: str) -> list[str]:
    return [word.lower() for word in _WORD_BORDER.split(name[:_MAX_FIELD_CHARS]) if word]


def _telling_words(text: str, *, from_end: bool) -> str:
    found = _trimmed(list(_WORD.finditer(text)))
    found = _trimmed(found[-MAX_LABEL_WORDS:] if from_end else found[:MAX_LABEL_WORDS])
    return text[found[0].start() : found[-1].end()] if found else ""


def _trimmed(found: list[re.Match[str]]) -> list[re.Match[str]]:
    """Remove stopwords at both ends."""
    start, end = 0, len(found)
    while start < end and plain(found[start][0]) in _STOP_WORDS:
        start += 1
    while end > start and plain(found[end - 1][0]) in _STOP_WORDS:
        end -= 1
    return found[start:end]
