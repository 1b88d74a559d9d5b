"""Numbers in summaries that models write; `test_summarizer` has the other checks."""

import pytest

from recollect.core.turns import group_turns
from recollect.digest.summaries.summarizer import format_input
from recollect.digest.summaries.validation import find_fault
from recollect.llm.protocols import Reply
from tests.recall.sample_conversations import assistant, said, user

LONG = " The user talks at length about the garden, the roof and the old car." * 12


def fault_of(summary: str, talk: str) -> str | None:
    messages = said(*[user(talk + LONG), assistant("Noted.")] * 12)
    given = format_input("", group_turns(messages), max_tokens=16_000)
    return find_fault(Reply(text=summary, tokens_in=1, tokens_out=1, finish="stop"), given, cap=100)


@pytest.mark.parametrize(
    ("talk", "summary"),
    [
        ("The launch is on 2026-05-14.", "The user planned the launch for May 14, 2026."),
        ("The launch is on 14.05.2026.", "The user planned the launch for 14 May 2026."),
        ("The launch is on 2026-05-14.", "The user planned the launch for 14/05/2026."),
        ("We expect 40-60 guests.", "The user expected between 40 and 60 guests."),
        ("We expect 40 to 60 guests.", "The user expected 40-60 guests."),
        ("Rent is 1,200-1,500 EUR.", "The user could pay a rent of 1,200 to 1,500 EUR."),
        ("We open at 9:00-17:30.", "They open from 9:00 to 17:30."),
        ("The price is 1,500.00 EUR.", "The price was 1,500 EUR."),
        ("The price is 1.500,00 EUR.", "The price was 1500 EUR."),
        ("The price is 12,5 EUR.", "The price was 12.50 EUR."),
        ("The train leaves at 15:00.", "The train left at 15."),
        ("The train leaves at 15.", "The train left at 15:00."),
        ("Call 347-123-4567.", "The user is to be called at 347 123 4567."),
        ("Call 347-123-4567.", "The user wants a call at 3471234567."),
        ("The price is \u0661\u0665\u0660\u0660 euros.", "The price was 1500 euros."),
        ("The price is \uff11\uff15\uff10\uff10 yen.", "The price was 1,500 yen."),
        ("It runs on 3.11.2 now.", "It ran on 3.11.2 by then."),
    ],
)
def test_number_in_another_format_is_accepted(talk: str, summary: str) -> None:
    assert fault_of(summary, talk) is None


@pytest.mark.parametrize(
    ("talk", "summary"),
    [
        ("The budget is 5,000 EUR.", "The budget was 50.00 EUR."),
        ("The budget is 200 EUR.", "The budget was 2.00 EUR."),
        ("The budget is 20,000 EUR.", "The budget was 20 EUR."),
        ("The budget is 2 EUR.", "The budget was 2,000 EUR."),
        ("The dose is 1.25 mg.", "The dose was 125 mg."),
        ("The dose is 1.25 mg.", "The dose was 25 mg."),
        ("From 2026-05-14 to 2026-06-20 we travel.", "They travel until 2026-05-20."),
        ("We open at 9:00-17:30.", "They open until 17:00."),
        ("We open at 9:00-17:30.", "They open until 17:31."),
        ("I live at number 1.", "The user lives at number 11."),
    ],
)
def test_invented_number_is_rejected(talk: str, summary: str) -> None:
    assert (fault_of(summary, talk) or "").startswith("invented numbers")
