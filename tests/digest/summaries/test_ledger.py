"""The ledger keeps the heaviest exact values within its cap."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.core import tokens
from recollect.core.sanitize import render_ledger
from recollect.core.types import ExactValue, ExactValueKind
from recollect.digest.summaries.exact_values import find_exact_values
from recollect.digest.summaries.ledger import merge_exact_values, missing_exact_values
from tests.recall.sample_conversations import a_message

CAP = 250


def exact_value(
    value: str, *, kind: ExactValueKind = "name", seq: int = 1, weight: int = 1
) -> ExactValue:
    return ExactValue(kind=kind, value=value, seq=seq, weight=weight)


def test_statements_outweigh_mentions() -> None:
    stated = [
        "My booking reference is TT8F1Y.",
        "Our deadline is 12 March 2027.",
        "We decided to take the night ferry.",
    ]
    passing = [
        message
        for seq in range(10, 100, 3)
        for message in (
            a_message(f"Yesterday I paid {seq}.50 euros for a salad with Anna.", seq=seq),
            a_message(f"Who was Ingrid{seq} Vasquez?", seq=seq + 1),
            a_message(
                f"She was born on 3 May 18{seq} and got {seq} EUR.", role="assistant", seq=seq + 2
            ),
        )
    ]
    old = [
        a
        for seq, text in enumerate(stated, start=1)
        for a in find_exact_values(a_message(text, seq=seq))
    ]
    new = [a for message in passing for a in find_exact_values(message)]
    assert min(a.weight for a in old) > max(a.weight for a in new)
    kept = merge_exact_values(old, new, cap_tokens=CAP)
    assert {a.value for a in old} < {a.value for a in kept}


def test_repeated_value_is_merged() -> None:
    old = ExactValue(kind="amount", value="4,250 EUR", seq=3, label="budget", weight=7)
    new = ExactValue(kind="amount", value="4,250  eur", seq=9, weight=2)
    assert merge_exact_values([old], [new], cap_tokens=CAP) == (
        ExactValue(kind="amount", value="4,250  eur", seq=9, label="budget", weight=7),
    )


def test_repeated_value_outweighs_a_single_one() -> None:
    again = [
        exact_value("Anna Bell", seq=1),
        exact_value("Anna Bell", seq=2),
        exact_value("Carl Dunn", seq=3),
    ]
    weights = {a.value: a.weight for a in merge_exact_values((), again, cap_tokens=CAP)}
    assert weights["Anna Bell"] > weights["Carl Dunn"]


def test_newer_of_equal_values_stays() -> None:
    names = [exact_value(f"Name Number{number}", seq=number) for number in range(1, 100)]
    kept = merge_exact_values((), names, cap_tokens=60)
    assert [a.seq for a in kept] == list(range(100 - len(kept), 100))


def test_mentions_never_reach_the_weight_of_a_statement() -> None:
    mentions = [exact_value("Python", seq=seq, weight=2) for seq in range(1, 50)]
    stated = exact_value("PO-77123", kind="identifier", seq=1, weight=6)
    kept = {a.value: a.weight for a in merge_exact_values([stated], mentions, cap_tokens=CAP)}
    assert kept["Python"] < kept["PO-77123"]


def test_no_kind_crowds_out_the_others() -> None:
    names = [exact_value(f"Name Number{number}", seq=number, weight=8) for number in range(1, 100)]
    date = exact_value("12 March 2027", kind="date", seq=1, weight=6)
    assert date in merge_exact_values(names, [date], cap_tokens=60)


def test_value_inside_a_clause_is_not_repeated() -> None:
    clause = exact_value("do not use Redis", kind="constraint", weight=9)
    kept = merge_exact_values(
        (), [clause, exact_value("Redis"), exact_value("Red")], cap_tokens=CAP
    )
    assert {a.value for a in kept} == {"do not use Redis", "Red"}


def test_one_value_does_not_take_the_whole_cap() -> None:
    long = exact_value("https://example.org/" + "x1-" * 200, kind="url", weight=15)
    assert merge_exact_values((), [long, exact_value("Anna Bell")], cap_tokens=CAP) == (
        exact_value("Anna Bell"),
    )


VALUES = st.lists(
    st.builds(
        ExactValue,
        kind=st.sampled_from(["date", "amount", "name", "identifier", "constraint", "decision"]),
        value=st.one_of(
            st.text(min_size=1, max_size=30).filter(str.strip),
            st.sampled_from(
                ["Redis", "do not use Redis", "redis", "4,250 EUR", "250 EUR", "Anna B."]
            ),
        ),
        seq=st.integers(1, 50),
        label=st.sampled_from(["", "budget", "order number"]),
        weight=st.integers(1, 15),
    ),
    max_size=40,
)


@given(VALUES, VALUES, st.integers(0, 120))
def test_merge_is_bounded_idempotent_and_deterministic(
    old: list[ExactValue], new: list[ExactValue], cap: int
) -> None:
    merged = merge_exact_values(old, new, cap_tokens=cap)
    assert tokens.count(render_ledger(merged)) <= cap
    assert merge_exact_values(old, new, cap_tokens=cap) == merged
    assert merge_exact_values(merged, (), cap_tokens=cap) == merged
    assert merge_exact_values(merged, merged, cap_tokens=cap) == merged
    assert {a.value for a in merged} <= {a.value for a in (*old, *new)}
    assert [a.seq for a in merged] == sorted(a.seq for a in merged)


def test_missing_values_are_found() -> None:
    values = [
        exact_value("4,250 EUR"),
        exact_value("250 EUR"),
        exact_value("Redis"),
        exact_value("2027年3月12日"),
        exact_value("v2.1"),
    ]
    text = "It costs 4,250\n eur; RediSearch is out. 在2027年3月12日举行. Now v2.1.5"
    assert [a.value for a in missing_exact_values(values, text)] == ["250 EUR", "Redis", "v2.1"]
    assert (
        missing_exact_values(values, "4,250 EUR or 250 EUR for Redis (2027年3月12日, v2.1).") == []
    )


@given(VALUES)
def test_rendered_ledger_misses_nothing(values: list[ExactValue]) -> None:
    kept = merge_exact_values((), values, cap_tokens=CAP)
    assert missing_exact_values(kept, "\n".join(a.value for a in kept)) == []
