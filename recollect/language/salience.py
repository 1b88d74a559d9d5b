"""What a sentence does in a conversation, and how much it matters.

Phrases such as "we decided", "preferisco" and "huwag" show what a sentence does. `salience` weighs
that: what users say about themselves and their task counts more than what an assistant explains,
lasting statements more than news of the day, and a question or a courtesy hardly anything. Only the
order of the weights matters.
"""

import re
from dataclasses import dataclass
from typing import Literal

from recollect.language.normalize import plain
from recollect.language.patterns import alternatives
from recollect.language.registry import merged, phrase_pattern

Speaker = Literal["user", "assistant", "summary"]
"""The author of a sentence; "summary" for a sentence of an earlier summary."""
DurableKind = Literal["decision", "constraint", "preference"]

_QUESTION_MARK = re.compile(r"[?？؟][\s\"'”’»)\]*_]*\Z")  # noqa: RUF001
_QUESTION = re.compile(rf"{alternatives(merged('salience')['question'])}\b.*[^.!]\Z", re.DOTALL)
_MAX_COURTESY_WORDS = 6
_MAX_SHORT_WORDS = 3
_MAX_CHARS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceSignals:
    is_decision: bool
    is_preference: bool
    is_constraint: bool
    is_goal: bool
    is_notice: bool
    is_open: bool
    is_first_person: bool
    is_practical: bool
    """It is about things that people keep papers of: orders, appointments, files …"""
    is_transient: bool
    """It is about the past, the moment, or a possibility."""
    is_question: bool
    is_request: bool
    """It asks for something that the answer does at once."""
    is_courtesy: bool
    is_short: bool

    @property
    def is_durable(self) -> bool:
        """Later turns have to respect it."""
        return self.is_decision or self.is_preference or self.is_constraint

    @property
    def is_statement(self) -> bool:
        return not (self.is_question or self.is_request or self.is_courtesy)


def detect_signals(sentence: str) -> SentenceSignals:
    text = plain(sentence[:_MAX_CHARS])
    words = len(text.split())

    def has(signal: str) -> bool:
        return phrase_pattern("salience", signal).search(text) is not None

    def begins_with(signal: str) -> bool:
        return phrase_pattern("salience", signal).match(text) is not None

    return SentenceSignals(
        is_decision=has("decision"),
        is_preference=has("preference"),
        is_constraint=has("constraint"),
        is_goal=has("goal"),
        is_notice=has("notice"),
        is_open=has("open"),
        is_first_person=has("first_person"),
        is_practical=has("practical"),
        is_transient=has("transient"),
        is_question=bool(_QUESTION_MARK.search(text) or _QUESTION.match(text)),
        is_request=begins_with("request"),
        is_courtesy=(
            words <= _MAX_COURTESY_WORDS
            and begins_with("courtesy")
            and not any(map(str.isdigit, text))
        ),
        is_short=words <= _MAX_SHORT_WORDS,
    )


def phrase_offset(kind: DurableKind, sentence: str) -> int | None:
    """Where the first phrase of this kind begins."""
    match = phrase_pattern("salience", kind).search(plain(sentence))
    return match.start() if match else None


def salience(signals: SentenceSignals, speaker: Speaker) -> int:
    """The weight of a sentence in a summary, from 0 to about fifteen."""
    if signals.is_courtesy and not signals.is_durable:
        return 0
    if speaker == "assistant":
        return 1 + signals.is_decision + signals.is_open
    if signals.is_question or signals.is_request:
        return 2 + signals.is_request
    weight = 4 + signals.is_first_person + signals.is_practical - signals.is_short
    weight += 4 * signals.is_durable + 3 * signals.is_notice
    weight += 2 * (signals.is_goal or signals.is_open)
    return max(1, weight - (3 if signals.is_transient and not signals.is_decision else 0))
