"""Finds the exact values in messages.

Each sentence gives two kinds of values, all of them substrings of the message:

- dates, amounts, names, identifiers, paths and quotations (`language.exact_values`), each with a
  label: the few words beside it that make 4,250 EUR the budget and not the fee;
- clauses that decide, prefer or forbid something (`language.salience`), as a whole, because "not"
  and "Redis" apart are worthless.

A value's weight is that of its sentence, and more if the sentence exists to state it ("the order
number is …") or if it cannot be guessed, like a code. Assistants explain a lot, so only their
decisions count as clauses, and their values weigh little. Messages of tools and the system are
ignored.
"""

import re
from collections.abc import Iterator

from recollect.core.types import ExactValue, ExactValueKind, Message
from recollect.language.exact_values import ValueSpan, find_values
from recollect.language.normalize import plain
from recollect.language.patterns import alternatives, words
from recollect.language.registry import merged
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
_LABELS = merged("value_labels")
_STATED_BEFORE = re.compile(rf"(?:\b{alternatives(_LABELS['before'])}|[:=])\s*[\"'`(]?\Z")
_STATED_AFTER = re.compile(rf"[\"'`)]?\s+{alternatives(_LABELS['after'])}\b")
_DAY_OF_THE_YEAR = re.compile(r"\d\D+\d|\d\s\D{3}|\D{3}\s\d|月")
_MONEY = re.compile(
    r"[€$£¥₱₹₩元円원]|\b[A-Z]{3}\b|\bP\d|\d[.,]\d{3}"
    rf"|(?i:{'|'.join(words(merged('amounts')['money']))})"
)

_MAX_LABEL_WORDS, _LABEL_REACH_CHARS = 6, 80
_WORD = re.compile(r"[^\W_][\w'\u2019./-]*(?<![./-])")
_BREAK = re.compile(r"[,;!?()\"“”«»—–]\s*|[:.]\s")  # noqa: RUF001
_LEADS_TO_VALUE = " :=(\"'`“«"
_LABEL_STOPWORDS = words(_LABELS["stop_words"])


def find_exact_values(message: Message) -> list[ExactValue]:
    """Return a message's exact values in their order; a value may occur twice.

    Only both ends of a message of thousands of sentences are searched, and only the beginning of a
    very long sentence.
    """
    if message.role not in {"user", "assistant"}:
        return []
    sentences = split_sentences(message.content)
    if len(sentences) > 2 * _MAX_SENTENCES_PER_END:
        sentences[_MAX_SENTENCES_PER_END:-_MAX_SENTENCES_PER_END] = []
    return [value for sentence in sentences for value in _values(sentence, message)]


def _values(sentence: str, message: Message) -> Iterator[ExactValue]:
    if len(sentence) > _MAX_SENTENCE_CHARS:
        sentence = sentence[:_MAX_SENTENCE_CHARS].rpartition(" ")[0]
    if is_code(sentence):
        for kind, start, end in find_values(sentence, in_code=True):
            yield ExactValue(kind=kind, value=sentence[start:end], seq=message.seq)
        return
    signals = detect_signals(sentence)
    by_user = message.role == "user"
    weight = salience(signals, "user" if by_user else "assistant")
    for kind, clause in _clauses(sentence, signals):
        if by_user or kind == "decision":
            yield ExactValue(kind=kind, value=clause, seq=message.seq, weight=weight)
    for span in find_values(sentence):
        emphasis = _emphasis(sentence, span) if by_user and signals.is_statement else 0
        yield ExactValue(
            kind=span.kind,
            value=sentence[span.start : span.end],
            seq=message.seq,
            label=_label(sentence, span.start, span.end),
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
    before = sentence[max(0, span.start - 20) : span.start].lower()
    after = sentence[span.end : span.end + 10].lower()
    is_stated = _STATED_BEFORE.search(before) or (len(before) < 4 and _STATED_AFTER.match(after))
    return _exactness(span.kind, sentence[span.start : span.end]) + (2 if is_stated else 0)


def _exactness(kind: ExactValueKind, value: str) -> int:
    """Rate how hard a value is to guess: a code is, a weekday or a first name is not."""
    if kind in {"identifier", "path", "url"}:
        return 2
    if kind == "date":
        return 1 if _DAY_OF_THE_YEAR.search(value) else -1
    if kind == "amount":
        return 1 if _MONEY.search(value) else -1
    if kind == "name":
        return 1 if " " in value else -1
    return 0


def _label(sentence: str, start: int, end: int) -> str:
    """Return the words before the value in its clause, or else those after it."""
    before = sentence[max(0, start - _LABEL_REACH_CHARS) : start]
    if start > _LABEL_REACH_CHARS:
        before = before.partition(" ")[2]
    if label := _telling_words(_BREAK.split(before.rstrip(_LEADS_TO_VALUE))[-1], from_end=True):
        return label
    after = sentence[end : end + _LABEL_REACH_CHARS]
    if end + _LABEL_REACH_CHARS < len(sentence):
        after = after.rpartition(" ")[0]
    return _telling_words(_BREAK.split(after.lstrip(), maxsplit=1)[0], from_end=False)


def _telling_words(text: str, *, from_end: bool) -> str:
    words = _trimmed(list(_WORD.finditer(text)))
    words = _trimmed(words[-_MAX_LABEL_WORDS:] if from_end else words[:_MAX_LABEL_WORDS])
    return text[words[0].start() : words[-1].end()] if words else ""


def _trimmed(words: list[re.Match[str]]) -> list[re.Match[str]]:
    """Remove stopwords at both ends."""
    start, end = 0, len(words)
    while start < end and plain(words[start][0]) in _LABEL_STOPWORDS:
        start += 1
    while end > start and plain(words[end - 1][0]) in _LABEL_STOPWORDS:
        end -= 1
    return words[start:end]
