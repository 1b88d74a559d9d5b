"""Finds the exact values in messages.

Each sentence gives two kinds of values, all of them substrings of the message, except that relative
days are written as dates:

- dates, amounts, names, identifiers, paths and quotations (`language.exact_values`), each with a
  label: the few words beside it that make 4,250 EUR the budget and not the fee;
- clauses that decide, prefer or forbid something (`language.salience`), as a whole, because "not"
  and "Redis" apart are worthless.

A value's weight is that of its sentence, and more if the sentence exists to state it ("the order
number is …") or if it cannot be guessed, like a code. Assistants explain a lot, so only their
decisions count as clauses, and their values weigh little. Results of tools give values too
(`tool_values`), but no clauses. Messages of the system are ignored.
"""

import re
from collections.abc import Iterator

from recollect.core.types import ExactValue, ExactValueKind, Json, Message
from recollect.digest.summaries.days import day_of, replace_relative_days
from recollect.digest.summaries.labels import is_stated, label_in
from recollect.digest.summaries.tool_values import find_tool_values
from recollect.digest.summaries.value_weights import exactness
from recollect.language.exact_values import ValueSpan, find_values
from recollect.language.relative_days import annotate_relative_days
from recollect.language.salience import (
    DurableKind,
    SentenceSignals,
    detect_signals,
    phrase_offset,
    salience,
)
from recollect.language.sentences import is_code, split_sentences

_MAX_SENTENCES_PER_END = 1_000
_MAX_SENTENCE_CHARS = 10_000
_CLAUSE_KINDS: tuple[DurableKind, ...] = ("decision", "constraint", "preference")
_CLAUSE_END = re.compile(r"[,;，；、]\s*|\s[–—-]\s|\s?[()—]\s?")  # noqa: RUF001
_SHORT_SENTENCE_WORDS, _MAX_CLAUSE_WORDS, _MAX_CLAUSE_CHARS = 14, 25, 200


def find_exact_values(message: Message) -> list[ExactValue]:
    """Return a message's exact values in their order; a value may occur twice.

    Only both ends of a message of thousands of sentences are searched, and only the beginning of a
    very long sentence.
    """
    if message.role == "system":
        return []
    if message.role == "tool":
        return [*_tool_values(message.content, message)]
    sentences = split_sentences(message.content)
    if len(sentences) > 2 * _MAX_SENTENCES_PER_END:
        sentences[_MAX_SENTENCES_PER_END:-_MAX_SENTENCES_PER_END] = []
    values = [value for sentence in sentences for value in _values(sentence, message)]
    for call in message.tool_calls or ():
        values += _tool_values(call.get("output"), message)
    return values


def _tool_values(output: Json, message: Message) -> Iterator[ExactValue]:
    for kind, value, label, weight in find_tool_values(output):
        yield _exact_value(kind, value, message, label=label, weight=weight)


def _exact_value(
    kind: ExactValueKind, value: str, message: Message, *, label: str = "", weight: int = 1
) -> ExactValue:
    return ExactValue(
        kind=kind,
        value=value,
        seq=message.seq,
        label=label,
        day=day_of(message).isoformat(),
        weight=weight,
    )


def _values(sentence: str, message: Message) -> Iterator[ExactValue]:
    if len(sentence) > _MAX_SENTENCE_CHARS:
        sentence = sentence[:_MAX_SENTENCE_CHARS].rpartition(" ")[0]
    if is_code(sentence):
        for kind, start, end in find_values(sentence, in_code=True):
            yield _exact_value(kind, sentence[start:end], message)
        return
    signals = detect_signals(sentence)
    by_user = message.role == "user"
    weight = salience(signals, "user" if by_user else "assistant")
    for kind, clause in _clauses(sentence, signals):
        if by_user or kind == "decision":
            yield _exact_value(
                kind, annotate_relative_days(clause, day_of(message)), message, weight=weight
            )
    dated = replace_relative_days(sentence, day_of(message))
    for span in find_values(dated):
        emphasis = _emphasis(dated, span) if by_user and signals.is_statement else 0
        yield _exact_value(
            span.kind,
            dated[span.start : span.end],
            message,
            label=label_in(dated, span.start, span.end),
            weight=max(1, weight + emphasis),
        )


def _clauses(sentence: str, signals: SentenceSignals) -> Iterator[tuple[ExactValueKind, str]]:
    """Yield the first clause of each kind; a clause of two kinds counts for the first."""
    if signals.is_question or signals.is_request or not signals.is_durable:
        return
    seen = set()
    for kind in _CLAUSE_KINDS:
        if (offset := phrase_offset(kind, sentence)) is not None:
            clause = _clause_around(sentence, offset)
            if clause not in seen:
                seen.add(clause)
                yield kind, clause


def _clause_around(sentence: str, cue: int) -> str:
    """Return the sentence if it is short, else the clause around the cue, up to a limit."""
    start, end = 0, len(sentence)
    if len(sentence.split()) > _SHORT_SENTENCE_WORDS:
        for stop in _CLAUSE_END.finditer(sentence):
            if stop.end() <= cue:
                start = stop.end()
            elif len(sentence[cue : stop.start()].split()) > 2:
                end = stop.start()
                break
        if len(sentence[start:end].split()) > _MAX_CLAUSE_WORDS:
            start = cue
    words = list(re.finditer(r"\S+", sentence[start:end]))[:_MAX_CLAUSE_WORDS]
    length = min(words[-1].end(), _MAX_CLAUSE_CHARS)
    return sentence[start : start + length].strip(" ,;:.")


def _emphasis(sentence: str, span: ValueSpan) -> int:
    """Return extra weight for a value that the sentence states, or that is hard to guess."""
    stated = 2 if is_stated(sentence, span.start, span.end) else 0
    return exactness(span.kind, sentence[span.start : span.end]) + stated
