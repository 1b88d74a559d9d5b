"""What a sentence does in a conversation, told by its words: it decides, prefers, forbids, asks …

A digest without a model has to know what matters, and few things tell it as well as the plain words
with which people say it: "we decided", "preferisco", "huwag" (`phrases`). `salience` is the
judgement drawn from them: what users say of themselves and their task weighs more than what an
assistant explains, lasting statements more than news of the day, and a question or a courtesy
hardly anything. Nothing depends on the numbers but the order they make.
"""

import re
from dataclasses import dataclass
from typing import Literal

from recollect.language import lexicon

Speaker = Literal["user", "assistant", "summary"]
"""Who says a sentence; "summary" when it was retold by whoever summarized before."""

_LATIN_1 = "aaaaaaaceeeeiiiidnooooo*ouuuuyts"
_PLAIN = str.maketrans(
    {chr(code): _LATIN_1[(code - 0xC0) % 32] for code in range(0xC0, 0x100)}
    | {"÷": "/", "ß": "s", "ÿ": "y", "œ": "o", "Œ": "o", "İ": "i"}
    | dict.fromkeys("\u2018\u2019\u02bc\u00b4", "'")
    | dict.fromkeys("\u2010\u2011", "-")
)
_QUESTION_MARK = re.compile(r"[?？؟][\s\"'”’»)\]*_]*\Z")  # noqa: RUF001
_UNMARKED_QUESTION = re.compile(
    r"(?:(?:can|could|would|will|do|does|did|is|are) (?:you|i|we|it|the|there)"
    r"|(?:what|who|which|when|where|why|how)(?:'s)? (?!you|i |we )\w+)\b.*[^.!]\Z",
    re.DOTALL,
)
_WORDS_OF_COURTESY = 6
_WORDS_THAT_SAY_LITTLE = 3
_LONGEST_READ = 2_000


def plain(text: str) -> str:
    """Lower case, Western accents dropped, straight apostrophes: of the same length as `text`."""
    return text.lower() if text.isascii() else text.translate(_PLAIN).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceSignals:
    is_decision: bool
    is_preference: bool
    is_constraint: bool
    is_goal: bool
    is_notice: bool
    is_open: bool
    is_first_person: bool
    """It speaks of "me" and "our"."""
    is_practical: bool
    """It is about what people keep papers of: orders, appointments, files …"""
    is_transient: bool
    """It tells of the day, or of no day at all: what was, is for the moment, or may be."""
    is_question: bool
    is_request: bool
    """It wants something done at once, which the answer does."""
    is_courtesy: bool
    is_short: bool

    @property
    def is_durable(self) -> bool:
        """Something that later turns have to respect."""
        return self.is_decision or self.is_preference or self.is_constraint

    @property
    def is_statement(self) -> bool:
        """It tells something, rather than wanting an answer."""
        return not (self.is_question or self.is_request or self.is_courtesy)


def detect_signals(sentence: str) -> SentenceSignals:
    text = plain(sentence[:_LONGEST_READ])
    words = len(text.split())
    is_greeting = words <= _WORDS_OF_COURTESY and lexicon.COURTESY.match(text) is not None
    return SentenceSignals(
        is_decision=lexicon.DECISION.search(text) is not None,
        is_preference=lexicon.PREFERENCE.search(text) is not None,
        is_constraint=lexicon.CONSTRAINT.search(text) is not None,
        is_goal=lexicon.GOAL.search(text) is not None,
        is_notice=lexicon.NOTICE.search(text) is not None,
        is_open=lexicon.OPEN.search(text) is not None,
        is_first_person=lexicon.OWN.search(text) is not None,
        is_practical=lexicon.AFFAIRS.search(text) is not None,
        is_transient=lexicon.FLEETING.search(text) is not None,
        is_question=bool(_QUESTION_MARK.search(text) or _UNMARKED_QUESTION.match(text)),
        is_request=lexicon.REQUEST.match(text) is not None,
        is_courtesy=is_greeting and not any(map(str.isdigit, text)),
        is_short=words <= _WORDS_THAT_SAY_LITTLE,
    )


def salience(signals: SentenceSignals, speaker: Speaker) -> int:
    """How much it matters that a sentence is remembered, from 0 to about fifteen."""
    if signals.is_courtesy and not signals.is_durable:
        return 0
    if speaker == "assistant":
        return 1 + signals.is_decision + signals.is_open
    if signals.is_question or signals.is_request:
        return 2 + signals.is_request
    weight = 4 + signals.is_first_person + signals.is_practical - signals.is_short
    weight += (
        4 * signals.is_durable + 3 * signals.is_notice + 2 * (signals.is_goal or signals.is_open)
    )
    return max(1, weight - (3 if signals.is_transient and not signals.is_decision else 0))
