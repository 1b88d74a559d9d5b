"""Finds the exact values that messages state.

Each sentence is read twice. For its *values*: dates, amounts, names, identifiers, places and
quotations (`values`), each with a label, the few words around it that say what it is of. And for
what it *does* (`cues`): a clause that decides, prefers or forbids something is an atom as a whole,
since "not" and "Redis" apart are worth nothing. Everything is a substring of the message.

An atom's weight says how much it matters: as much as its sentence does, and more when the sentence
is there to state it ("the order number is …") or when it cannot be guessed, as a code. Assistants
explain a lot, so of their clauses only decisions count, and their values weigh little. Tools,
system prompts and thinking give nothing.
"""

import re
from collections.abc import Iterator

from recollect.core.types import ExactValue, ExactValueKind, Message
from recollect.digest.summaries.labels import label_of
from recollect.language.exact_values import ValueSpan, find_values
from recollect.language.lexicon import CONSTRAINT, DECISION, PREFERENCE
from recollect.language.salience import SentenceSignals, detect_signals, plain, salience
from recollect.language.sentences import is_code, split_sentences

_SENTENCES_FROM_EACH_END = 1_000
_LONGEST_SENTENCE = 10_000
_CLAUSES: tuple[tuple[ExactValueKind, re.Pattern[str]], ...] = (
    ("decision", DECISION),
    ("constraint", CONSTRAINT),
    ("preference", PREFERENCE),
)
_CLAUSE_END = re.compile(r"[,;，；、]\s*|\s[–—-]\s|\s?[()—]\s?")  # noqa: RUF001
_SHORT_SENTENCE, _LONGEST_CLAUSE, _LONGEST_CLAUSE_CHARS = 14, 25, 200
_STATES = re.compile(
    r"(?:\b(?:is|are|will be|called|named|i'm|i am|number|code|reference|ticket|id|è|è di|è il|sono"
    r"|sarà|chiama|chiamo|numero|codice|ay|ay sa|ay si|ako si|es|son|será|llama|llamo|est|sont"
    r"|m'appelle|ist|sind|heiße|heißt|é|são|chamo)|[:=])\s*[\"'`(]?\Z"
)
_STATED_AFTER = re.compile(r"[\"'`)]?\s+(?:ang|yung|is|è|est|ist|es|é)\b")
_DAY_OF_THE_YEAR = re.compile(r"\d\D+\d|\d\s\D{3}|\D{3}\s\d|月")
_MONEY = re.compile(
    r"[€$£¥₱₹₩元円원]|\b[A-Z]{3}\b|\bP\d|\d[.,]\d{3}|(?i:euro|dollar|peso|piso|pound|yen|franc)"
)


def find_exact_values(message: Message) -> list[ExactValue]:
    """What a user or an assistant stated, in its order; the same value may come twice.

    Of a message of thousands of sentences, only the beginning and the end are read, and of a
    sentence of thousands of words only the beginning.
    """
    if message.role not in {"user", "assistant"}:
        return []
    sentences = split_sentences(message.content)
    if len(sentences) > 2 * _SENTENCES_FROM_EACH_END:
        sentences[_SENTENCES_FROM_EACH_END:-_SENTENCES_FROM_EACH_END] = []
    return [atom for sentence in sentences for atom in _atoms(sentence, message)]


def _atoms(sentence: str, message: Message) -> Iterator[ExactValue]:
    if len(sentence) > _LONGEST_SENTENCE:
        sentence = sentence[:_LONGEST_SENTENCE].rpartition(" ")[0]
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
    for found in find_values(sentence):
        emphasis = _emphasis(sentence, found) if by_user and signals.is_statement else 0
        yield ExactValue(
            kind=found.kind,
            value=sentence[found.start : found.end],
            seq=message.seq,
            label=label_of(sentence, found.start, found.end),
            weight=max(1, weight + emphasis),
        )


def _clauses(sentence: str, signals: SentenceSignals) -> Iterator[tuple[ExactValueKind, str]]:
    """The first clause of each kind; one that is of two kinds counts for the first."""
    if signals.is_question or signals.is_request or not signals.is_durable:
        return
    seen = set()
    for kind, phrase in _CLAUSES:
        if match := phrase.search(plain(sentence)):
            clause = _clause_around(sentence, match.start())
            if clause not in seen:
                seen.add(clause)
                yield kind, clause


def _clause_around(sentence: str, cue: int) -> str:
    """The whole sentence if it is short, else the clause with the cue in it, up to a limit."""
    start, end = 0, len(sentence)
    if len(sentence.split()) > _SHORT_SENTENCE:
        for stop in _CLAUSE_END.finditer(sentence):
            if stop.end() <= cue:
                start = stop.end()
            elif len(sentence[cue : stop.start()].split()) > 2:
                end = stop.start()
                break
        if len(sentence[start:end].split()) > _LONGEST_CLAUSE:
            start = cue
    words = list(re.finditer(r"\S+", sentence[start:end]))[:_LONGEST_CLAUSE]
    length = min(words[-1].end(), _LONGEST_CLAUSE_CHARS)
    return sentence[start : start + length].strip(" ,;:.")


def _emphasis(sentence: str, found: ValueSpan) -> int:
    """More for a value that the sentence is there to state, and for one that is hard to guess."""
    before = sentence[max(0, found.start - 20) : found.start].lower()
    after = sentence[found.end : found.end + 10].lower()
    is_stated = _STATES.search(before) or (len(before) < 4 and _STATED_AFTER.match(after))
    return _exactness(found.kind, sentence[found.start : found.end]) + (2 if is_stated else 0)


def _exactness(kind: ExactValueKind, value: str) -> int:
    """Nobody can reconstruct a code; a weekday or a first name says little by itself."""
    if kind in {"identifier", "path", "url"}:
        return 2
    if kind == "date":
        return 1 if _DAY_OF_THE_YEAR.search(value) else -1
    if kind == "amount":
        return 1 if _MONEY.search(value) else -1
    if kind == "name":
        return 1 if " " in value else -1
    return 0
