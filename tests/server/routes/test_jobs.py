"""Background jobs over HTTP, on both databases."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.raw import RawDatabase
from tests.server import shapes
from tests.server.conftest import Start
from tests.server.process import Server, wait_until
from tests.server.sample_turns import append_turns, create_turns
from tests.server.shapes import UNKNOWN, Json

Work = Callable[[], int]


def jobs(client: httpx.Client, **params: str | int) -> list[Json]:
    items, _ = shapes.page(client.get("/api/jobs", params=params))
    for item in items:
        shapes.check_job(item)
    return items


def fail(server: Server, client: httpx.Client, job: Json) -> None:
    """Mark a job as failed, like a worker after the last attempt."""
    RawDatabase(server.database_url).execute(
        "update jobs set state = 'failed', attempts = 5, last_error = 'The model did not answer.'"
        " where user_id = :user_id and id = :id",
        user_id=client.get("/api/me").json()["user_id"],
        id=job["id"],
    )


def test_no_jobs_at_first(client: httpx.Client) -> None:
    assert jobs(client) == []
    client.post("/api/conversations", json={"messages": [{"role": "user", "content": "Hi."}]})
    assert jobs(client) == []


def test_append_enqueues_listed_jobs(client: httpx.Client) -> None:
    path = create_turns(client, 11)
    owed = jobs(client)
    assert {job["kind"] for job in owed} == {"digest", "topic"}
    for job in owed:
        assert (job["state"], job["attempts"], job["last_error"]) == ("waiting", 0, None)
        assert job["conversation_id"] == path.rsplit("/", 1)[1]
    append_turns(client, path, 12, 12)
    assert jobs(client) == owed  # one of a kind does for all


def test_done_jobs_stay_listed(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 11)
    owed = {job["id"] for job in jobs(client)}
    assert work() >= 2
    done = jobs(client)
    assert {job["id"] for job in done} >= owed
    assert {job["state"] for job in done} == {"done"}
    assert {job["attempts"] for job in done} == {1}
    conversation = client.get(path).json()
    assert conversation["title"]
    assert conversation["topic"]
    assert conversation["title_source"] == "auto"


def test_list_is_filtered_and_newest_first(client: httpx.Client, work: Work) -> None:
    create_turns(client, 1)
    work()
    create_turns(client, 1)
    waiting, done = jobs(client)
    assert (waiting["state"], done["state"]) == ("waiting", "done")
    assert jobs(client, state="waiting") == [waiting]
    assert jobs(client, state="done") == [done]
    assert jobs(client, state="failed") == jobs(client, state="running") == []


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_list_is_paged(client: httpx.Client, limit: int) -> None:
    for _ in range(5):
        create_turns(client, 1)
    everything = jobs(client)
    seen: list[Json] = []
    params: dict[str, Any] = {"limit": limit}
    while True:
        items, cursor = shapes.page(client.get("/api/jobs", params=params))
        assert 0 < len(items) <= limit
        seen += items
        if cursor is None:
            break
        params["cursor"] = cursor
    assert seen == everything
    assert len(seen) == 5


def test_failed_job_can_be_retried(client: httpx.Client, server: Server, work: Work) -> None:
    create_turns(client, 1)
    (job,) = jobs(client)
    fail(server, client, job)
    (failed,) = jobs(client, state="failed")
    assert (failed["attempts"], failed["last_error"]) == (5, "The model did not answer.")
    work()
    assert jobs(client) == [failed]
    answer = client.post(f"/api/jobs/{job['id']}/retry")
    assert answer.status_code == 200, answer.text
    again = answer.json()
    shapes.check_job(again)
    assert (again["id"], again["state"], again["attempts"]) == (job["id"], "waiting", 0)
    work()
    assert [found["state"] for found in jobs(client)] == ["done"]


def test_retry_does_not_duplicate_a_waiting_job(client: httpx.Client, server: Server) -> None:
    path = create_turns(client, 1)
    (job,) = jobs(client)
    fail(server, client, job)
    append_turns(client, path, 2, 2)
    waiting, failed = jobs(client)
    answer = client.post(f"/api/jobs/{job['id']}/retry")
    assert (answer.status_code, answer.json()) == (200, failed)
    assert jobs(client) == [waiting, failed]


def test_only_a_failed_job_can_be_retried(client: httpx.Client, work: Work) -> None:
    create_turns(client, 1)
    (job,) = jobs(client)
    for state in ("waiting", "done"):
        refused = shapes.problem(client.post(f"/api/jobs/{job['id']}/retry"), 409)
        assert state in refused["detail"]
        work()


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%00", "%ff", "' or 1=1 --"])
def test_unknown_and_malformed_ids_are_not_found(client: httpx.Client, id: str) -> None:
    create_turns(client, 1)
    shapes.problem(client.post(f"/api/jobs/{id}/retry"), 404)


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "W10", "bnVsbA", "%00", "%ff", "A" * 5_000])
def test_invalid_cursors_are_refused(client: httpx.Client, cursor: str) -> None:
    shapes.problem(client.get(f"/api/jobs?cursor={cursor}"), 400)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("state=", "state"),
        ("state=lost", "state"),
        ("state=%00", "state"),
    ],
)
def test_invalid_queries_are_refused(client: httpx.Client, query: str, field: str) -> None:
    refused = shapes.problem(client.get(f"/api/jobs?{query}"), 422)
    assert [error["field"] for error in refused["errors"]] == [field]


def test_server_runs_jobs(start: Start, own_database: str) -> None:
    with start(own_database).client() as client:
        path = create_turns(client, 11)
        wait_until(
            lambda: {job["state"] for job in jobs(client)} == {"done"}, "all that is owed is done"
        )
        assert client.get(f"{path}/summary").json()["version"] == 1
        assert client.get(path).json()["title"]


def test_jobs_survive_a_restart(start: Start, own_database: str) -> None:
    without_worker = start(own_database, variables={"RECOLLECT_WORKER": "false"})
    with without_worker.client() as client:
        path = create_turns(client, 11)
    without_worker.stop()
    with start(own_database).client() as client:
        wait_until(
            lambda: client.get(f"{path}/summary").json()["version"] == 1, "the digest is made"
        )
