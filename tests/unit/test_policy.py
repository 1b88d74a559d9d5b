"""The presets."""

from datetime import timedelta

from recollect.policy import DEFAULT_POLICY, PRESETS, Retention


def test_the_five_presets() -> None:
    assert set(PRESETS) == {"chunked", "window", "tiered", "rolling", "ephemeral"}
    assert DEFAULT_POLICY == "chunked"


def test_only_the_ephemeral_one_forgets() -> None:
    assert {name: policy.retention for name, policy in PRESETS.items() if policy.retention} == {
        "ephemeral": Retention(max_turns=10, max_age=timedelta(hours=24))
    }
