"""Detects instructions to the assistant, which must not become memories.

A remembered instruction would be part of every later context (prompt injection). The exception is
how answers should be written, which is extracted as a preference.
"""

import re
import unicodedata
from collections.abc import Iterator

from recollect.core.sanitize import INVISIBLE_CHARACTERS
from recollect.language.normalize import plain

_INSTRUCTION = re.compile(
    r"\b(?:ignor\w*|disregard|forget|override|bypass|dimentica\w*|scavalca\w*|balewalain|kalimutan)\b"
    r".{0,40}\b(?:instruction|rule|prompt|guideline|polic|istruzion|regol|tagubilin|utos|panuto)"
    r"|(?:\A|[.!?\n>\]]\s*)(?:system|developer|admin(?:istrator)?|root)\s*(?:prompt|message|mode)?:"
    r"|\b(?:developer|root|god|dan)[: ] ?mode\b|\bsystem prompt\b|\bmodalita sviluppatore\b"
    r"|\byou (?:are now|must|shall|will now|have to|should always|are required)\b"
    r"|\bfrom now on,? you\b|\bd'ora in poi (?:sei|devi|tu)\b|\bmula ngayon,? (?:ikaw|dapat)\b"
    r"|\b(?:the|this|l'|il|ang) ?(?:assistant|ai|model|chatbot|assistente|modello)"
    r" (?:must|should|shall|deve|dapat)\b"
    r"|\b(?:act|behave|respond|rispondi|agisci|comportati) (?:as|come) (?:if|an?|the|un|il|ammin)"
    r"|\bpretend (?:to|that)\b|\bjailbreak|\bdo anything now\b"
    r"|(?:\A|[.!?;,:] ?|\b(?:and|please|must|e|devi|at) )"
    r"(?:reveal|leak|exfiltrate|print|repeat|send|post|rivela(?:re)?|invia(?:re)?|ibunyag|ipadala)\b"
    r".{0,40}\b(?:prompt|secret|password|key|token|credential|https?|segret|chiav|lihim)"
    r"|<\s*/?\s*(?:system|recalled|assistant|user|instruction|\|)|\[/?inst\]|#{2,}|={3,}"
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
