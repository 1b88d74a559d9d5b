"""Pattern extraction on the labelled dialogues of `bench.memories`."""

from bench.memories.__main__ import dialogues, measure_patterns

_MIN_PRECISION = 0.9


def test_pattern_extraction_meets_its_quality_targets() -> None:
    scores = measure_patterns("all")
    assert scores.dialogues == len(dialogues())
    assert scores.memories > scores.dialogues / 2  # to store nothing would be precise as well
    assert scores.precision >= _MIN_PRECISION
    assert scores.duplicates == 0
    assert scores.wrong_supersedes == 0
