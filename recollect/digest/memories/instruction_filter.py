"""Telling orders from statements.

Whoever can get an instruction remembered has planted it in every later context. So what reads like
an order to the assistant is never noted, whoever reads it; how answers should be is the one thing a
user may ask for good, and is noted as a preference.
"""

import re
import unicodedata
from collections.abc import Iterator

from recollect.core.sanitize import UNSEEN
from recollect.language.salience import plain

_ORDER = re.compile(
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


_GAP = re.compile(r"\s+")


def gives_orders(text: str) -> bool:
    return any(_ORDER.search(reading) for reading in _readings(text))


def _readings(text: str) -> Iterator[str]:
    """What is unseen stands within a word, or between two in place of a blank: either way, an order
    could hide."""
    if text.isascii():
        yield _as_read(text)
        return
    bare = "".join(c for c in text if ord(c) in UNSEEN or unicodedata.category(c)[0] != "M")
    for instead in ("", " "):
        seen = bare.translate(dict.fromkeys(UNSEEN, instead))
        yield _as_read(unicodedata.normalize("NFKC", seen))
        if seen == bare:
            return


def _as_read(text: str) -> str:
    """Any gap as one blank or one line break: else a million blanks were tried one by one."""
    return plain(_GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", text))
