"""Detects instructions to the assistant, which must not become memories.

A remembered instruction would be part of every later context (prompt injection). The exception is
how answers should be written, which is extracted as a preference.
"""

import re
import unicodedata
from collections.abc import Iterator

from recollect.core.sanitize import INVISIBLE_CHARACTERS
from recollect.language.normalize import plain
from recollect.language.patterns import alternatives
from recollect.language.registry import merged

_PHRASES = {field: alternatives(listed) for field, listed in merged("instructions").items()}
_INSTRUCTION = re.compile(
    r"\b{overriding}\b.{{0,40}}\b{overridden}|\b{orders}\b"
    r"|(?:\A|[.!?\n>\]]\s*)(?:system|developer|admin(?:istrator)?|root)\s*(?:prompt|message|mode)?:"
    r"|\b{articles} ?{assistants} {duties}\b|\b{acting} {acting_as} {roles}"
    r"|(?:\A|[.!?;,:] ?|\b{before_revealing} ){revealing}\b.{{0,40}}\b{secrets}"
    r"|<\s*/?\s*(?:system|recalled|assistant|user|instruction|\|)|\[/?inst\]|#{{2,}}|={{3,}}".format_map(
        _PHRASES
    )
)

_WHITESPACE = re.compile(r"\s+")


def is_instruction(text: str) -> bool:
    """Return whether a text contains an instruction to the assistant."""
    return any(_INSTRUCTION.search(variant) for variant in _normalized_variants(text))


def _normalized_variants(text: str) -> Iterator[str]:
    """Yield the text with invisible characters removed, and with blanks in their place: either way,
    they could hide an instruction."""
    if text.isascii():
        yield _normalized(text)
        return
    bare = "".join(
        c for c in text if ord(c) in INVISIBLE_CHARACTERS or unicodedata.category(c)[0] != "M"
    )
    for replacement in ("", " "):
        visible = bare.translate(dict.fromkeys(INVISIBLE_CHARACTERS, replacement))
        yield _normalized(unicodedata.normalize("NFKC", visible))
        if visible == bare:
            return


def _normalized(text: str) -> str:
    """Collapse whitespace, on which the pattern would backtrack."""
    return plain(_WHITESPACE.sub(lambda run: "\n" if "\n" in run[0] else " ", text))
