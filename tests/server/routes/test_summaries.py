"""Summaries and their versions over HTTP, on both databases."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from recollect.core import tokens
from tests.server import shapes
from tests.server.sample_turns import append_turns, create_turns, messages, turn, turns
from tests.server.shapes import Json

Work = Callable[[], int]
THEIRS = "They always travel with Zoë, never by night train."


def current(client: httpx.Client, path: str) -> Json:
    return shapes.summary(client.get(f"{path}/summary"))


def versions(client: httpx.Client, path: str) -> list[Json]:
    items, cursor = shapes.page(client.get(f"{path}/summary/versions"))
    assert cursor is None
    for item in items:
        shapes.check_summary(item)
    return items


def compact(client: httpx.Client, path: str, **body: object) -> Json:
    answer = client.post(f"{path}/compact", json=body)
    assert answer.status_code == 200, answer.text
    done: Json = answer.json()
    assert done.keys() == {"compacted", "reason", "summary"}
    assert done["reason"]
    shapes.check_summary(done["summary"])
    return done


def edit(client: httpx.Client, path: str, text: str, version: int) -> Json:
    return shapes.summary(client.put(f"{path}/summary", json={"text": text, "version": version}))


def test_version_is_0_before_any_summary(client: httpx.Client) -> None:
    path = create_turns(client, 1)
    none = current(client, path)
    assert (none["text"], none["ledger"], none["version"], none["through_seq"]) == ("", [], 0, 0)
    assert (none["last_message_id"], none["last_summarized_message_id"]) == (None, None)
    assert versions(client, path) == []


@pytest.mark.parametrize("body", [None, {}, {"force": False}])
def test_compact_does_nothing_below_the_threshold(client: httpx.Client, body: Json | None) -> None:
    path = create_turns(client, 10)
    answer = client.post(f"{path}/compact", json=body)
    assert answer.status_code == 200
    done = answer.json()
    assert (done["compacted"], done["summary"]["version"]) == (False, 0)
    assert "limit" in done["reason"]
    assert versions(client, path) == []


def test_compact_folds_older_messages_above_the_threshold(client: httpx.Client) -> None:
    path = create_turns(client, 11)
    done = compact(client, path)
    summary = done["summary"]
    assert (done["compacted"], summary["version"], summary["through_seq"]) == (True, 1, 12)
    assert (summary["author"], summary["base_version"], summary["model"]) == ("extractive", 0, None)
    assert 0 < summary["tokens"] <= 500
    said = {message["seq"]: message for message in messages(client, path)}
    assert {"TK-1001", "TK-1006"} <= {atom["value"] for atom in summary["ledger"]}
    for atom in summary["ledger"]:
        assert atom["value"] in said[atom["seq"]]["content"]
    assert current(client, path) == summary | {
        "last_message_id": said[12]["id"],
        "last_summarized_message_id": said[12]["id"],
    }
    assert versions(client, path) == [summary]
    assert compact(client, path)["compacted"] is False


def test_worker_compacts_too(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 10)
    work()
    assert current(client, path)["version"] == 0
    append_turns(client, path, 11, 11)
    assert current(client, path)["version"] == 0
    assert work() > 0
    summary = current(client, path)
    assert (summary["version"], summary["through_seq"]) == (1, 12)
    work()
    assert versions(client, path)[0]["version"] == 1


def test_coverage_names_last_message_and_answer(client: httpx.Client) -> None:
    path = create_turns(client, 0)
    said = [*turns(1, 5), {"role": "user", "content": "Wait."}, *turns(6, 10)]
    client.post(f"{path}/messages", json={"messages": said})
    compact(client, path)
    summary, stored = current(client, path), messages(client, path)
    assert summary["through_seq"] == 11
    assert summary["last_message_id"] == stored[10]["id"]
    assert summary["last_summarized_message_id"] == stored[9]["id"]


@pytest.mark.parametrize("policy", ["chunked", "rolling", "tiered", "window"])
@pytest.mark.parametrize("count", [2, 3])
def test_force_compacts_all_but_the_newest_turn(
    client: httpx.Client, policy: str, count: int
) -> None:
    """Even if the policy would keep everything."""
    path = create_turns(client, count, policy=policy)
    done = compact(client, path, force=True)
    assert (done["compacted"], done["summary"]["through_seq"]) == (True, 2 * count - 2)
    again = compact(client, path, force=True)
    assert (again["compacted"], again["summary"]["version"]) == (False, 1)


@pytest.mark.parametrize(("policy", "count"), [("chunked", 0), ("chunked", 1), ("ephemeral", 5)])
def test_force_does_nothing_without_older_turns(
    client: httpx.Client, policy: str, count: int
) -> None:
    path = create_turns(client, count, policy=policy)
    done = compact(client, path, force=True)
    assert (done["compacted"], done["summary"]["version"]) == (False, 0)


def test_chunked_policy_compacts_by_tokens(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 0, policy="chunked")
    for number in range(1, 6):
        question, answer = turn(number)
        answer = answer | {"content": answer["content"] + " So it was, and so it stays." * 200}
        client.post(f"{path}/messages", json={"messages": [question, answer]})
    assert client.get(path).json()["token_count"] > 6000
    work()
    summary = current(client, path)
    assert (summary["version"], summary["through_seq"]) == (1, 4)
    assert summary["tokens"] <= 500


def test_window_policy_keeps_at_most_30_entries(client: httpx.Client) -> None:
    path = create_turns(client, 15, policy="window")
    assert current(client, path)["version"] == 0
    for number in range(16, 20):
        append_turns(client, path, number, number)  # and when it answers, the digest is there
        summary = current(client, path)
        left = client.get(path).json()["message_count"] - summary["through_seq"]
        assert left <= 29
    assert summary["version"] >= 1
    long = create_turns(client, 40, policy="window")
    assert current(client, long)["through_seq"] == 80 - 29


def test_tiered_policy_compacts_before_the_model_call(client: httpx.Client) -> None:
    path = create_turns(client, 10, policy="tiered")
    client.post(f"{path}/context", json={"message": "Well?"})
    assert current(client, path)["version"] == 0
    append_turns(client, path, 11, 11)
    assert current(client, path)["version"] == 0
    client.post(f"{path}/context", json={"message": "Well?"})
    assert (current(client, path)["version"], current(client, path)["through_seq"]) == (1, 14)


def test_edit_creates_the_next_version(client: httpx.Client) -> None:
    path = create_turns(client, 11)
    first = compact(client, path)["summary"]
    text = f"{first['text']}\n{THEIRS}"
    edited = edit(client, path, f"  {text}\n", 1)
    assert (edited["text"], edited["version"], edited["author"]) == (text, 2, "user")
    assert (edited["base_version"], edited["kept"]) == (1, THEIRS)
    assert (edited["through_seq"], edited["ledger"]) == (first["through_seq"], first["ledger"])
    assert [version["version"] for version in versions(client, path)] == [2, 1]
    assert versions(client, path)[1] == first


def test_edit_can_create_the_first_version(client: httpx.Client) -> None:
    path = create_turns(client, 2)
    edited = edit(client, path, THEIRS, 0)
    assert (edited["version"], edited["through_seq"], edited["kept"]) == (1, 0, THEIRS)


@pytest.mark.parametrize("version", [0, 2, 7, -1, 2**40])
def test_stale_version_is_a_conflict(client: httpx.Client, version: int) -> None:
    path = create_turns(client, 2)
    before = edit(client, path, THEIRS, 0)
    body = {"text": "Mine!", "version": version}
    refused = shapes.problem(client.put(f"{path}/summary", json=body), 409)
    assert "version 1" in refused["detail"]
    assert versions(client, path) == [before]


def test_edit_over_the_cap_is_refused(client: httpx.Client) -> None:
    path = create_turns(client, 2)
    text = "So it was. " * 500
    assert tokens.count(text) > 500
    body = {"text": text, "version": 0}
    refused = shapes.problem(client.put(f"{path}/summary", json=body), 413)
    assert "500" in refused["detail"]
    assert versions(client, path) == []


def test_concurrent_edits_conflict(client: httpx.Client) -> None:
    path = create_turns(client, 2)
    edit(client, path, THEIRS, 0)
    statuses = [
        client.put(f"{path}/summary", json={"text": text, "version": 1}).status_code
        for text in ("One.", "Two.")
    ]
    assert statuses == [200, 409]


def test_compaction_keeps_user_text(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 11)
    compact(client, path)
    edit(client, path, f"{THEIRS}\n{current(client, path)['text']}", 1)
    for first in (12, 23):
        append_turns(client, path, first, first + 10)
        work()
    summary = current(client, path)
    assert (summary["author"], summary["kept"]) == ("extractive", THEIRS)
    assert summary["version"] > 2
    assert THEIRS in summary["text"]


def test_rebuild_starts_from_the_messages(client: httpx.Client) -> None:
    path = create_turns(client, 11)
    first = compact(client, path)["summary"]
    edit(client, path, THEIRS, 1)
    rebuilt = shapes.summary(client.post(f"{path}/summary/rebuild"))
    assert (rebuilt["version"], rebuilt["author"]) == (3, "extractive")
    assert (rebuilt["through_seq"], rebuilt["kept"]) == (first["through_seq"], THEIRS)
    assert THEIRS in rebuilt["text"]
    assert set(first["text"].splitlines()) & set(rebuilt["text"].splitlines())
    assert {a["value"] for a in rebuilt["ledger"]} == {a["value"] for a in first["ledger"]}
    assert current(client, path)["version"] == 3


@pytest.mark.parametrize(("count", "version"), [(0, 0), (1, 0), (2, 1)])
def test_rebuild_creates_the_first_summary(client: httpx.Client, count: int, version: int) -> None:
    path = create_turns(client, count)
    assert shapes.summary(client.post(f"{path}/summary/rebuild"))["version"] == version


def test_versions_are_paged(client: httpx.Client) -> None:
    path = create_turns(client, 2)
    for number in range(5):
        edit(client, path, f"Version {number + 1}.", number)
    seen: list[int] = []
    params: dict[str, str | int] = {"limit": 2}
    while True:
        items, cursor = shapes.page(client.get(f"{path}/summary/versions", params=params))
        assert 0 < len(items) <= 2
        seen += [item["version"] for item in items]
        if cursor is None:
            break
        params["cursor"] = cursor
    assert seen == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "W10", "bnVsbA", "%00", "%ff", "A" * 5_000])
def test_invalid_cursors_are_refused(client: httpx.Client, cursor: str) -> None:
    path = create_turns(client, 1)
    shapes.problem(client.get(f"{path}/summary/versions?cursor={cursor}"), 400)


def test_cursor_of_another_list_is_refused(client: httpx.Client) -> None:
    paths = [create_turns(client, 2), create_turns(client, 2)]
    for path in paths:
        for number in range(2):
            edit(client, path, f"Version {number + 1}.", number)
    _, cursor = shapes.page(client.get(f"{paths[0]}/summary/versions", params={"limit": 1}))
    for address in (f"{paths[1]}/summary/versions", f"{paths[0]}/messages", "/api/jobs"):
        shapes.problem(client.get(address, params={"cursor": cursor}), 400)


def test_rollback_creates_a_new_version(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 11)
    first = compact(client, path)["summary"]
    append_turns(client, path, 12, 22)
    second = compact(client, path)["summary"]
    assert second["through_seq"] > first["through_seq"]
    body = {"version": 1}
    back = shapes.summary(client.post(f"{path}/summary/rollback", json=body))
    assert (back["version"], back["base_version"], back["text"]) == (3, 1, first["text"])
    assert (back["through_seq"], back["ledger"]) == (first["through_seq"], first["ledger"])
    assert [version["version"] for version in versions(client, path)] == [3, 2, 1]
    assert versions(client, path)[1:] == [second, first]
    work()  # what is open again is digested anew
    assert current(client, path)["through_seq"] == second["through_seq"]
    assert current(client, path)["version"] == 4


def test_rollback_to_version_0(client: httpx.Client) -> None:
    path = create_turns(client, 11)
    compact(client, path)
    back = shapes.summary(client.post(f"{path}/summary/rollback", json={"version": 0}))
    assert (back["version"], back["text"], back["through_seq"]) == (0, "", 0)
    assert current(client, path)["version"] == 0
    assert [version["version"] for version in versions(client, path)] == [1]
    again = compact(client, path)
    assert (again["compacted"], again["summary"]["version"]) == (True, 2)


@pytest.mark.parametrize("version", [2, 2**31 - 1])
def test_rollback_needs_an_existing_version(client: httpx.Client, version: int) -> None:
    path = create_turns(client, 2)
    before = edit(client, path, THEIRS, 0)
    jobs = client.get("/api/jobs").json()
    answer = client.post(f"{path}/summary/rollback", json={"version": version})
    shapes.problem(answer, 404)
    assert versions(client, path) == [before]
    assert client.get("/api/jobs").json() == jobs


def test_versions_can_be_compared(client: httpx.Client) -> None:
    path = create_turns(client, 11)
    first = compact(client, path)["summary"]
    kept = first["text"].splitlines()[-1]
    edit(client, path, f"{THEIRS}\n{kept}", 1)
    params = {"older": 1, "newer": 2}
    answer = client.get(f"{path}/summary/compare", params=params)
    assert answer.status_code == 200
    found = answer.json()
    assert found.keys() == {"added", "removed", "values_added", "values_removed"}
    assert found["added"] == [THEIRS]
    assert found["removed"]
    assert (found["values_added"], found["values_removed"]) == ([], [])
    back = client.get(f"{path}/summary/compare", params={"older": 2, "newer": 1}).json()
    assert (back["added"], back["removed"]) == (found["removed"], found["added"])


def test_version_0_can_be_compared(client: httpx.Client) -> None:
    """Version 0 is the empty summary before any compaction."""
    path = create_turns(client, 11)
    first = compact(client, path)["summary"]
    found = client.get(f"{path}/summary/compare", params={"older": 0, "newer": 1}).json()
    assert found["removed"] == []
    assert found["values_added"] == first["ledger"]


@pytest.mark.parametrize(
    ("older", "newer"), [(1, 2), (2, 1), (-1, 1), (1, 2**31 - 1), (1, 2**31), (1, 10**30)]
)
def test_unknown_versions_cannot_be_compared(client: httpx.Client, older: int, newer: int) -> None:
    path = create_turns(client, 2)
    edit(client, path, THEIRS, 0)
    params = {"older": older, "newer": newer}
    shapes.problem(client.get(f"{path}/summary/compare", params=params), 404)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?older=1",
        "?newer=1",
        "?older=x&newer=1",
        "?older=1.5&newer=1",
    ],
)
def test_invalid_comparisons_are_refused(client: httpx.Client, query: str) -> None:
    path = create_turns(client, 2)
    edit(client, path, THEIRS, 0)
    shapes.problem(client.get(f"{path}/summary/compare{query}"), 422)


def test_deleted_message_is_in_no_summary(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 11)
    compact(client, path)
    edit(client, path, f"{THEIRS}\n{current(client, path)['text']}", 1)
    append_turns(client, path, 12, 22)
    work()
    assert current(client, path)["version"] == 3
    secret = messages(client, path)[2]
    assert "TK-1002" in secret["content"]
    receipt = shapes.deleted(client.delete(f"{path}/messages/{secret['id']}"))
    assert (receipt["messages"], receipt["summaries"]) == (1, 3)
    left = current(client, path)
    assert (left["text"], left["author"], left["through_seq"]) == (THEIRS, "user", 0)
    assert left["version"] > 3
    work()
    rebuilt = current(client, path)
    assert rebuilt["through_seq"] == 34
    assert THEIRS in rebuilt["text"]
    assert secret["content"] not in str(versions(client, path))


def test_new_policy_compacts_by_its_own_threshold(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 12, policy="chunked")
    work()
    assert current(client, path)["version"] == 0
    client.patch(path, json={"policy": "rolling"})
    work()
    assert current(client, path)["through_seq"] == 14


def test_fork_is_compacted_separately(client: httpx.Client, work: Work) -> None:
    source = create_turns(client, 11)
    work()
    fork = shapes.conversation(client.post(f"{source}/fork", json={"at": 22}), 201)
    path = f"/api/conversations/{fork['id']}"
    assert current(client, path)["version"] == 0
    work()
    assert current(client, path)["through_seq"] == 12
    assert current(client, source)["version"] == 1


@pytest.mark.parametrize(
    ("method", "address", "body", "field"),
    [
        ("PUT", "summary", {}, "text"),
        ("PUT", "summary", {"text": "a"}, "version"),
        ("PUT", "summary", {"version": 0}, "text"),
        ("PUT", "summary", {"text": None, "version": 0}, "text"),
        ("PUT", "summary", {"text": ["a"], "version": 0}, "text"),
        ("PUT", "summary", {"text": "", "version": 0}, "text"),
        ("PUT", "summary", {"text": " \n", "version": 0}, "text"),
        ("PUT", "summary", {"text": "a\0b", "version": 0}, "text"),
        ("PUT", "summary", {"text": "a", "version": "0"}, "version"),
        ("PUT", "summary", {"text": "a", "version": 0.5}, "version"),
        ("PUT", "summary", {"text": "a", "version": True}, "version"),
        ("PUT", "summary", {"text": "a", "version": 0, "author": "model"}, "author"),
        ("POST", "summary/rollback", {}, "version"),
        ("POST", "summary/rollback", {"version": None}, "version"),
        ("POST", "summary/rollback", {"version": -1}, "version"),
        ("POST", "summary/rollback", {"version": 2**31}, "version"),
        ("POST", "summary/rollback", {"version": "1"}, "version"),
        ("POST", "summary/rollback", {"version": 1, "more": 1}, "more"),
        ("POST", "compact", {"force": "yes"}, "force"),
        ("POST", "compact", {"force": None}, "force"),
        ("POST", "compact", {"froce": True}, "froce"),
        ("POST", "compact", [], ""),
        ("PUT", "summary", "text", ""),
    ],
)
def test_invalid_bodies_are_refused(
    client: httpx.Client, method: str, address: str, body: Any, field: str
) -> None:
    path = create_turns(client, 2)
    refused = shapes.problem(client.request(method, f"{path}/{address}", json=body), 422)
    assert field in [error["field"] for error in refused["errors"]]
    assert versions(client, path) == []


@pytest.mark.parametrize("body", [b"{", b"nonsense", b"\x80", b'{"text": "\xff"}', b"[" * 10_000])
@pytest.mark.parametrize(
    ("method", "address"),
    [("PUT", "summary"), ("POST", "summary/rollback"), ("POST", "compact"), ("POST", "context")],
)
def test_invalid_json_is_refused(
    client: httpx.Client, method: str, address: str, body: bytes
) -> None:
    path = create_turns(client, 2)
    headers = {"Content-Type": "application/json"}
    answer = client.request(method, f"{path}/{address}", content=body, headers=headers)
    shapes.problem(answer, 400)
    assert versions(client, path) == []
