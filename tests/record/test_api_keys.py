"""API keys, on both databases."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect import BrokenCursor, InvalidInput, NotFound, Page
from recollect.engine import utc_now
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.raw import RawDatabase


def test_key_is_found_until_it_is_revoked(memory: Recollect) -> None:
    assert not memory.keys.has_keys()
    key = memory.keys.create_key(user_id="alice", is_admin=True)
    found = memory.keys.find_key(key)
    assert found is not None
    assert (found.user_id, found.is_admin, found.revoked_at) == ("alice", True, None)
    assert memory.keys.find_key(key + "x") is None
    memory.keys.revoke_key(key_id=found.id)
    assert memory.keys.find_key(key) is None
    assert [k.revoked_at is not None for k in memory.keys.list_keys()] == [True]
    with pytest.raises(NotFound):
        memory.keys.revoke_key(key_id=found.id)


def test_issued_key_comes_with_its_description(memory: Recollect) -> None:
    issued = memory.keys.issue_key(user_id="alice", is_admin=True)
    assert memory.keys.list_keys() == [issued.api_key]
    assert memory.keys.find_key(issued.key) == issued.api_key
    assert issued.key not in repr(issued)


def test_key_has_name_scope_and_expiry(memory: Recollect, clock: Clock) -> None:
    expires = clock() + timedelta(days=30)
    key = memory.keys.create_key(
        user_id="alice", name="nightly export", scope="read", expires_at=expires
    )
    found = memory.keys.find_key(key)
    assert found is not None
    assert (found.name, found.scope, found.is_admin) == ("nightly export", "read", False)
    assert found.expires_at == expires
    clock.advance(days=30)
    assert memory.keys.find_key(key) is None
    with pytest.raises(NotFound):
        memory.keys.rotate_key(key_id=found.id)
    assert memory.keys.list_keys()[0].id == found.id


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"scope": "all"}, "scope"),
        ({"scope": "read", "is_admin": True}, "scope"),
        ({"name": "x" * 256}, "name"),
        ({"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "expires_at"),
        ({"expires_at": datetime(2120, 1, 1)}, "expires_at"),
    ],
)
def test_invalid_key_is_rejected(memory: Recollect, options: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.keys.create_key(user_id="alice", **options)
    assert refused.value.field == field
    assert not memory.keys.has_keys()


def test_scope_of_a_key_without_one(memory: Recollect, raw: RawDatabase) -> None:
    """Keys of earlier releases have none."""
    keys = [memory.keys.create_key(user_id="alice", is_admin=admin) for admin in (False, True)]
    raw.execute("update api_keys set scope = null")
    found = [memory.keys.find_key(key) for key in keys]
    assert [key and key.scope for key in found] == ["write", "admin"]


def test_rotated_keys_are_both_valid_for_a_while(memory: Recollect, clock: Clock) -> None:
    expires = clock() + timedelta(days=30)
    old = memory.keys.issue_key(user_id="alice", name="app", scope="read", expires_at=expires)
    clock.advance(days=10)
    new = memory.keys.rotate_key(key_id=old.api_key.id, grace=timedelta(hours=2))
    assert (new.api_key.user_id, new.api_key.name, new.api_key.scope) == ("alice", "app", "read")
    assert new.api_key.expires_at == clock() + timedelta(days=30)
    assert memory.keys.find_key(old.key)
    assert memory.keys.find_key(new.key)
    clock.advance(hours=2)
    assert memory.keys.find_key(old.key) is None
    assert memory.keys.find_key(new.key)
    with pytest.raises(NotFound):
        memory.keys.rotate_key(key_id=old.api_key.id)
    with pytest.raises(NotFound):
        memory.keys.rotate_key(key_id="nonsense")


def test_rotation_does_not_prolong_a_key(memory: Recollect, clock: Clock) -> None:
    expires = clock() + timedelta(hours=1)
    old = memory.keys.issue_key(user_id="alice", expires_at=expires)
    memory.keys.rotate_key(key_id=old.api_key.id, grace=timedelta(days=1))
    clock.advance(hours=1)
    assert memory.keys.find_key(old.key) is None


def test_last_use_is_recorded(memory: Recollect, clock: Clock) -> None:
    key = memory.keys.create_key(user_id="alice")
    memory.sweep()
    assert memory.keys.list_keys()[0].last_used_at is None
    clock.advance(hours=1)
    memory.keys.find_key(key)
    used = clock()
    clock.advance(minutes=1)
    memory.sweep()
    assert memory.keys.list_keys()[0].last_used_at == used


def test_keys_with_the_same_time_are_paged(database_url: str) -> None:
    at = utc_now()
    with Recollect.open(database_url, clock=lambda: at) as memory:
        made = [memory.keys.issue_key(user_id=name).api_key for name in ("alice", "bob", "carol")]
        everything = memory.keys.list_keys()
        assert sorted(everything, key=lambda key: key.id) == sorted(made, key=lambda key: key.id)
        first = memory.keys.page_keys(2)
        assert first.next_cursor is not None
        second = memory.keys.page_keys(2, cursor=first.next_cursor)
        assert [*first, *second] == everything
        assert (len(first), second.next_cursor) == (2, None)
        assert memory.keys.page_keys(3) == Page(tuple(everything), None)
        with pytest.raises(BrokenCursor):
            memory.keys.page_keys(cursor="x")
        with pytest.raises(InvalidInput):
            memory.keys.page_keys(201)


def test_auth_is_still_required_after_the_last_key_is_revoked(memory: Recollect) -> None:
    memory.keys.create_key(user_id="alice")
    memory.keys.revoke_key(key_id=memory.keys.list_keys()[0].id)
    assert memory.keys.has_keys()


def test_only_the_hash_is_stored(memory: Recollect, raw: RawDatabase) -> None:
    key = memory.keys.create_key(user_id="alice")
    (row,) = raw.execute("select * from api_keys")
    assert key not in [str(value) for value in row]
    assert len(key) > 40


@pytest.mark.parametrize("key_id", ["", "nonsense", "01a1e113-0000-7000-8000-000000000000"])
def test_revoking_an_unknown_key_raises_not_found(memory: Recollect, key_id: str) -> None:
    with pytest.raises(NotFound):
        memory.keys.revoke_key(key_id=key_id)


def test_key_needs_a_valid_user(memory: Recollect) -> None:
    with pytest.raises(InvalidInput):
        memory.keys.create_key(user_id="")


@pytest.mark.parametrize("key", ["", "\ud800", "a\0b", "x" * 100_000])
def test_invalid_keys_are_not_found(memory: Recollect, key: str) -> None:
    assert memory.keys.find_key(key) is None
