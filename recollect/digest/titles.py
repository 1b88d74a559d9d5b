"""Derives a conversation's topic (text for the search index) and title (for display).

A model writes both if there is one: `topic_messages` builds the prompt, `parse_topic` parses the
answer. Without a model, or after an invalid answer, `derive_by_keyphrases` takes both from the
messages. It looks for the *lead*: the sentence of the user or the summary with the most frequent
stems of the conversation. The topic is the lead, plus key phrases that it lacks. The title is the
most informative span of the lead of up to seven words: "Can you help me plan a trip to Kyoto in
November?" becomes "Plan a trip to Kyoto in November". Early sentences and words weigh more.

A topic is derived repeatedly, but the title should be stable: `next_title` has the rules.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate

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
from recollect.language.summary_lines import without_names_and_days
from recollect.llm.protocols import ChatMessage

TOPIC_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {"topic": {"type": "string"}, "title": {"type": ["string", "null"]}},
    "required": ["topic", "title"],
    "additionalProperties": False,
}

_MAX_TOPIC_CHARS, _MAX_TOPIC_TOKENS = 300, 60
_MAX_LEAD_CHARS, _MAX_LEAD_TOKENS = 200, 45
_MAX_TITLE_CHARS, _MAX_TITLE_WORDS = 60, 7
_SAME_FOCUS_SHARE = 0.2

_PROMPT = files("recollect.digest").joinpath("prompts", "topic.md").read_text(encoding="utf-8")
_PROMPT_FIRST_TURNS, _PROMPT_LAST_TURNS = 2, 4
_MAX_SUMMARY_TOKENS, _MAX_MESSAGE_TOKENS = 500, 120

_FIRST_TURNS, _LAST_TURNS = 4, 15
_USER_WEIGHT, _SUMMARY_WEIGHT, _ASSISTANT_WEIGHT = 3.0, 2.0, 1.0
_TOP_STEMS, _MAX_PHRASES = 10, 8
_LATER_TEXT_FACTOR, _LATER_SENTENCE_PENALTY, _LATER_WORD_PENALTY = 0.4, 0.15, 0.25


@dataclass(frozen=True, slots=True)
class TopicAndTitle:
    """`title` is None while the subject of the conversation is not clear."""

    topic: str
    title: str | None


def next_title(
    current: str | None,
    title_source: TitleSource,
    derived: TopicAndTitle,
    previous_topic: str | None,
) -> str | None:
    """Return the new title of a conversation.

    A user's own title stays. A missing one is set as soon as the topic is clear. Any other stays
    until the focus moves: the previous topic has less than a fifth of the stems of the new topic's
    first sentence, or the new topic has none of the stems that the title shared with the previous
    one.
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
    has_new_subject = len(focus & before) < _SAME_FOCUS_SHARE * min(len(focus), len(before))
    title_stems = stems_of(title) & before
    return has_new_subject or bool(title_stems and not title_stems & now)


def topic_messages(turns: Sequence[Turn], summary_text: str = "") -> list[ChatMessage]:
    """Return the prompt: the summary and the first and newest turns, truncated."""
    texts = [("summary", summary_text, _MAX_SUMMARY_TOKENS)]
    for turn in head_and_tail(turns, _PROMPT_FIRST_TURNS, _PROMPT_LAST_TURNS):
        texts.append(("user", turn.user_content, _MAX_MESSAGE_TOKENS))
        texts.append(("assistant", turn.assistant_content, _MAX_MESSAGE_TOKENS))
    record = [
        quote(truncate_middle(text, limit), source=source) for source, text, limit in texts if text
    ]
    return [
        {"role": "system", "content": _PROMPT},
        {"role": "user", "content": "\n".join(record)},
    ]


def parse_topic(text: str) -> TopicAndTitle | None:
    """Parse a model's answer, ignoring text around the JSON; return None if it is invalid."""
    try:
        answer, _ = _LENIENT_JSON.raw_decode(text, text.index("{"))
    except (ValueError, RecursionError):
        return None
    topic, title = answer.get("topic"), answer.get("title")
    if not isinstance(topic, str):
        return None
    topic = _beginning(readable(topic), _MAX_TOPIC_CHARS, _MAX_TOPIC_TOKENS)
    if not any(map(str.isalnum, topic)):
        return None
    return TopicAndTitle(topic, _as_title(title) if isinstance(title, str) else None)


def derive_by_keyphrases(turns: Sequence[Turn], summary_text: str = "") -> TopicAndTitle:
    """Take topic and title from the texts. Small talk can be a topic, but not a title."""
    texts = [(_SUMMARY_WEIGHT, without_names_and_days(summary_text))]
    for turn in head_and_tail(turns, _FIRST_TURNS, _LAST_TURNS):
        texts.append((_USER_WEIGHT, turn.user_content))
        texts.append((_ASSISTANT_WEIGHT, turn.assistant_content))
    weighted = WeightedTexts.of(texts)
    candidates = [text for weight, text in weighted.topical if text and weight != _ASSISTANT_WEIGHT]
    lead = _lead(candidates, weighted.weights)
    opening = next((sentence for _, found in weighted.texts for sentence in found), None)
    phrases = weighted.keyphrases(_MAX_PHRASES)
    title = _title(lead, phrases, weighted.weights) if lead else None
    return TopicAndTitle(_topic(lead or opening, phrases), title)


def _lead(texts: Sequence[Sequence[Sentence]], weights: Mapping[str, float]) -> Sentence | None:
    top = sorted(weights, key=weights.__getitem__, reverse=True)[:_TOP_STEMS]

    def score(candidate: tuple[int, int, Sentence]) -> float:
        text_index, index, sentence = candidate
        stems = {*sentence.stems}
        weight = sum(weights[stem] for stem in top if stem in stems)
        factor = _LATER_TEXT_FACTOR if text_index > 0 else 1
        return weight * factor / (1 + _LATER_SENTENCE_PENALTY * index)

    candidates = [
        (text_index, index, sentence)
        for text_index, sentences in enumerate(texts)
        for index, sentence in enumerate(sentences)
    ]
    return max(candidates, key=score)[2] if candidates else None


def _topic(lead: Sentence | None, phrases: Sequence[str]) -> str:
    if lead is None:
        return ""
    topic = _beginning(lead.text, _MAX_LEAD_CHARS, _MAX_LEAD_TOKENS)
    lead_stems = stems_of(topic)
    separator = " " if topic.endswith(_SENTENCE_ENDS) else ". "
    for phrase in () if lead.is_small_talk else phrases:
        longer = f"{topic}{separator}{phrase}"
        if not stems_of(phrase) <= lead_stems and tokens.count(longer) <= _MAX_TOPIC_TOKENS:
            topic, separator = longer, ", "
    return topic


def _title(lead: Sentence, phrases: Sequence[str], weights: Mapping[str, float]) -> str | None:
    first, last = _best_span(lead, weights)
    title, words = lead.part(first, last), lead.words[first : last + 1]
    if sum(map(_size, words)) > 1:
        return _as_title(title)
    longer = (
        f"{title}: {phrase}" for phrase in phrases if stems_of(phrase).isdisjoint(words[0].stems)
    )
    return _as_title(next((title for title in longer if len(title) <= _MAX_TITLE_CHARS), ""))


def _best_span(lead: Sentence, weights: Mapping[str, float]) -> tuple[int, int]:
    content_words_before = [0, *accumulate(bool(word.stems) for word in lead.words)]

    def score(span: tuple[int, int]) -> float:
        first, last = span
        stems = dict.fromkeys(s for word in lead.words[first : last + 1] for s in word.stems)
        return sum(weights[s] for s in stems) / (
            1 + _LATER_WORD_PENALTY * content_words_before[first]
        )

    return max(_title_spans(lead), key=score)


def _title_spans(lead: Sentence) -> Iterator[tuple[int, int]]:
    """Yield the possible titles: from one content word to another, with only commas between."""
    for first, word in enumerate(lead.words):
        size = 0
        for last in range(first, len(lead.words)) if word.stems else ():
            size += _size(lead.words[last])
            if last > first and not (size <= _MAX_TITLE_WORDS and _is_joinable(lead, first, last)):
                break
            if lead.words[last].stems:
                yield first, last


def _is_joinable(lead: Sentence, first: int, last: int) -> bool:
    gap = lead.gap_before(last)
    is_clause = "," in gap and not lead.words[last].stems  # after the comma in "a dog, he barks"
    is_separated = is_clause or _SEPARATOR.search(gap)
    return not is_separated and len(lead.part(first, last)) <= _MAX_TITLE_CHARS


def _size(word: Token) -> int:
    """Return the size in words; in scripts without spaces, two characters count as one."""
    return max(1, (len(word.stems) + 1) // 2)


def _as_title(text: str) -> str | None:
    """Truncate a text after a content word; return None if it has none."""
    title = readable(text).strip(_TITLE_BORDER)
    sentence = Sentence.of(title)
    if sentence.is_small_talk:
        return None
    sizes = accumulate(map(_size, sentence.words))
    fitting = [
        word
        for word, size in zip(sentence.words, sizes, strict=True)
        if size <= _MAX_TITLE_WORDS and word.end <= _MAX_TITLE_CHARS
    ]
    if len(fitting) < len(sentence.words) or len(title) > _MAX_TITLE_CHARS:
        title = title[: max((word.end for word in fitting if word.stems), default=0)]
    return _capitalised(title) or None


def _capitalised(title: str) -> str:
    """Capitalize the first word, unless it has capitals like "iPhone"."""
    first, capital = title.partition(" ")[0], title[:1].title()
    return capital + title[1:] if first == first.lower() and len(capital) == 1 else title


def _beginning(text: str, max_chars: int, max_tokens: int) -> str:
    """Truncate a text, at the end of a word if there are spaces."""
    lengths = range(min(len(text), max_chars) + 1)
    end = bisect_right(lengths, max_tokens, key=lambda length: tokens.count(text[:length])) - 1
    if end == len(text):
        return text
    space = text.rfind(" ", end // 2, end + 1)
    return text[: end if space == -1 else space].rstrip()


_LENIENT_JSON = json.JSONDecoder(strict=False)
_SENTENCE_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")
_SEPARATOR = re.compile(r"[^\s,\u3001'\u2019/&+*=-]")
_TITLE_BORDER = " .,;:!?\u00a1\u00bf\u2026\u3002\u3001\uff0c\uff1b\uff1a\uff01\uff1f" + (
    "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u300c\u300d\u300e\u300f-\u2013\u2014*_|/\\"
)
