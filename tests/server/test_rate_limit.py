"""Token buckets with a manual clock."""

import pytest

from recollect import RateLimited
from recollect.server.rate_limit import RateLimiter


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def refused_for(rates: RateLimiter, user: str) -> float:
    with pytest.raises(RateLimited) as refused:
        rates.take(user, "requests")
    return refused.value.retry_after


def test_burst_of_one_minute_then_even_refill() -> None:
    clock = Clock()
    for limit in (1, 7, 60, 6_000):
        rates = RateLimiter({"requests": limit}, clock=clock)
        for _ in range(limit):
            rates.take("ada", "requests")
        wait = refused_for(rates, "ada")
        assert wait == pytest.approx(60 / limit)
        assert refused_for(rates, "ada") == pytest.approx(wait)  # asking costs nothing
        clock.now += wait
        rates.take("ada", "requests")
        refused_for(rates, "ada")
        clock.now += 3_600
        for _ in range(limit):
            rates.take("ada", "requests")
        refused_for(rates, "ada")


def test_users_and_kinds_have_separate_buckets() -> None:
    rates = RateLimiter({"requests": 1, "answers": 1}, clock=Clock())
    rates.take("ada", "requests")
    rates.take("ada", "answers")
    rates.take("bob", "requests")
    refused_for(rates, "ada")
    with pytest.raises(RateLimited):
        rates.take("ada", "answers")


def test_zero_means_no_limit() -> None:
    rates = RateLimiter({"requests": 0, "answers": 0}, clock=Clock())
    for number in range(5_000):
        rates.take("ada", "requests")
        rates.take(str(number), "answers")
    assert len(rates) == 0


def test_full_buckets_are_removed() -> None:
    clock = Clock()
    rates = RateLimiter({"requests": 60}, clock=clock)
    for number in range(100_000):
        rates.take(f"user {number}", "requests")
        clock.now += 0.01  # each bucket is full again after a second, with a hundred others
    assert len(rates) < 2_000
    for _ in range(60):
        rates.take("ada", "requests")
    for number in range(20_000):
        rates.take(f"other {number}", "requests")
    assert len(rates) > 20_000  # those who are owed something are not
    refused_for(rates, "ada")
