"""Finds the exact values that messages state.

Each sentence is read twice. For its *values*: dates, amounts, names, identifiers, places and
quotations (`values/`), with a label, the few words around one that say what it is of. And for what
it *does* (`cues`): a clause that decides, prefers or forbids something is an atom as a whole, since
"not" and "Redis" apart are worth nothing. Everything is a substring of the message.

An atom's weight says how much it matters: as much as its sentence does, and more when the sentence
is there to state it ("the order number is …"). Assistants explain a lot, so of their clauses only
decisions count, and their values weigh little. Tools, system prompts and thinking give nothing.
"""

import re
from collections.abc import Iterator

from recollect.cues import Cues, plain, read_cues, salience
from recollect.values import Found, find_values
from recollect.model import Atom, AtomKind, Message
from recollect.phrases import CONSTRAINT, DECISION, PREFERENCE
from recollect.sentences import is_code, split_sentences

_CLAUSES: tuple[tuple[AtomKind, re.Pattern[str]], ...] = (
    ("decision", DECISION),
    ("constraint", CONSTRAINT),
    ("preference", PREFERENCE),
)
_CLAUSE_END = re.compile(r"[,;，；、]\s*|\s[–—-]\s|\s?[()]\s?|\s?—\s?")
_WORDS_PER_CLAUSE = 25
_WHOLE_SENTENCE = 14
_WORDS_PER_LABEL = 5
_LABEL_REACH = 80
_WORD = re.compile(r"[^\W_][\w'\u2019/-]*")
_BREAK = re.compile(r"[,;:.!?()\"“”«»—–\0]\s*")
_EMPTY = frozenset(
    """a an the is are was be will of to for at in on by and or it its it's that this my our your i we
    il lo la i gli le un una l' e o di da del della a al alla in per con su che ci si mi mio mia nostro
    nostra sono sara ang ng mga na sa si ni kay ay ko namin natin po rin nang ito el los las de del y
    es mi su le les des du et est mon ma der die das ein eine und ist mein meine o os as um uma e meu
    minha""".split()
)
_STATES = re.compile(
    r"(?:\b(?:is|are|will be|called|named|number|code|reference|ticket|id|è|è di|è il|sono|sarà|chiama"
    r"|numero|codice|ay|ay sa|ay si|es|son|será|se llama|est|sont|s'appelle|ist|sind|heißt|é|são)|[:=])"
    r"\s*[\"'`(]?\Z"
)
_STATED_AFTER = re.compile(r"[\"'`)]?\s+(?:ang|yung|is|è|est|ist|es)\b")


_DAY_OF_YEAR = re.compile(r"\d\D+\d|\d\s\D{3}|\D{3}\s\d")
_MONEY = re.compile(r"\d.*[€$£¥₱₹A-Z]|[€$£¥₱₹A-Z].*\d|[.,]\d{3}")


def find_atoms(message: Message) -> list[Atom]:
    """What a user or an assistant stated, in its order; the same value may come twice."""
    if message.role not in {"user", "assistant"}:
        return []
    return [
        atom for sentence in split_sentences(message.content) for atom in _atoms(sentence, message)
    ]


def _atoms(sentence: str, message: Message) -> Iterator[Atom]:
    if is_code(sentence):
        for kind, start, end in find_values(sentence, in_code=True):
            yield Atom(kind=kind, value=sentence[start:end], seq=message.seq)
        return
    cues = read_cues(sentence)
    weight = salience(cues, "user" if message.role == "user" else "assistant")
    states = message.role == "user" and not cues.asks and not cues.requests
    for kind, clause in _clauses(sentence, cues, message):
        yield Atom(kind=kind, value=clause, seq=message.seq, weight=weight)
    for found in find_values(sentence):
        yield Atom(
            kind=found.kind,
            value=sentence[found.start : found.end],
            seq=message.seq,
            label=_label(sentence, found),
            weight=max(1, weight + (_emphasis(sentence, found) if states else 0)),
        )


def _clauses(sentence: str, cues: Cues, message: Message) -> Iterator[tuple[AtomKind, str]]:
    """The first clause of each kind; a clause that does two things counts for the first."""
    if cues.asks or cues.requests or not cues.is_lasting:
        return
    seen = set()
    for kind, phrase in _CLAUSES:
        if message.role == "assistant" and kind != "decision":
            continue
        if match := phrase.search(plain(sentence)):
            clause = _clause_around(sentence, match.start())
            if clause not in seen:
                seen.add(clause)
                yield kind, clause


def _clause_around(sentence: str, at: int) -> str:
    """The whole sentence if it is short, else the clause at `at`, as far as a limit of words."""
    words = list(re.finditer(r"\S+", sentence))
    if len(words) <= _WHOLE_SENTENCE:
        return sentence
    start, end = 0, len(sentence)
    for stop in _CLAUSE_END.finditer(sentence):
        if stop.end() <= at:
            start = stop.end()
        elif len(sentence[at : stop.start()].split()) >= 3:
            end = stop.start()
            break
    kept = [word for word in words if start <= word.start() and word.end() <= end]
    first = kept[0].start() if kept else start
    if len(kept) > _WORDS_PER_CLAUSE:
        kept = [word for word in kept if word.end() > at][:_WORDS_PER_CLAUSE]
        first = kept[0].start()
    return sentence[first : kept[-1].end() if kept else end].rstrip(" ,;:.")


def _label(sentence: str, found: Found) -> str:
    """The words before the value, if there are any in its clause, or else those after it."""
    before = sentence[max(0, found.start - _LABEL_REACH) : found.start]
    breaks = [stop.end() for stop in _BREAK.finditer(before.rstrip(" :=(\"'`"))]
    label = _meaningful(before[breaks[-1] if breaks else 0 :], last=True)
    if label:
        return label
    after = sentence[found.end : found.end + _LABEL_REACH].lstrip()
    stop = _BREAK.search(after)
    return _meaningful(after[: stop.start()] if stop else after, last=False)


def _meaningful(text: str, *, last: bool) -> str:
    words = list(_WORD.finditer(text))
    while words and plain(words[-1][0]) in _EMPTY:
        words.pop()
    words = words[-_WORDS_PER_LABEL:] if last else words[:_WORDS_PER_LABEL]
    while words and plain(words[0][0]) in _EMPTY:
        words.pop(0)
    return text[words[0].start() : words[-1].end()] if words else ""


def _emphasis(sentence: str, found: Found) -> int:
    """More for a value that the sentence is there to state, and for one that is hard to guess."""
    before = sentence[max(0, found.start - 20) : found.start].lower()
    after = sentence[found.end : found.end + 10].lower()
    states = _STATES.search(before) or (len(before) < 4 and _STATED_AFTER.match(after))
    return _exactness(found.kind, sentence[found.start : found.end]) + (2 if states else 0)


def _exactness(kind: AtomKind, value: str) -> int:
    """Nobody can reconstruct a code; a weekday or a first name says little by itself."""
    match kind:
        case "identifier" | "path" | "url":
            return 2
        case "date":
            return 1 if _DAY_OF_YEAR.search(value) else -1
        case "amount":
            return 1 if _MONEY.search(value) else -1
        case "name":
            return 1 if " " in value else -1
        case _:
            return 0
