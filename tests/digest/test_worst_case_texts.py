"""Patterns take linear time on worst-case texts.

The texts are long runs on which a pattern with nested repetition would backtrack for hours. Nothing
is timed here: such a pattern runs into the timeout of the test.
"""

from collections.abc import Callable
from datetime import date

import pytest

from recollect.core.sanitize import escape_markers
from recollect.core.turns import group_turns
from recollect.digest.memories.echo_filter import remove_echoes
from recollect.digest.memories.instruction_filter import is_instruction
from recollect.digest.summaries.exact_values import find_exact_values
from recollect.digest.titles import derive_by_keyphrases
from recollect.language.analyzer import analyze
from recollect.language.facts.corrections import extract_corrections
from recollect.language.facts.matcher import extract_facts
from recollect.language.references import find_reference
from recollect.language.relative_days import annotate_relative_days
from recollect.language.request_phrases import strip_request_phrases
from recollect.language.salience import detect_signals
from recollect.language.sentences import split_sentences
from recollect.language.subjects import find_subject
from tests.recall.sample_conversations import assistant, said, user

READERS: dict[str, Callable[[str], object]] = {
    "quoting": escape_markers,
    "orders": is_instruction,
    "sentences": split_sentences,
    "terms": analyze,
    "cues": detect_signals,
    "values": lambda text: find_exact_values(said(user(text))[0]),
    "relative days": lambda text: annotate_relative_days(text, date(2024, 6, 4)),
    "statements": extract_facts,
    "corrections": extract_corrections,
    "injected": lambda text: remove_echoes(text, set()),
    "references": lambda text: find_reference(text, careful=True),
    "subjects": find_subject,
    "carriers": strip_request_phrases,
    "titles": lambda text: derive_by_keyphrases(group_turns(said(user(text), assistant("Yes.")))),
}
RUNS = (
    *(" ", "\n", "\t", ". ", "a", "A ", "1,", "-", "=", "<", "'a' ", "I am ", "\u0301", "\u200b"),
    *("yesterday ", "hier ", "in 2 ", "two days "),
)
BEGINNINGS = ("<", "===", "System", "I live in", "the second", "http://")
LENGTH = 20_000
LONGEST = 1_000_000
"""For what is read of every message, on the path to every answer."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_long(reader: str) -> None:
    read = READERS[reader]
    for run in RUNS:
        read("x" + run * (LENGTH // len(run)) + "x")
    for beginning in BEGINNINGS:
        read(f"x\n{beginning}{' ' * LENGTH}x")


@pytest.mark.timeout(60)
def test_largest_message_does_not_take_long() -> None:
    for run in ("<" + " " * LONGEST, "\n" * LONGEST, "\r" * LONGEST, "=" * LONGEST):
        assert escape_markers(run) == run
        assert is_instruction(run) == run.startswith("=")
    for beginning in ("<", "User", "BACKGROUND", "Turn 1", "==="):
        run = beginning + "\u2066" * LONGEST
        assert escape_markers(run) == run
