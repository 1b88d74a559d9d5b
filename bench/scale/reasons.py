"""Why some costs grow with the size, as far as that is known.

A step that grows and is not here is a finding.
"""

from bench.scale.axes import AxisName

_SCORED = "each message that has a word of the question is scored: a word's share of them is fixed"
_SCANNED = "SQLite has no index of vectors: it looks at the signs of each of the user's"
_COUNTED = "up to 10,000 of the user's conversations are counted, for the weight of a rare word"
_WITHIN = "it searches the conversation for older turns"
_NARROWED = (
    f"{_WITHIN}: its words are looked up among all of the user's messages, and then narrowed to it"
)

_REASONS: dict[tuple[AxisName, str, str], str] = {
    ("messages", "", "search, a frequent word"): _SCORED,
    ("messages", "", "search, words and vectors"): _SCORED,
    ("messages", "SQLite", "search, words and vectors"): f"{_SCANNED}; and {_SCORED}",
    ("messages", "", "build a context"): f"{_WITHIN}: {_SCORED}",
    ("messages", "SQLite", "build a context"): f"{_WITHIN}: {_SCANNED}; and {_SCORED}",
    ("conversations", "", "build a context"): _NARROWED,
    ("conversations", "", "search, a rare word"): _COUNTED,
    ("conversations", "", "search, a frequent word"): f"{_SCORED}; and {_COUNTED}",
    ("conversations", "", "search, words and vectors"): f"{_SCORED}; and {_COUNTED}",
    ("conversations", "SQLite", "search, words and vectors"): (
        f"{_SCANNED}; {_SCORED}; and {_COUNTED}"
    ),
}
"""By axis, database (of all where it is empty) and operation."""


def reason_for(axis: AxisName, label: str, operation: str) -> str | None:
    return _REASONS.get((axis, label, operation)) or _REASONS.get((axis, "", operation))
