"""Turns, as pure functions."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.core.turns import starts_turn, turns_back
from recollect.core.types import Role

ROLES = st.lists(st.sampled_from(["user", "assistant", "system", "tool"]), max_size=30)


def number_one_by_one(roles: list[Role]) -> list[int]:
    """The definition: a turn starts at a user message that does not follow a user message."""
    turn, previous, numbers = 0, None, []
    for role in roles:
        if role == "user" and previous != "user":
            turn += 1
        numbers.append(turn)
        previous = role
    return numbers


@given(before=ROLES, batch=ROLES.filter(bool))
def test_batch_numbering_equals_single_numbering(before: list[Role], batch: list[Role]) -> None:
    expected = number_one_by_one(before + batch)
    last_before = number_one_by_one(before)[-1] if before else 0
    opens = starts_turn(batch[0], before[-1] if before else None)
    last = last_before + turns_back(batch)[0] + opens
    assert [last - back for back in turns_back(batch)] == expected[len(before) :]
