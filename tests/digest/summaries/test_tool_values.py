"""Exact values in what tools returned: labelled by the names of fields, and few of each result."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.types import Json
from recollect.digest.summaries.tool_values import MAX_VALUES, find_tool_values

BOOKING = {
    "booking": {
        "reference": "ABCDEF",
        "passenger": "Ludovica Marangoni",
        "departure": "2024-06-04T10:00",
        "price": 129.50,
        "currency": "EUR",
        "status": "payment_pending",
        "seats": 1,
    },
    "orderId": 88231,
    "accessToken": "sk-9f8e7d6c5b4a",
    "password": "QX7-4410-B",
}
FOUND = [
    ("identifier", "ABCDEF", "booking reference"),
    ("name", "Ludovica Marangoni", "booking passenger"),
    ("date", "2024-06-04T10:00", "booking departure"),
    ("amount", "129.5", "booking price EUR"),
    ("identifier", "88231", "order id"),
]


def found(output: Json) -> list[tuple[str, str, str]]:
    return [(value.kind, value.value, value.label) for value in find_tool_values(output)]


@pytest.mark.parametrize(
    "output",
    [
        BOOKING,
        json.dumps(BOOKING),
        [{"type": "text", "text": json.dumps(BOOKING, indent=2)}],
        json.dumps(BOOKING)[:-20] + "… [truncated]",
    ],
)
def test_fields_of_json_are_values_with_labels(output: Json) -> None:
    expected = FOUND
    if isinstance(output, str) and output.endswith("]"):  # the objects of broken JSON are unknown
        expected = [
            (kind, value, label.removeprefix("booking ").removesuffix(" EUR"))
            for kind, value, label in FOUND
        ]
    assert found(output) == expected


def test_numbers_are_kept_as_they_were_written() -> None:
    assert found('{"price": 129.50, "currency": "EUR"}') == [("amount", "129.50", "price EUR")]
    assert found('{"account_number": 00012345}') == [("identifier", "00012345", "account number")]


def test_text_of_tools_has_values() -> None:
    text = "Done.\nBooking reference: QX7T42\nTotal: 120 EUR\nAsk Anna Bell or Jo about it."
    assert found(text) == [
        ("identifier", "QX7T42", "Booking reference"),
        ("amount", "120 EUR", "Total"),
    ]


def test_large_result_gives_few_values_of_each_label() -> None:
    rows = [
        {"flight": f"AZ {number}", "date": f"{number}-06-04", "price": number, "note": "x" * 50}
        for number in range(1000, 9000)
    ]
    output = json.dumps(rows)
    assert len(output) > 700_000
    values = found(output)
    assert len(values) == MAX_VALUES
    assert {"flight", "date"} <= {label for _, _, label in values}
    assert values[0] == ("identifier", "AZ 1000", "flight")


@pytest.mark.parametrize("output", [None, True, 3, "", "fine", [], {}, "{", "[[[", {"ok": True}])
def test_results_without_values(output: Json) -> None:
    assert found(output) == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "output",
    [
        "[" * 500_000,
        '{"a":' * 100_000,
        '"' * 500_000,
        '{"a": "b" ' * 50_000,
        "x_y " * 100_000,
        {"n": 10**5_000, "nan": float("nan"), "inf": float("inf")},
    ],
)
def test_hostile_results_do_not_take_long(output: Json) -> None:
    assert len(find_tool_values(output)) <= MAX_VALUES


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("QX7T42"),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
)


@given(JSON)
def test_values_of_any_result_are_few_and_short_labelled(output: Json) -> None:
    for result in (output, json.dumps(output)):
        values = find_tool_values(result)
        assert len(values) <= MAX_VALUES
        for value in values:
            assert value.value
            assert len(value.label.split()) <= 6
            assert value.kind not in {"constraint", "decision", "preference"}
