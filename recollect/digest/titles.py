"""What a conversation is about (its topic), and what it is called (its title).

The topic is plain text to search by; the title is for the eye. A model writes both where there is
one: `topic_messages` asks it, `parse_topic` reads its answer, and gives None where that is of no
use. Then, or without a model, `derive_by_keyphrases` takes both from what was said. It looks for
the *lead*: the sentence, of the user's or of the summary, that says most of what the whole keeps
coming back to. The topic is the lead, and key phrases that it lacks. The title is the stretch of
the lead that tells most in seven words: "Can you help me plan a trip to Kyoto in November?" becomes
"Plan a trip to Kyoto in November". What is said early counts more, as openings tend to say it best.

A topic is derived again and again, but a title must not flicker: `next_title` has the rules.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate
from typing import Self

from recollect.core import tokens
from recollect.core.sanitize import quote, truncate_middle
from recollect.core.types import Json, TitleSource, Turn
from recollect.language.keyphrases import (
    Sentence,
    Token,
    WeightedTexts,
    head_and_tail,
    readable,
    sentences,
    stems_of,
)
from recollect.llm.protocols import ChatMessage

__all__ = [
    "TOPIC_SCHEMA",
    "Derived",
    "derive_by_keyphrases",
    "next_title",
    "parse_topic",
    "title_by_keyphrases",
    "topic_by_keyphrases",
    "topic_messages",
]

TOPIC_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {"topic": {"type": "string"}, "title": {"type": ["string", "null"]}},
    "required": ["topic", "title"],
    "additionalProperties": False,
}

_TOPIC_CHARACTERS, _TOPIC_TOKENS = 300, 60
_LEAD_CHARACTERS, _LEAD_TOKENS = 200, 45
_TITLE_CHARACTERS, _TITLE_WORDS = 60, 7
_SAME_FOCUS = 0.2

_PROMPT = files("recollect.digest").joinpath("prompts", "topic.md").read_text(encoding="utf-8")
_FIRST_TURNS_SHOWN, _LAST_TURNS_SHOWN = 2, 4
_SUMMARY_TOKENS, _MESSAGE_TOKENS = 500, 120

_FIRST_TURNS_READ, _LAST_TURNS_READ = 4, 15
_USER, _SUMMARY, _ASSISTANT = 3.0, 2.0, 1.0
_TOP_STEMS, _MOST_PHRASES = 10, 8
_LATER_TEXT, _LATER_SENTENCE, _LATER_WORD = 0.4, 0.15, 0.25


@dataclass(frozen=True, slots=True)
class TopicAndTitle:
    """`title` is None while it is not clear what the conversation is about."""

    topic: str
    title: str | None


def next_title(
    current: str | None,
    title_source: TitleSource,
    derived: TopicAndTitle,
    previous_topic: str | None,
) -> str | None:
    """The title that a conversation has from now on.

    A user's own stays. One that is missing is set as soon as the topic is clear. Any other stays
    until the focus moves, in one of two ways. A leap: the new topic opens with a sentence of whose
    telling words the previous topic had less than a fifth. Or a drift: none of what the title
    named in the previous topic is left in the new one.
    """
    if title_source == "user" or derived.title is None:
        return current
    if current is None or _focus_moved(current, previous_topic or "", derived.topic):
        return derived.title
    return current


def _focus_moved(title: str, previous_topic: str, topic: str) -> bool:
    before, now = stems_of(previous_topic), stems_of(topic)
    focus = next((frozenset(sentence.stems) for sentence in sentences(topic)), frozenset())
    if not before or not focus:
        return False
    leapt = len(focus & before) < _SAME_FOCUS * min(len(focus), len(before))
    named = stems_of(title) & before
    return leapt or bool(named and not named & now)


def topic_messages(turns: Sequence[Turn], summary_text: str = "") -> list[ChatMessage]:
    """What a model is asked. It sees the summary, the first turns and the newest, shortened."""
    said = [("summary", summary_text, _SUMMARY_TOKENS)]
    for turn in head_and_tail(turns, _FIRST_TURNS_SHOWN, _LAST_TURNS_SHOWN):
        said.append(("user", turn.user_content, _MESSAGE_TOKENS))
        said.append(("assistant", turn.assistant_content, _MESSAGE_TOKENS))
    record = [
        quote(truncate_middle(text, limit), source=source) for source, text, limit in said if text
    ]
    return [
        {"role": "system", "content": _PROMPT},
        {"role": "user", "content": "\n".join(record)},
    ]


def parse_topic(text: str) -> TopicAndTitle | None:
    """A model's answer, cut to size, whatever stands around the JSON; None if it is of no use."""
    try:
        answer, _ = _LENIENT_JSON.raw_decode(text, text.index("{"))
    except (ValueError, RecursionError):
        return None
    topic, title = answer.get("topic"), answer.get("title")
    if not isinstance(topic, str):
        return None
    topic = _beginning(readable(topic), _TOPIC_CHARACTERS, _TOPIC_TOKENS)
    if not any(map(str.isalnum, topic)):
        return None
    return TopicAndTitle(topic, _as_title(title) if isinstance(title, str) else None)


def derive_by_keyphrases(turns: Sequence[Turn], summary_text: str = "") -> TopicAndTitle:
    gist = _Gist.of(turns, summary_text)
    return TopicAndTitle(_topic(gist), _title(gist))


def topic_by_keyphrases(turns: Sequence[Turn], summary_text: str = "") -> str:
    """While there is only small talk, that is the topic; "" if nothing was said at all."""
    return _topic(_Gist.of(turns, summary_text))


def title_by_keyphrases(turns: Sequence[Turn], summary_text: str = "") -> str | None:
    """None while neither the user nor the summary has said what it is about."""
    return _title(_Gist.of(turns, summary_text))


@dataclass(frozen=True, slots=True)
class _Gist:
    opening: Sentence | None
    lead: Sentence | None
    phrases: Sequence[str]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, turns: Sequence[Turn], summary_text: str) -> Self:
        texts = [(_SUMMARY, summary_text)]
        for turn in head_and_tail(turns, _FIRST_TURNS_READ, _LAST_TURNS_READ):
            texts += [(_USER, turn.user_content), (_ASSISTANT, turn.assistant_content)]
        reading = WeightedTexts.of(texts)
        told = [said for weight, said in reading.told if said and weight != _ASSISTANT]
        return cls(
            opening=next((s for _, said in reading.texts for s in said), None),
            lead=_lead(told, reading.weights),
            phrases=reading.keyphrases(_MOST_PHRASES),
            weights=reading.weights,
        )


def _lead(told: Sequence[Sequence[Sentence]], weights: Mapping[str, float]) -> Sentence | None:
    top = sorted(weights, key=weights.__getitem__, reverse=True)[:_TOP_STEMS]

    def worth(candidate: tuple[int, int, Sentence]) -> float:
        text, place, sentence = candidate
        stems = {*sentence.stems}
        told_by_it = sum(weights[stem] for stem in top if stem in stems)
        return told_by_it * (_LATER_TEXT if text > 0 else 1) / (1 + _LATER_SENTENCE * place)

    candidates = [
        (text, *numbered) for text, said in enumerate(told) for numbered in enumerate(said)
    ]
    return max(candidates, key=worth)[2] if candidates else None


def _topic(gist: _Gist) -> str:
    lead = gist.lead or gist.opening
    if lead is None:
        return ""
    topic = _beginning(lead.text, _LEAD_CHARACTERS, _LEAD_TOKENS)
    said = stems_of(topic)
    separator = " " if topic.endswith(_SENTENCE_ENDS) else ". "
    for phrase in () if lead.is_small_talk else gist.phrases:
        longer = f"{topic}{separator}{phrase}"
        if not stems_of(phrase) <= said and tokens.count(longer) <= _TOPIC_TOKENS:
            topic, separator = longer, ", "
    return topic


def _title(gist: _Gist) -> str | None:
    if gist.lead is None:
        return None
    first, last = _most_telling_stretch(gist.lead, gist.weights)
    title, words = gist.lead.part(first, last), gist.lead.words[first : last + 1]
    if sum(map(_size, words)) > 1:
        return _as_title(title)
    longer = (
        f"{title}: {phrase}"
        for phrase in gist.phrases
        if stems_of(phrase).isdisjoint(words[0].stems)
    )
    return _as_title(next((one for one in longer if len(one) <= _TITLE_CHARACTERS), ""))


def _most_telling_stretch(lead: Sentence, weights: Mapping[str, float]) -> tuple[int, int]:
    told_before = [0, *accumulate(bool(word.stems) for word in lead.words)]

    def worth(stretch: tuple[int, int]) -> float:
        first, last = stretch
        stems = dict.fromkeys(s for word in lead.words[first : last + 1] for s in word.stems)
        return sum(weights[s] for s in stems) / (1 + _LATER_WORD * told_before[first])

    return max(_stretches(lead), key=worth)


def _stretches(lead: Sentence) -> Iterator[tuple[int, int]]:
    """What could be a title: from one telling word to another, with commas at most between."""
    for first, word in enumerate(lead.words):
        size = 0
        for last in range(first, len(lead.words)) if word.stems else ():
            size += _size(lead.words[last])
            if last > first and not (size <= _TITLE_WORDS and _goes_on(lead, first, last)):
                break
            if lead.words[last].stems:
                yield first, last


def _goes_on(lead: Sentence, first: int, last: int) -> bool:
    gap = lead.gap_before(last)
    is_clause = "," in gap and not lead.words[last].stems  # after the comma in "a dog, he barks"
    is_parted = is_clause or _HEAVY.search(gap)
    return not is_parted and len(lead.part(first, last)) <= _TITLE_CHARACTERS


def _size(word: Token) -> int:
    """In words; where no spaces part them, two signs count as one."""
    return max(1, (len(word.stems) + 1) // 2)


def _as_title(text: str) -> str | None:
    """A text as a title, cut off after a telling word if it is long; None if it tells nothing."""
    title = readable(text).strip(_AROUND_TITLES)
    sentence = Sentence.of(title)
    if sentence.is_small_talk:
        return None
    sizes = accumulate(map(_size, sentence.words))
    fitting = [
        word
        for word, size in zip(sentence.words, sizes, strict=True)
        if size <= _TITLE_WORDS and word.end <= _TITLE_CHARACTERS
    ]
    if len(fitting) < len(sentence.words) or len(title) > _TITLE_CHARACTERS:
        title = title[: max((word.end for word in fitting if word.stems), default=0)]
    return _capitalised(title) or None


def _capitalised(title: str) -> str:
    """As a sentence is; "iPhone" stays."""
    first, capital = title.partition(" ")[0], title[:1].title()
    return capital + title[1:] if first == first.lower() and len(capital) == 1 else title


def _beginning(text: str, characters: int, most_tokens: int) -> str:
    """As much as fits, up to the end of a word where spaces part them."""
    lengths = range(min(len(text), characters) + 1)
    end = bisect_right(lengths, most_tokens, key=lambda length: tokens.count(text[:length])) - 1
    if end == len(text):
        return text
    space = text.rfind(" ", end // 2, end + 1)
    return text[: end if space == -1 else space].rstrip()


_LENIENT_JSON = json.JSONDecoder(strict=False)
_SENTENCE_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")
_HEAVY = re.compile(r"[^\s,\u3001'\u2019/&+*=-]")
_AROUND_TITLES = " .,;:!?\u00a1\u00bf\u2026\u3002\u3001\uff0c\uff1b\uff1a\uff01\uff1f" + (
    "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u300c\u300d\u300e\u300f-\u2013\u2014*_|/\\"
)
