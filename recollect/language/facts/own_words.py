"""Selects the user's own sentences of a message.

Code, quotations, pasted blocks, forms and letters are left out, and so is the material of a
request: sentences to translate or to correct, stories, and text written for somebody else to say. A
message that gives the assistant orders beyond how to answer, or that takes itself back with a joke,
is skipped as a whole.
"""

import re
from collections.abc import Iterator
from functools import partial

from recollect.language.normalize import plain
from recollect.language.patterns import alternatives
from recollect.language.registry import merged, phrase_pattern
from recollect.language.sentences import is_code, split_sentences

_MAX_TYPED_CHARS, _HEAD_CHARS, _TAIL_CHARS = 6_000, 1_000, 500
_HIDDEN = "\0"
_STAGE_DIRECTION = re.compile(r"(?<![*\w])\*[a-z][a-z' ]{2,40}\*(?![*\w])")  # *bows*
_FOREIGN_LINE = re.compile(r"\s{0,8}(?:>|\||[{\[<]|```|~~~|[-*+]?\s{0,3}\"\w+\"\s?:|\S{0,20}[♪♫])")
_TAG = re.compile(r"\s{0,8}<(/?)\s{0,2}([a-z][\w-]{1,30})[^>\n]{0,300}>", re.IGNORECASE)
_LABEL = re.compile(
    r"\s{0,8}(?:[-*•+]\s{1,3}|\d{1,2}[.)]\s{1,3})?([^\W\d_][\w' /-]{0,30}?)\s?:\s+\S"
)
_QUOTED = re.compile(
    r'"[^"\n]{1,600}(?:"|$)|“[^”]{1,600}(?:”|$)|«[^»]{1,600}(?:»|$)|„[^“”]{1,600}[“”]'
    r"|`[^`\n]{1,300}`|\*[^*\n]{30,300}\*"
    r"|(?<![\w'])['\u2018](?:[^'\u2018\u2019\n]|(?<=\w)['\u2019](?=\w)){2,300}['\u2019](?!\w)",
    re.MULTILINE,
)


_phrases = partial(phrase_pattern, "facts.quoted")
_PHRASES = merged("facts.quoted")
_OWN_LABEL = re.compile(rf"(?:\w+ )?{alternatives(_PHRASES['own_labels'])}\Z")
_HEADING = re.compile(
    r"\s{0,8}(?:#{1,6}\s|={3,}|-{3,}\s*\Z|--\s*\Z|\*{3,}|_{3,}\s*\Z|-{2,} ?\w"
    rf"|{alternatives(_PHRASES['mail_headers'])}\s?: ?\S|{alternatives(_PHRASES['headings'])}\b"
    rf"|{alternatives(_PHRASES['salutations'])} [^\n,]{{1,60}},)",
    re.IGNORECASE,
)
"""A paste, a form or a letter follows, to the end of the message."""


def own_words(text: str) -> Iterator[tuple[str, str]]:
    """The user's own sentences: as written, and with quotations hidden and single blanks."""
    if len(text) > _MAX_TYPED_CHARS:  # a paste: only its introduction is the user's own
        if _phrases("material").search(plain(text[-_TAIL_CHARS:])):
            return
        text = text[:_HEAD_CHARS].rpartition("\n")[0]
    masked = _QUOTED.sub(lambda quoted: _HIDDEN * len(quoted[0]), _without_foreign_lines(text))
    if _phrases("orders").search(plain(masked)):
        return
    sentences = [
        (sentence, _single_blanks(visible))
        for sentence, visible in _with_masked(text, masked)
        if not is_code(sentence)
    ]
    plain_texts = [plain(visible) for _, visible in sentences]
    if any(map(_phrases("material").search, plain_texts)) or _STAGE_DIRECTION.search(plain(text)):
        return
    has_lines = len(plain_texts) > 1 and "\n" in text.strip()
    for (sentence, visible), plain_text in zip(sentences, plain_texts, strict=True):
        if _phrases("invention").search(plain_text):
            return
        editing = _phrases("editing").search(plain_text)
        if editing and (has_lines or ":" in plain_text[editing.end() :]):
            return
        if plain_text.endswith(":") and not _OWN_LABEL.search(_bare_words(plain_text)):
            return
        if visible.strip(_HIDDEN + " "):
            yield sentence, visible


def _bare_words(text: str) -> str:
    return re.sub(r"[^\w ]", "", text).strip()


def _with_masked(text: str, masked: str) -> Iterator[tuple[str, str]]:
    at = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, at)
        at = start + len(sentence)
        yield sentence, masked[start:at]


def _single_blanks(text: str) -> str:
    text = text.replace("\u2019", "'").replace("**", "").replace("\u00a0", " ")
    return " ".join(text.split())


def _without_foreign_lines(text: str) -> str:
    """Hide pasted lines and forms; the length stays the same."""
    lines: list[str] = []
    tag, fence, ended = "", "", False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if _HEADING.match(line) and not fence:
            ended = True
        opening = _TAG.match(line)
        if not tag and opening and not opening[1] and f"</{opening[2]}" not in bare:
            tag = opening[2]
        mark = bare[:3]
        is_fence = mark in {"```", "~~~"} and fence in {"", mark}
        if is_fence:
            fence = "" if fence else mark
        label = _LABEL.match(line)
        is_labelled = label is not None and not _OWN_LABEL.match(plain(label[1]).replace(".", ""))
        hide = ended or tag or fence or is_fence or is_labelled or _FOREIGN_LINE.match(line)
        lines.append(_hidden(line) if hide else line)
        if tag and f"</{tag}" in line:
            tag = ""
    return "".join(lines)


def _hidden(line: str) -> str:
    return "".join(c if c.isspace() else _HIDDEN for c in line)
