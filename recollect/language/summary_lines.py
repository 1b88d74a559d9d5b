"""The lines of an extractive summary: who said what on which day.

    4 June 2024:
    [Caroline] I went to the market yesterday (3 June 2024). I prefer mornings.
    [Assistant] Noted.

A day holds until the next one. Sentences of the same speaker and day share a line if it splits into
them again. A line without a name is from a summary that a model or a user wrote.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from recollect.core.days import MONTHS
from recollect.language.sentences import split_sentences

_DAY = re.compile(rf"(\d{{1,2}} (?:{'|'.join(MONTHS)}) \d{{1,4}}):")
_NAME = re.compile(r"\[([^\[\]\n]{1,100})\] (?=\S)")


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A sentence, or several in one line; `name` and `day` are empty if they are not known."""

    text: str
    name: str = ""
    day: str = ""


def parse_summary(summary: str) -> Iterator[SummaryLine]:
    day = ""
    for line in summary.splitlines():
        if heading := _DAY.fullmatch(line):
            day = heading[1]
        elif prefix := _NAME.match(line):
            yield SummaryLine(line[prefix.end() :], prefix[1], day)
        else:
            yield SummaryLine(line, "", day)


def render_summary(sentences: Iterable[SummaryLine]) -> str:
    """Return the text of a summary; `parse_summary` gives the same sentences."""
    lines: list[str] = []
    before: SummaryLine | None = None
    for sentence in sentences:
        if before and _shares_line(before, sentence):
            lines[-1] += f" {sentence.text}"
        else:
            if sentence.day and (before is None or before.day != sentence.day):
                lines.append(f"{sentence.day}:")
            lines.append(f"[{sentence.name}] {sentence.text}" if sentence.name else sentence.text)
        before = sentence
    return "\n".join(lines)


def newest_sentence(summary: str) -> str:
    """Return the last sentence with its name and day; "" if there is none."""
    for line in reversed(list(parse_summary(summary))):
        if sentences := split_sentences(line.text):
            return render_summary([replace(line, text=sentences[-1])])
    return ""


def drop_oldest_sentences(
    summary: str, *, keep: Iterable[str], fits: Callable[[str], bool] | None = None
) -> str:
    """Return a summary without its oldest sentences: as few as it takes to fit, or one. Those in
    `keep` go last, and the last of them first."""
    sentences = [
        replace(line, text=text)
        for line in parse_summary(summary)
        for text in split_sentences(line.text)
    ]
    kept = set(keep)
    order = [index for index, sentence in enumerate(sentences) if sentence.text not in kept]
    order += [index for index in reversed(range(len(sentences))) if sentences[index].text in kept]

    def without(count: int) -> str:
        dropped = set(order[:count])
        return render_summary(s for index, s in enumerate(sentences) if index not in dropped)

    if fits is None:
        return without(1)
    counts = range(1, len(order) + 1)
    return without(1 + bisect_left(counts, True, key=lambda count: fits(without(count))))


def without_names_and_days(summary: str) -> str:
    """Return the sentences only."""
    return "\n".join(line.text for line in parse_summary(summary))


def _shares_line(one: SummaryLine, other: SummaryLine) -> bool:
    return (one.name, one.day) == (other.name, other.day) and (
        split_sentences(f"{one.text} {other.text}") == [one.text, other.text]
    )
