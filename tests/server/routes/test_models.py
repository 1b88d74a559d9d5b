"""Model variants over HTTP."""

import json
from pathlib import Path

import httpx
import pytest

from tests.server import shapes
from tests.server.conftest import Start
from tests.server.sample_turns import create_turns
from tests.server.shapes import Json

VARIANTS = {
    "deep-dive": {"model": "big", "window": 400_000, "api_key": "s3cret"},
    "tiny": {
        "model": "small",
        "base_url": "http://me:s3cret@127.0.0.1:1/v1",
        "window": 2_000,
        "answer_tokens": 500,
        "memory_tokens": 100,
    },
}


def models(client: httpx.Client) -> tuple[list[Json], str]:
    answer = client.get("/api/models")
    assert answer.status_code == 200, answer.text
    assert "s3cret" not in answer.text
    body = answer.json()
    assert body.keys() == {"items", "next_cursor", "default"}
    assert body["next_cursor"] is None
    for item in body["items"]:
        assert item.keys() >= {"name", "model", "window", "is_local", "is_default"}
    assert [item["name"] for item in body["items"] if item["is_default"]] == [body["default"]]
    return body["items"], body["default"]


def test_default_is_the_local_model(client: httpx.Client) -> None:
    (local,), default = models(client)
    assert (local["name"], local["is_local"], default) == ("local", True, "local")


@pytest.mark.parametrize(
    ("variables", "names", "default"),
    [
        ({"OPENAI_API_KEY": "s3cret"}, ["local"], "local"),
        (
            {"OPENAI_API_KEY": "s3cret", "RECOLLECT_CHAT_MODEL": "m"},
            ["default", "local"],
            "default",
        ),
        (
            {"RECOLLECT_VARIANTS": json.dumps(VARIANTS), "OPENAI_API_KEY": "s3cret"},
            ["deep-dive", "tiny", "local"],
            "deep-dive",
        ),
        (
            {
                "RECOLLECT_VARIANTS": json.dumps(VARIANTS),
                "RECOLLECT_CHAT_MODEL": "m",
                "RECOLLECT_DEFAULT_VARIANT": "tiny",
            },
            ["default", "deep-dive", "tiny", "local"],
            "tiny",
        ),
    ],
)
def test_configured_variants_are_listed(
    start: Start, tmp_path: Path, variables: dict[str, str], names: list[str], default: str
) -> None:
    server = start(f"sqlite:///{tmp_path}/recollect.db", variables=variables)
    with server.client() as client:
        items, found = models(client)
        assert ([item["name"] for item in items], found) == (names, default)
        assert [item["is_local"] for item in items] == [name == "local" for name in names]
        windows = {item["name"]: item["window"] for item in items}
        if "tiny" in names:
            assert (windows["tiny"], windows["deep-dive"]) == (2_000, 400_000)
            check_windows(client)


def check_windows(client: httpx.Client) -> None:
    """Memory does not depend on the variant, but the context has to fit its window."""
    path = f"{create_turns(client, 10)}/context"
    question = "Which ticket was it? " * 500
    shapes.context(client.post(path, json={"message": question, "model": "deep-dive"}))
    shapes.problem(client.post(path, json={"message": question, "model": "tiny"}), 413)
    short = {"message": "Which one?", "model": "tiny"}
    assert shapes.context(client.post(path, json=short))["receipt"]["budget"] == 100
    shapes.problem(client.post(path, json=short | {"model": "nobody"}), 422)
