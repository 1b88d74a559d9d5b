"""Ids are UUIDv7."""

import uuid

import pytest

from recollect.core.ids import canonical_id, new_id


def test_ids_are_version_7_and_unique() -> None:
    ids = [new_id() for _ in range(1_000)]
    assert len(set(ids)) == 1_000
    for id in ids:
        parsed = uuid.UUID(id)
        assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
        assert canonical_id(id) == id


def test_ids_sort_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for milliseconds in (1, 1_700_000_000_000, 1_900_000_000_000):
        monkeypatch.setattr(
            "recollect.core.ids.time.time_ns", lambda ms=milliseconds: ms * 1_000_000
        )
        made.append(new_id())
    assert made == sorted(made)


@pytest.mark.parametrize("text", ["", "x", "123", "01a1e113-0000-7000-8000-00000000000g"])
def test_invalid_uuids_are_rejected(text: str) -> None:
    assert canonical_id(text) is None
