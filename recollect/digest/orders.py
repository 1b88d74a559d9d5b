"""Telling orders from statements.

Whoever can get an instruction remembered has planted it in every later context. So what reads like
an order to the assistant is never noted, whoever reads it; how answers should be is the one thing a
user may ask for good, and is noted as a preference.
"""

import re

from recollect.cues import plain

_ORDER = re.compile(
    r"\b(?:ignor\w*|disregard|forget|override|bypass|dimentica\w*|scavalca\w*|balewalain|kalimutan)\b"
    r".{0,40}\b(?:instruction|rule|prompt|guideline|polic|istruzion|regol|tagubilin|utos|panuto)"
    r"|\b(?:system|developer|admin(?:istrator)?|root)\s*(?:prompt|message|mode|override|:)"
    r"|\b(?:modalita|messaggio) (?:di )?(?:sistema|sviluppatore)"
    r"|\byou (?:are now|must|shall|will now|have to|should always|are required)\b"
    r"|\bfrom now on,? you\b|\bd'ora in poi (?:sei|devi|tu)\b|\bmula ngayon,? (?:ikaw|dapat)\b"
    r"|\b(?:assistant|ai|model|chatbot|assistente|modello)\b.{0,20}"
    r"\b(?:must|should|shall|deve|dapat)\b"
    r"|\b(?:act|behave|respond|rispondi|agisci|comportati) as (?:if|an?|the)\b"
    r"|\bpretend (?:to|that)\b"
    r"|\b(?:reveal|leak|exfiltrate|print|repeat|send|post|rivela|invia|ibunyag|ipadala)\b.{0,40}"
    r"\b(?:prompt|secret|password|key|token|credential|https?|data|segret|chiav|lihim)"
    r"|\bjailbreak|\bdo anything now\b|<\s*/?\s*(?:system|recalled|assistant|user|instruction|\|)"
    r"|\[/?inst\]|#{2,}|={3,}|```"
)


def gives_orders(text: str) -> bool:
    return _ORDER.search(plain(text)) is not None
