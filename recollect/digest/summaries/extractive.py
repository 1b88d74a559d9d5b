"""The extractive summarizer: chooses sentences, without a model. It cannot invent anything.

Candidates are the sentences of the previous summary and of the turns, each with its speaker. The
score of a sentence is the sum of

- its *salience* (`language.salience`): decisions, constraints, preferences and goals count most,
  answered questions little, greetings nothing; users count more than assistants. Figures and names
  do not count, because the ledger has them;
- its *centrality*, as in LexRank: sentences are TF-IDF unit vectors, and the sum of the cosines
  with all others is the product with the sum of all vectors.

Sentences are chosen by maximal marginal relevance until the cap is reached, and put into their
original order.

Each sentence has the name of its speaker, or else the role, and the day it was said on
(`language.summary_lines`); relative days in it are followed by their date. If the most salient
sentence does not fit into the cap with its day, days are left out. The next summary parses names
and days, so a sentence has the same weight in every generation.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

from recollect.core import tokens
from recollect.core.days import format_day
from recollect.core.types import Message, Role, Turn
from recollect.digest.summaries.days import annotate_days, day_of
from recollect.language.salience import Speaker, detect_signals, salience
from recollect.language.sentences import is_code, split_sentences
from recollect.language.summary_lines import SummaryLine, parse_summary, render_summary
from recollect.store.search_index import speaker_of

_SPEAKERS: dict[Role, Speaker] = {"user": "user", "assistant": "assistant"}
_NAMES: dict[Speaker, str] = {"user": "User", "assistant": "Assistant"}
_NOT_IN_NAMES = re.compile(r"[\[\]\s]+")
_MAX_CANDIDATES = 400
_CENTRALITY_WEIGHT, _SIMILARITY_PENALTY = 0.5, 10.0
_DUPLICATE_SIMILARITY = 0.9
_TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_ELLIPSIS = "…"
_MAX_TOKEN_CHARS = 40

_Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Sentence:
    line: SummaryLine
    index: int
    salience: int

    @property
    def text(self) -> str:
        return self.line.text


def summarize(previous: str, turns: Sequence[Turn], *, cap_tokens: int, keep: str = "") -> str:
    """Return at most `cap_tokens` of quoted sentences, after `keep`, which is not changed."""
    exclude = set(split_sentences(keep))
    sentences = _sentences(previous.removeprefix(keep), turns, exclude=exclude)
    salient = [sentence for sentence in sentences if sentence.salience > 0] or sentences
    best = sorted(salient, key=lambda sentence: -sentence.salience)[:_MAX_CANDIDATES]
    if best and tokens.count(_rendered(best[:1], keep)) > cap_tokens:
        best = [replace(each, line=replace(each.line, day="")) for each in best]
    chosen = _choose(best, cap_tokens, keep)
    return _rendered(chosen, keep) if chosen or not best else _truncated(best[0], cap_tokens, keep)


def _sentences(previous: str, turns: Sequence[Turn], exclude: set[str]) -> list[_Sentence]:
    speakers = _speakers_by_name(turns)
    pieces = [
        replace(line, text=piece)
        for line in (*parse_summary(previous), *_messages(turns))
        for piece in split_sentences(line.text)
    ]
    prose = [piece for piece in pieces if not is_code(piece.text)]
    if not prose:  # only code: then its lines
        prose = [
            replace(piece, text=line.strip())
            for piece in pieces
            for line in piece.text.splitlines()
        ]
    return [
        _Sentence(piece, index, _salience(piece.text, speakers.get(piece.name, "user")))
        for index, piece in enumerate(prose)
        if piece.text and piece.text not in exclude
    ]


def _speakers_by_name(turns: Sequence[Turn]) -> dict[str, Speaker]:
    """Return the names in a summary, with the speaker whose weight they have.

    Where users have names, a named assistant is another person rather than a model.
    """
    spoken = [message for turn in turns for message in turn.messages if message.role in _SPEAKERS]
    users = {_name(message) for message in spoken if message.role == "user"} - {_NAMES["user"]}
    return {
        **{_name(message): "user" if users else _SPEAKERS[message.role] for message in spoken},
        **dict.fromkeys(users, "user"),
        **{name: speaker for speaker, name in _NAMES.items()},
        "": "summary",
    }


def _name(message: Message) -> str:
    named = speaker_of(message.metadata) or ""
    return _NOT_IN_NAMES.sub(" ", named).strip() or _NAMES[_SPEAKERS[message.role]]


def _messages(turns: Sequence[Turn]) -> Iterator[SummaryLine]:
    for turn in turns:
        for message in turn.messages:
            if message.role in _SPEAKERS:
                day = format_day(day_of(message))
                yield SummaryLine(annotate_days(message), _name(message), day)


def _salience(sentence: str, speaker: Speaker) -> int:
    return salience(detect_signals(sentence), speaker) if any(map(str.isalnum, sentence)) else 0


def _choose(sentences: Sequence[_Sentence], cap_tokens: int, keep: str) -> list[_Sentence]:
    vectors = _vectors([sentence.text for sentence in sentences])
    scores = [
        sentence.salience + _CENTRALITY_WEIGHT * centrality
        for sentence, centrality in zip(sentences, _centralities(vectors), strict=True)
    ]
    similarity = [0.0] * len(sentences)
    chosen: list[_Sentence] = []
    room = cap_tokens - tokens.count(keep)
    left = set(range(len(sentences)))
    while left and room > 0:
        best = max(
            left,
            key=lambda each: (scores[each] - _SIMILARITY_PENALTY * similarity[each] ** 2, -each),
        )
        left.remove(best)
        if similarity[best] >= _DUPLICATE_SIMILARITY or tokens.count(sentences[best].text) > room:
            continue
        size = tokens.count(_rendered([*chosen, sentences[best]], keep))
        if size > cap_tokens:
            continue
        chosen.append(sentences[best])
        room = cap_tokens - size
        for other in left:
            similarity[other] = max(similarity[other], _product(vectors[best], vectors[other]))
    return chosen


def _vectors(texts: Sequence[str]) -> list[_Vector]:
    """Return TF-IDF unit vectors."""
    counts = [Counter(_TERM.findall(text.casefold())) for text in texts]
    document_frequency = Counter(term for count in counts for term in count)
    vectors: list[_Vector] = []
    for count in counts:
        weights = {
            term: (1 + log(times)) * log(1 + len(texts) / document_frequency[term])
            for term, times in count.items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        vectors.append({term: weight / length for term, weight in weights.items()})
    return vectors


def _centralities(vectors: Sequence[_Vector]) -> list[float]:
    """Return the centralities, scaled to a maximum of 1."""
    total: dict[str, float] = defaultdict(float)
    for vector in vectors:
        for term, weight in vector.items():
            total[term] += weight
    degrees = [_product(vector, total) for vector in vectors]
    most = max(degrees, default=0.0) or 1.0
    return [degree / most for degree in degrees]


def _product(one: _Vector, other: _Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def _rendered(chosen: Sequence[_Sentence], keep: str) -> str:
    ordered = sorted(chosen, key=lambda each: each.index)
    text = render_summary(sentence.line for sentence in ordered)
    return "\n".join(part for part in (keep, text) if part)


def _truncated(sentence: _Sentence, cap_tokens: int, keep: str) -> str:
    """Return as many words as fit; of an overlong word, as many characters."""
    text = sentence.text[: cap_tokens * _MAX_TOKEN_CHARS]

    def render(end: int) -> str:
        shorter = replace(sentence.line, text=text[:end].rstrip() + _ELLIPSIS)
        return _rendered([replace(sentence, line=shorter)], keep)

    def size(end: int) -> int:
        return tokens.count(render(end))

    words = [gap.start() for gap in re.finditer(r"\s+", text)]
    for ends in (words, range(1, len(text))):
        fitting = bisect_right(ends, cap_tokens, key=size)
        if fitting and size(ends[fitting - 1]) <= cap_tokens:
            return render(ends[fitting - 1])
    return keep
