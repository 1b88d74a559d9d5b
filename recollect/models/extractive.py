"""Summarizes without a model, by choosing sentences. It cannot make anything up.

Candidates are the sentences of the previous summary and of the turns, each with its speaker. What
a sentence is worth is the sum of three things:

- *salience*: what it does (`cues`): decisions, constraints, preferences and goals first, greetings
  and answered questions last, users before assistants;
- *substance*: whether it names exact things, figures above all;
- *centrality*: how much it shares with all the others. Sentences are TF-IDF vectors of length one,
  so the sum of the cosines with all others is one product with the sum of all vectors: the degree
  in the similarity graph, as in LexRank, without building the graph.

Then they are taken one by one, the best first, each time less what is similar to those already
taken (maximal marginal relevance), until the cap is reached. They are put back into the order in
which they were said. A run of sentences by one speaker is one line, with the speaker in front; the
next summary reads the speakers back from there, so a fact weighs the same in every generation. For
that, a line must fall apart into the same sentences again; where it would not, because somebody
wrote without full stops, a new line is begun.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

from recollect import tokens
from recollect.cues import Speaker, read_cues, salience
from recollect.model import Turn
from recollect.sentences import is_code, split_sentences

_PREFIXES: dict[Speaker, str] = {"user": "User: ", "assistant": "Assistant: ", "summary": ""}
_CANDIDATES = 400
_DUPLICATE = 0.9
_TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_EXACT = re.compile(r"\d|[/\\_@]\w|(?<=\S\s)[A-Z][a-z]+ [A-Z]")
_SUBSTANCE, _CENTRALITY, _NOVELTY = 1.0, 1.0, 8.0
_ELLIPSIS = "…"

_Vector = dict[str, float]


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    speaker: Speaker
    place: int
    worth: float


def summarize(previous: str, turns: Sequence[Turn], *, cap_tokens: int, keep: str = "") -> str:
    """At most `cap_tokens` of what was said, to the letter, after `keep`, which is not touched."""
    said = list(_sentences(previous.removeprefix(keep), turns))
    said = sorted(said, key=lambda sentence: -sentence.worth)[:_CANDIDATES]
    chosen: list[_Sentence] = []
    room = cap_tokens - tokens.count(keep)
    for sentence in _by_relevance(said):
        if tokens.count(sentence.text) > room:
            continue
        size = tokens.count(_written([*chosen, sentence], keep))
        if size <= cap_tokens:
            chosen.append(sentence)
            room = cap_tokens - size
    if not chosen and said:
        return _cut(said[0], cap_tokens, keep)
    return _written(chosen, keep)


def _sentences(previous: str, turns: Sequence[Turn]) -> Iterator[_Sentence]:
    place = 0
    for speaker, text in _speeches(previous, turns):
        for sentence in split_sentences(text):
            if not is_code(sentence) and any(map(str.isalnum, sentence)):
                place += 1
                worth = salience(read_cues(sentence), speaker)
                worth += _SUBSTANCE if _EXACT.search(sentence) else 0.0
                yield _Sentence(sentence, speaker, place, worth)


def _speeches(previous: str, turns: Sequence[Turn]) -> Iterator[tuple[Speaker, str]]:
    for line in previous.splitlines():
        if line.startswith(_PREFIXES["user"]):
            yield "user", line.removeprefix(_PREFIXES["user"])
        elif line.startswith(_PREFIXES["assistant"]):
            yield "assistant", line.removeprefix(_PREFIXES["assistant"])
        else:
            yield "summary", line
    for turn in turns:
        for message in turn.messages:
            if message.role == "user":
                yield "user", message.content
            elif message.role == "assistant":
                yield "assistant", message.content


def _by_relevance(said: Sequence[_Sentence]) -> Iterator[_Sentence]:
    vectors = _vectors([sentence.text for sentence in said])
    whole: _Vector = Counter()
    for vector in vectors:
        for term, weight in vector.items():
            whole[term] += weight
    centralities = [_product(vector, whole) for vector in vectors]
    most = max(centralities, default=1.0) or 1.0
    scores = [
        sentence.worth + _CENTRALITY * centrality / most
        for sentence, centrality in zip(said, centralities, strict=True)
    ]
    likeness = [0.0] * len(said)
    left = set(range(len(said)))
    while left:
        best = max(left, key=lambda each: (scores[each] - _NOVELTY * likeness[each] ** 2, -each))
        left.remove(best)
        if likeness[best] >= _DUPLICATE:
            continue
        yield said[best]
        for other in left:
            likeness[other] = max(likeness[other], _product(vectors[best], vectors[other]))


def _vectors(texts: Sequence[str]) -> list[_Vector]:
    counts = [Counter(_terms(text)) for text in texts]
    spread = Counter(term for count in counts for term in count)
    vectors: list[_Vector] = []
    for count in counts:
        weighted = {
            term: (1 + log(times)) * log(1 + len(texts) / spread[term])
            for term, times in count.items()
        }
        length = sqrt(sum(weight * weight for weight in weighted.values())) or 1.0
        vectors.append({term: weight / length for term, weight in weighted.items()})
    return vectors


def _terms(text: str) -> list[str]:
    return _TERM.findall(text.casefold())


def _product(one: _Vector, other: _Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def _written(chosen: Sequence[_Sentence], keep: str) -> str:
    lines = [keep] if keep else []
    last = ""
    speaker: Speaker | None = None
    for sentence in sorted(chosen, key=lambda each: each.place):
        if sentence.speaker == speaker and _fall_apart(last, sentence.text):
            lines[-1] += f" {sentence.text}"
        else:
            lines.append(_PREFIXES[sentence.speaker] + sentence.text)
        last, speaker = sentence.text, sentence.speaker
    return "\n".join(lines)


def _fall_apart(one: str, other: str) -> bool:
    return split_sentences(f"{one} {other}") == [one, other]


def _cut(sentence: _Sentence, cap_tokens: int, keep: str) -> str:
    return keep
