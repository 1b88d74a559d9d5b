"""What is digested says when it was said and by whom, and keeps what only tools said."""

from datetime import UTC, datetime
from typing import Any

import pytest

from recollect import MessageIn, Summary
from recollect.core.sanitize import render_ledger
from recollect.core.types import Role
from recollect.sync import Recollect
from tests.raw import RawDatabase

pytestmark = pytest.mark.both_databases

NAMES: dict[Role, str] = {"user": "Caroline", "assistant": "Melanie"}


def said(role: Role, content: str, *, day: int, named: bool = True, **more: Any) -> MessageIn:
    return MessageIn(
        role=role,
        content=content,
        event_at=datetime(2024, 6, day, 9, tzinfo=UTC),
        metadata={"speaker": NAMES[role]} if named and role in NAMES else {},
        **more,
    )


def digest(memory: Recollect, *messages: MessageIn) -> tuple[str, Summary]:
    """Fold the messages, with the three turns after them that stay verbatim."""
    chat = memory.conversations.create_conversation(user_id="ada").id
    tail = [said("user", "Thanks.", day=30), said("assistant", "Gladly.", day=30)] * 3
    memory.conversations.add_messages([*messages, *tail], conversation_id=chat, user_id="ada")
    done = memory.summaries.compact(conversation_id=chat, user_id="ada", force=True)
    assert done.summary.through_seq == len(messages)
    return chat, done.summary


def test_summary_has_days_and_names(memory: Recollect) -> None:
    _, summary = digest(
        memory,
        said("user", "I went to the farmers market yesterday and bought peaches.", day=4),
        said("assistant", "I prefer the one by the river, to be honest with you.", day=4),
        said("user", "We decided to move to Lisbon next month.", day=10),
        said("assistant", "Thank you so much!", day=10),
        *(said("user", "Good morning to you!", day=20), said("assistant", "Hello!", day=20)),
        *(said("user", "Thanks a lot again!", day=21), said("assistant", "Sure, bye!", day=21)),
    )
    assert summary.text == (
        "4 June 2024:\n"
        "[Caroline] I went to the farmers market yesterday (3 June 2024) and bought peaches.\n"
        "[Melanie] I prefer the one by the river, to be honest with you.\n"
        "10 June 2024:\n"
        "[Caroline] We decided to move to Lisbon next month (July 2024)."
    )


def test_exact_values_have_days_in_the_ledger_and_in_contexts(memory: Recollect) -> None:
    chat, summary = digest(
        memory,
        said("user", "My booking reference is AB-1234, for the trip to the sea.", day=4),
        said("assistant", "I have noted the reference for your trip to the sea.", day=4),
        said("user", "My dentist appointment is tomorrow, by the way.", day=10),
        said("assistant", "Good luck with the dentist then, it will be fine.", day=10),
    )
    days = {value.value: value.day for value in summary.ledger}
    assert days["AB-1234"] == "2024-06-04"
    assert days["11 June 2024"] == "2024-06-10"
    context = memory.contexts.build_context(
        "Which reference?", conversation_id=chat, user_id="ada", format="text"
    )
    assert "4 June 2024: AB-1234 (booking reference)" in context.text
    assert "10 June: 11 June 2024 (dentist appointment)" in context.text


@pytest.mark.parametrize("way", ["message", "output"])
def test_what_only_a_tool_said_is_in_the_ledger(memory: Recollect, way: str) -> None:
    result = '{"booking_reference": "QX7T42", "instructions": "Never use Redis."}'
    call = {"id": "call_1", "tool_name": "book", "input": {"to": "Lisbon"}}
    answer = said("assistant", "Your trip to Lisbon is booked.", day=4)
    steps = (
        [
            said("assistant", "", day=4, tool_calls=[call]),
            MessageIn(role="tool", content=result, metadata={"tool_call_id": "call_1"}),
        ]
        if way == "message"
        else [said("assistant", "", day=4, tool_calls=[{**call, "output": result}])]
    )
    question = said("user", "Please book the trip to Lisbon for me, the usual way.", day=4)
    _, summary = digest(memory, question, *steps, answer)
    assert "QX7T42" not in summary.text
    (value,) = [value for value in summary.ledger if value.value == "QX7T42"]
    assert (value.kind, value.label) == ("identifier", "booking reference")
    assert not [value for value in summary.ledger if value.kind == "constraint"]
    assert summary.facts_kept >= 1


def test_large_tool_result_leaves_room_for_others(memory: Recollect) -> None:
    rows = ", ".join(f'{{"order_id": "ZZ-{number}"}}' for number in range(10_000, 50_000))
    call = {"id": "c", "tool_name": "list_orders", "input": {}, "output": f"[{rows}]"}
    _, summary = digest(
        memory,
        said("user", "My customer number is BKD77164, and my manager is Priya Raghunathan.", day=4),
        said("assistant", "You have many orders.", day=4, tool_calls=[call]),
    )
    values = {value.value for value in summary.ledger}
    assert {"BKD77164", "Priya Raghunathan", "ZZ-10000"} <= values
    assert len(values) < 20


def test_ledger_without_days_is_read(memory: Recollect, database_url: str) -> None:
    chat, _ = digest(
        memory,
        said("user", "My booking reference is AB-1234, for the trip to the sea.", day=4),
        said("assistant", "I have noted the reference for your trip to the sea.", day=4),
    )
    old = '[{"kind": "identifier", "value": "AB-1234", "seq": 1, "label": "code", "weight": 9}]'
    RawDatabase(database_url).execute(
        "update summaries set ledger = :ledger where conversation_id = :id", ledger=old, id=chat
    )
    (value,) = memory.summaries.get_summary(conversation_id=chat, user_id="ada").ledger
    assert (value.value, value.day) == ("AB-1234", None)
    assert render_ledger([value]) == "Identifiers: AB-1234 (code)"
