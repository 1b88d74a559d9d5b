"""Divide a token budget among the sections of a context.

Each section has a floor and a ceiling, as parts of the budget. A section gets what it needs up to
its floor. What the sections leave flows on, in two rounds: first each section is filled up to its
ceiling, then beyond it, in the order of `_FLOW`. So a budget is used as long as any section has
something to send. Recent turns come late: their long messages can be shortened, while a passage is
either quoted or not.
"""

from collections.abc import Mapping

from recollect.core.policy import Share, SharedSection

_FLOW: tuple[SharedSection, ...] = ("summary", "memories", "pinned", "retrieved", "tail")


def divide(
    budget: int,
    needs: Mapping[SharedSection, int],
    shares: Mapping[SharedSection, Share],
    *,
    min_tail: int = 0,
) -> dict[SharedSection, int]:
    """Return the tokens of each section, at most its need. Their sum is at most the budget.

    The tail is sure of `min_tail` tokens, so that the newest turn is always there.
    """
    granted = floors(budget, shares)
    granted = {section: min(needs[section], floor) for section, floor in granted.items()}
    lack = min(min_tail, needs["tail"], budget) - granted["tail"]
    if lack > 0:
        granted["tail"] += lack
        _reduce_others(granted, sum(granted.values()) - budget)
    rest = budget - sum(granted.values())
    ceilings = {section: int(budget * shares[section].ceiling) for section in _FLOW}
    for limits in (ceilings, dict.fromkeys(_FLOW, budget)):
        for section in _FLOW:
            more = min(rest, min(needs[section], limits[section]) - granted[section])
            if more > 0:
                granted[section] += more
                rest -= more
    return granted


def floors(budget: int, shares: Mapping[SharedSection, Share]) -> dict[SharedSection, int]:
    """Return the tokens that each section is sure of."""
    return {section: int(budget * share.floor) for section, share in shares.items()}


def _reduce_others(granted: dict[SharedSection, int], excess: int) -> None:
    for section in reversed(_FLOW[:-1]):
        less = min(max(0, excess), granted[section])
        granted[section] -= less
        excess -= less
