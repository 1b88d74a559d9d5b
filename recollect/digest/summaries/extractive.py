"""Summarizes without a model, by choosing sentences. It cannot make anything up.

Candidates are the sentences of the previous summary and of the turns, each with its speaker. What
a sentence is worth is the sum of two things:

- *salience*: what it does (`cues`). Decisions, constraints, preferences and goals come first,
  answered questions late, greetings not at all; users before assistants. Figures and names do not
  count here, since the ledger has them;
- *centrality*: how much it shares with all the others. Sentences are TF-IDF vectors of length one,
  so the sum of the cosines with all others is one product with the sum of all vectors: the degree
  in the similarity graph, as in LexRank, without building the graph.

They are taken one by one, the best first, each time less what is like those already taken (maximal
marginal relevance), until the cap is reached, and put back into the order in which they were said.

A run of sentences by one speaker is one line, with the speaker in front; the next summary reads the
speakers back from there, so a sentence weighs the same in every generation. For that, a line must
fall apart into the same sentences again; where it would not, since somebody wrote without full
stops, a new line is begun.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

from recollect.core import tokens
from recollect.core.types import Role, Turn
from recollect.language.salience import Speaker, detect_signals, salience
from recollect.language.sentences import is_code, split_sentences

_PREFIXES: dict[Speaker, str] = {"user": "[User] ", "assistant": "[Assistant] ", "summary": ""}
_SPOKEN: dict[Role, Speaker] = {"user": "user", "assistant": "assistant"}
_CANDIDATES = 400
_CENTRALITY, _LIKENESS = 0.5, 10.0
_SAME = 0.9
"""From this likeness on, two sentences say the same."""
_TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_ELLIPSIS = "…"
_LONGEST_TOKEN = 40
"""No more characters than this go into a token, for all that is worth reading."""

_Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    speaker: Speaker
    place: int
    worth: int


def summarize(previous: str, turns: Sequence[Turn], *, cap_tokens: int, keep: str = "") -> str:
    """At most `cap_tokens` of what was said, to the letter, after `keep`, which is not touched."""
    said = _sentences(previous.removeprefix(keep), turns, leave_out=set(split_sentences(keep)))
    told = [sentence for sentence in said if sentence.worth > 0] or said
    best = sorted(told, key=lambda sentence: -sentence.worth)[:_CANDIDATES]
    chosen = _chosen(best, cap_tokens, keep)
    return _written(chosen, keep) if chosen or not best else _cut(best[0], cap_tokens, keep)


def _sentences(previous: str, turns: Sequence[Turn], leave_out: set[str]) -> list[_Sentence]:
    speeches = [*_retold(previous), *_spoken(turns)]
    pieces = [(speaker, piece) for speaker, text in speeches for piece in split_sentences(text)]
    prose = [(speaker, piece) for speaker, piece in pieces if not is_code(piece)]
    if not prose:  # nothing but code: its lines are better than nothing
        prose = [
            (speaker, line.strip()) for speaker, piece in pieces for line in piece.splitlines()
        ]
    return [
        _Sentence(piece, speaker, place, _worth(piece, speaker))
        for place, (speaker, piece) in enumerate(prose)
        if piece and piece not in leave_out
    ]


def _retold(previous: str) -> Iterator[tuple[Speaker, str]]:
    for line in previous.splitlines():
        speaker: Speaker = "summary"
        if line.startswith(_PREFIXES["user"]):
            speaker = "user"
        elif line.startswith(_PREFIXES["assistant"]):
            speaker = "assistant"
        yield speaker, line.removeprefix(_PREFIXES[speaker])


def _spoken(turns: Sequence[Turn]) -> Iterator[tuple[Speaker, str]]:
    for turn in turns:
        for message in turn.messages:
            if message.role in _SPOKEN:
                yield _SPOKEN[message.role], message.content


def _worth(sentence: str, speaker: Speaker) -> int:
    return salience(detect_signals(sentence), speaker) if any(map(str.isalnum, sentence)) else 0


def _chosen(said: Sequence[_Sentence], cap_tokens: int, keep: str) -> list[_Sentence]:
    vectors = _vectors([sentence.text for sentence in said])
    scores = [
        sentence.worth + _CENTRALITY * centrality
        for sentence, centrality in zip(said, _centralities(vectors), strict=True)
    ]
    likeness = [0.0] * len(said)
    chosen: list[_Sentence] = []
    room = cap_tokens - tokens.count(keep)
    left = set(range(len(said)))
    while left and room > 0:
        best = max(left, key=lambda each: (scores[each] - _LIKENESS * likeness[each] ** 2, -each))
        left.remove(best)
        if likeness[best] >= _SAME or tokens.count(said[best].text) > room:
            continue
        size = tokens.count(_written([*chosen, said[best]], keep))
        if size > cap_tokens:
            continue
        chosen.append(said[best])
        room = cap_tokens - size
        for other in left:
            likeness[other] = max(likeness[other], _product(vectors[best], vectors[other]))
    return chosen


def _vectors(texts: Sequence[str]) -> list[_Vector]:
    """TF-IDF, of length one."""
    counts = [Counter(_TERM.findall(text.casefold())) for text in texts]
    spread = Counter(term for count in counts for term in count)
    vectors: list[_Vector] = []
    for count in counts:
        weights = {
            term: (1 + log(times)) * log(1 + len(texts) / spread[term])
            for term, times in count.items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        vectors.append({term: weight / length for term, weight in weights.items()})
    return vectors


def _centralities(vectors: Sequence[_Vector]) -> list[float]:
    """From 0 to 1, the most central sentence."""
    whole: dict[str, float] = defaultdict(float)
    for vector in vectors:
        for term, weight in vector.items():
            whole[term] += weight
    degrees = [_product(vector, whole) for vector in vectors]
    most = max(degrees, default=0.0) or 1.0
    return [degree / most for degree in degrees]


def _product(one: _Vector, other: _Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def _written(chosen: Sequence[_Sentence], keep: str) -> str:
    lines = [keep] if keep else []
    before: _Sentence | None = None
    for sentence in sorted(chosen, key=lambda each: each.place):
        if before and before.speaker == sentence.speaker and _fall_apart(before, sentence):
            lines[-1] += f" {sentence.text}"
        else:
            lines.append(_PREFIXES[sentence.speaker] + sentence.text)
        before = sentence
    return "\n".join(lines)


def _fall_apart(one: _Sentence, other: _Sentence) -> bool:
    return split_sentences(f"{one.text} {other.text}") == [one.text, other.text]


def _cut(sentence: _Sentence, cap_tokens: int, keep: str) -> str:
    """As many of its words as fit; of a word that is too long, as many characters."""
    text = sentence.text[: cap_tokens * _LONGEST_TOKEN]

    def shortened(end: int) -> str:
        return _written([replace(sentence, text=text[:end].rstrip() + _ELLIPSIS)], keep)

    def size(end: int) -> int:
        return tokens.count(shortened(end))

    words = [gap.start() for gap in re.finditer(r"\s+", text)]
    for ends in (words, range(1, len(text))):
        fitting = bisect_right(ends, cap_tokens, key=size)
        if fitting and size(ends[fitting - 1]) <= cap_tokens:
            return shortened(ends[fitting - 1])
    return keep
