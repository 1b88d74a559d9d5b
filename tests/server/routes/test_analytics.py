"""Analytics over HTTP, on both databases."""

import json
from collections.abc import Callable

import httpx
import pytest

from recollect.recall.context.receipt import Mode
from tests.scripted_model import Answer, Body, ScriptedModel, fails
from tests.server import shapes
from tests.server.conftest import Keyed, Start
from tests.server.process import wait_until
from tests.server.sample_turns import append_turns, create_turns, messages
from tests.server.shapes import Json

Work = Callable[[], int]
NO_VOTES = {"up": 0, "down": 0}
COST = {"calls", "failed", "tokens_in", "tokens_out", "tokens_cached", "duration_ms"}


def of_all(client: httpx.Client) -> Json:
    return shapes.analytics(client.get("/api/analytics"))


def of_one(client: httpx.Client, path: str) -> Json:
    return shapes.analytics(client.get(f"{path}/analytics"))


def test_empty_conversation_has_no_costs(client: httpx.Client) -> None:
    nothing = of_all(client)
    assert nothing == {
        "full_history_tokens": 0,
        "context_tokens": 0,
        "unchanged_tokens": 0,
        "cached_tokens": 0,
        "digest_tokens": 0,
        "net_saved_tokens": 0,
        "compactions": 0,
        "fact_survival": None,
        "feedback": {"compressed": NO_VOTES, "full": NO_VOTES},
        "by_purpose": {},
        "by_turn": [],
        "by_day": [],
    }
    assert of_one(client, create_turns(client, 0)) == nothing


def test_nothing_is_saved_before_compaction(client: httpx.Client) -> None:
    path = create_turns(client, 3)
    found = of_one(client, path)
    assert found["net_saved_tokens"] == found["compactions"] == 0
    assert found["fact_survival"] is None
    assert [(turn["turn"], turn["seq"]) for turn in found["by_turn"]] == [(1, 2), (2, 4), (3, 6)]
    sizes = [message["tokens"] for message in messages(client, path)]
    for turn in found["by_turn"]:
        assert (turn["mode"], turn["estimated"]) == ("compressed", True)
        assert turn["conversation_id"] == path.rsplit("/", 1)[1]
        assert turn["full_history_tokens"] == turn["context_tokens"]
        assert turn["full_history_tokens"] == sum(sizes[: turn["seq"] - 1])
    assert len(found["by_day"]) == 1


def test_compaction_saves_tokens(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 60, policy="rolling")
    work()
    append_turns(client, path, 61, 63)
    found = of_one(client, path)
    assert found["compactions"] == 1
    assert found["net_saved_tokens"] > 0
    assert found["digest_tokens"] == 0  # no model was asked
    assert 0 < found["fact_survival"] <= 1
    for turn in found["by_turn"]:
        is_later = turn["turn"] > 60
        assert (turn["context_tokens"] < turn["full_history_tokens"]) == is_later


def test_edit_does_not_count_as_compaction(client: httpx.Client) -> None:
    path = create_turns(client, 2)
    client.put(f"{path}/summary", json={"text": "Tickets.", "version": 0})
    assert of_one(client, path)["compactions"] == 0


def test_rollback_does_not_count_as_compaction(client: httpx.Client, work: Work) -> None:
    path = create_turns(client, 11)
    work()
    before = of_one(client, path)
    assert before["compactions"] == 1
    for _ in range(2):
        assert client.post(f"{path}/summary/rollback", json={"version": 1}).status_code == 200
    after = of_one(client, path)
    assert (after["compactions"], after["by_day"]) == (1, before["by_day"])
    assert client.get(f"{path}/summary").json()["duration_ms"] == 0


def test_user_totals_sum_conversations(client: httpx.Client, work: Work) -> None:
    paths = [create_turns(client, 11), create_turns(client, 2)]
    work()
    append_turns(client, paths[0], 12, 12)
    each, every = [of_one(client, path) for path in paths], of_all(client)
    for field in ("full_history_tokens", "context_tokens", "net_saved_tokens", "compactions"):
        assert every[field] == sum(one[field] for one in each), field
    assert every["by_turn"] == each[0]["by_turn"] + each[1]["by_turn"]
    client.delete(paths[0])
    assert of_all(client) == each[1]


def test_real_usage_replaces_estimates(client: httpx.Client, keyed: Keyed) -> None:
    path = create_turns(client, 3)
    user_id = client.get("/api/me").json()["user_id"]
    answers = [message for message in messages(client, path) if message["role"] == "assistant"]
    sent: list[tuple[Json, Mode]] = [(answers[0], "full"), (answers[1], "compressed")]
    for answer, mode in sent:
        kept = keyed.memory.contexts.build_context(
            "Well?", conversation_id=path.rsplit("/", 1)[1], user_id=user_id, mode=mode, budget=30
        ).receipt
        keyed.memory.contexts.store_receipt(kept, message_id=answer["id"], user_id=user_id)
        (turn,) = [t for t in of_one(client, path)["by_turn"] if t["seq"] == answer["seq"]]
        assert (turn["mode"], turn["estimated"]) == (mode, False)
        assert turn["context_tokens"] == kept.tokens
        assert turn["full_history_tokens"] == kept.full_history_tokens
    assert [turn["estimated"] for turn in of_one(client, path)["by_turn"]] == [False, False, True]


def test_votes_are_counted_by_mode(client: httpx.Client, keyed: Keyed) -> None:
    path, other = create_turns(client, 3), create_turns(client, 1)
    user_id = client.get("/api/me").json()["user_id"]
    first, second, third = [m["id"] for m in messages(client, path) if m["role"] == "assistant"]
    full = keyed.memory.contexts.build_context(
        conversation_id=path.rsplit("/", 1)[1], user_id=user_id, mode="full"
    )
    keyed.memory.contexts.store_receipt(full.receipt, message_id=third, user_id=user_id)

    def rate(message_id: str, rating: str | None) -> None:
        answer = client.put(f"/api/messages/{message_id}/feedback", json={"rating": rating})
        assert answer.status_code == 200, answer.text

    for message_id, rating in ((first, "up"), (second, "up"), (third, "down")):
        rate(message_id, rating)
    expected = {"compressed": {"up": 2, "down": 0}, "full": {"up": 0, "down": 1}}
    assert of_one(client, path)["feedback"] == of_all(client)["feedback"] == expected
    assert of_one(client, other)["feedback"] == {"compressed": NO_VOTES, "full": NO_VOTES}
    rate(first, "down")
    rate(second, None)
    rate(third, None)
    expected = {"compressed": {"up": 0, "down": 1}, "full": NO_VOTES}
    assert of_one(client, path)["feedback"] == expected


def test_feedback_note_is_stored(client: httpx.Client) -> None:
    path = create_turns(client, 1)
    answer = messages(client, path)[1]
    given = {"rating": "down", "note": "It forgot the allergy."}
    assert client.put(f"/api/messages/{answer['id']}/feedback", json=given).status_code == 200
    lines = map(json.loads, client.get("/api/export").text.splitlines())
    (vote,) = [line for line in lines if line["kind"] == "feedback"]
    assert vote.items() >= {"message_id": answer["id"], **given}.items()


@pytest.mark.parametrize("is_up", [True, False])
def test_model_calls_are_counted_by_purpose(start: Start, own_database: str, is_up: bool) -> None:
    with ScriptedModel() as model:
        model.always = _digest if is_up else fails(400)
        variables = {
            "RECOLLECT_CHAT_MODEL": "scripted",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "sk-1",
        }
        with start(own_database, variables=variables).client() as client:
            path = create_turns(client, 30)
            wait_until(lambda: _is_all_done(client), "all that is owed is done")
            found, summary = of_one(client, path), client.get(f"{path}/summary").json()
        assert {request.body["model"] for request in model.requests} == {"scripted"}
    assert (summary["author"], summary["model"]) == (
        ("model", "scripted") if is_up else ("extractive", None)
    )
    assert found["compactions"] == 1
    assert found["by_purpose"].keys() == {"summary", "topic"}
    for cost in found["by_purpose"].values():
        assert cost.keys() == COST
        assert cost["calls"] > 0
        assert cost["failed"] == (0 if is_up else cost["calls"])
    spent = sum(cost["tokens_in"] + cost["tokens_out"] for cost in found["by_purpose"].values())
    assert found["digest_tokens"] == spent
    if is_up:
        assert found["by_purpose"]["summary"]["tokens_in"] == 1000
        assert summary["tokens_in"] == 1000


@pytest.mark.both_databases
def test_cached_tokens_are_reported_over_http(start: Start, database_url: str) -> None:
    with ScriptedModel() as model:
        variables = {
            "RECOLLECT_CHAT_MODEL": "scripted",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "sk-1",
            "RECOLLECT_WORKER": "false",
        }
        model.answers("From May on.", Answer(text="Rainy.", tokens_cached=768))
        with start(database_url, variables=variables).client() as client:
            first = _ask(client, {"message": "When is it warm in Lisbon?"})
            id = first["conversation_id"]
            second = _ask(client, {"message": "And in winter?", "conversation_id": id})
            for answer in (first, second):
                receipt = client.get(f"/api/messages/{answer['message']['id']}/receipt").json()
                assert receipt == answer["receipt"]
            found = of_one(client, f"/api/conversations/{id}")
            assert of_all(client) == found
    assert [answer["receipt"]["cached_tokens"] for answer in (first, second)] == [None, 768]
    unchanged = second["receipt"]["unchanged_tokens"]
    assert (found["unchanged_tokens"], found["cached_tokens"]) == (unchanged, 768)
    assert [turn["cached_tokens"] for turn in found["by_turn"]] == [None, 768]
    assert found["by_purpose"]["chat"]["tokens_cached"] == 768


def _ask(client: httpx.Client, question: Json) -> Json:
    response = client.post("/api/chat?stream=false", json=question)
    assert response.status_code == 200, response.text
    answer: Json = response.json()
    return answer


def _digest(body: Body) -> str:
    if "response_format" in body:
        return '{"topic": "Tickets", "title": "Tickets for a trip", "changed": false}'
    return "The user bought a ticket every day."


def _is_all_done(client: httpx.Client) -> bool:
    return {job["state"] for job in client.get("/api/jobs").json()["items"]} == {"done"}
