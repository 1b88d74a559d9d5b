"""Contexts say what day it is, and when and by whom quoted text was said."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect.recall.context.types import Context
from tests.recall.sample_conversations import (
    NOW,
    a_summary,
    build,
    contents,
    messages_of,
    said,
    text_of,
    turns,
    user,
)

TODAY = "Today is Wednesday, 4 March 2026."


def dated(**request: Any) -> Context:
    messages = said(*turns(1))
    return build("tiered", messages, a_summary("Before."), message="Now?", now=NOW, **request)


def test_the_date_follows_the_summary_in_the_order_of_the_specification() -> None:
    first, *_ = contents(dated())
    assert first.startswith("## Previous Conversation Context\nBefore.")
    assert first.endswith(TODAY)


def test_the_date_comes_just_before_the_question_in_the_layout_cache() -> None:
    *_, date, question = contents(dated(layout="cache"))
    assert (date, question) == (TODAY, "Now?")


@pytest.mark.parametrize(
    "given", [{"system": "Today is 2026-03-04."}, {"contexts": {"clock": "March 4, 2026, 10:00"}}]
)
def test_a_date_that_the_caller_gives_is_not_repeated(given: dict[str, object]) -> None:
    assert TODAY not in str(messages_of(dated(**given)))


def test_recent_messages_of_another_day_are_dated() -> None:
    old = [
        replace(message, event_at=datetime(2024, 6, 3, tzinfo=UTC)) for message in said(*turns(1))
    ]
    built = build("chunked", old, message="When was that?", now=NOW)
    assert f"{TODAY} The last messages before this one are from 3 June 2024." in contents(built)


@pytest.mark.parametrize("policy", ["window", "ephemeral"])
def test_literal_formats_have_no_date(policy: str) -> None:
    built = build(
        policy, said(*turns(1)), a_summary("Before."), message="Now?", system="Hi.",
        now=NOW + timedelta(days=400),
    )  # fmt: skip
    assert "Today" not in str(messages_of(built))


def test_pinned_messages_carry_day_and_speaker() -> None:
    pin = user("The code is 7741.", is_pinned=True, metadata={"speaker": "Ada"})
    built = build(
        "rolling", said(pin, *turns(2)), a_summary("Before.", through_seq=3),
        message="Now?", format="text",
    )  # fmt: skip
    assert "• 4 March 2026\n• #1 Ada: The code is 7741." in text_of(built)
