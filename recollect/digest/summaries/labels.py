"""What a value is of: the few words beside it, which make 4,250 EUR the budget and not the fee."""

import re

from recollect.language.salience import plain

_MOST_WORDS, _REACH = 6, 80
_WORD = re.compile(r"[^\W_][\w'\u2019./-]*(?<![./-])")
_BREAK = re.compile(r"[,;!?()\"“”«»—–]\s*|[:.]\s")  # noqa: RUF001
_LEADS_TO_VALUE = " :=(\"'`“«"
_EMPTY = """
    a an the is are was be will of to for at in on by and or it its it's that this my our your i
    we who what how which there il lo la i gli le un una l' e o di da del della a al alla in per
    con su che ci si mi mio mia nostro nostra sono sara chi ang ng mga na sa si ni kay ay ko
    namin natin po rin nang ito sino ano el los las de del y es mi su le les des du et est mon
    ma der die das ein eine und ist mein meine o os as um uma meu minha
"""
_SAYS_NOTHING = frozenset(_EMPTY.split())


def label_of(sentence: str, start: int, end: int) -> str:
    """The words before the value, if there are any in its clause, or else those after it."""
    before = sentence[max(0, start - _REACH) : start]
    if start > _REACH:
        before = before.partition(" ")[2]
    if label := _telling(_BREAK.split(before.rstrip(_LEADS_TO_VALUE))[-1], from_end=True):
        return label
    after = sentence[end : end + _REACH]
    if end + _REACH < len(sentence):
        after = after.rpartition(" ")[0]
    return _telling(_BREAK.split(after.lstrip(), maxsplit=1)[0], from_end=False)


def _telling(text: str, *, from_end: bool) -> str:
    words = _trimmed(list(_WORD.finditer(text)))
    words = _trimmed(words[-_MOST_WORDS:] if from_end else words[:_MOST_WORDS])
    return text[words[0].start() : words[-1].end()] if words else ""


def _trimmed(words: list[re.Match[str]]) -> list[re.Match[str]]:
    """Without the words at both ends that say nothing."""
    start, end = 0, len(words)
    while start < end and plain(words[start][0]) in _SAYS_NOTHING:
        start += 1
    while end > start and plain(words[end - 1][0]) in _SAYS_NOTHING:
        end -= 1
    return words[start:end]
