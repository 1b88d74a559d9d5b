"""Select passages for a context."""

from collections.abc import Sequence

from recollect.recall.search.ranking import PassageCandidate, is_relevant

_MIN_SHARE = 0.35


def select_passages(ranked: Sequence[PassageCandidate]) -> list[PassageCandidate]:
    """Return the relevant passages, best first; none if not even one is clearly relevant."""
    if not any(is_relevant(candidate) for candidate in ranked[:5]):
        return []
    return [c for c in ranked if c.score >= _MIN_SHARE * ranked[0].score]
