"""Answers that are being written while something else happens."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import StartVisit, Visit, talking_to
from tests.browser.model import TalkingModel
from tests.browser.pages import ask, message
from tests.scripted_model import Answer
from tests.server.process import running, wait_until

pytestmark = pytest.mark.xdist_group("browser")

COUNTED = " ".join(f"number-{number}" for number in range(40))


@contextmanager
def counting(
    model: TalkingModel, question: str, counted: str = COUNTED
) -> Iterator[threading.Event]:
    """An answer that stops halfway until it is let go."""
    go_on = threading.Event()
    model.says(question, Answer(text=counted, halfway=lambda: go_on.wait(20)))
    try:
        yield go_on
    finally:
        go_on.set()


def test_a_refresh_in_the_middle_loses_nothing(page: Page, model: TalkingModel) -> None:
    with counting(model, "Count to forty.") as go_on:
        page.goto("/")
        ask(page, "Count to forty.")
        expect(message(page, 2, "assistant")).to_contain_text("number-19")
        page.reload()
        expect(message(page, 2, "assistant")).to_contain_text("number-19")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        go_on.set()
        expect(message(page, 2, "assistant")).to_contain_text(COUNTED)
        expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(2)


def test_nothing_moves_when_an_answer_ends(page: Page, model: TalkingModel) -> None:
    """A button that has just appeared stays where it is: somebody is about to press it."""
    with counting(model, "Count to four.", "one two three four") as go_on:
        page.goto("/")
        ask(page, "Count to four.")
        answer = message(page, 2, "assistant")
        expect(answer).to_contain_text("two")
        expect(page.get_by_role("button", name="What the model saw")).to_be_visible()
        before = answer.bounding_box()
        go_on.set()
        expect(answer.get_by_role("button", name="Answer again", exact=True)).to_be_visible()
        assert answer.bounding_box() == before


def test_two_tabs_see_the_same_answer(
    signed_in: Visit, api: httpx.Client, model: TalkingModel
) -> None:
    first = signed_in.page
    first.goto("/")
    ask(first, "Hello.")
    expect(message(first, 2, "assistant")).to_contain_text("You said: Hello.")
    second = first.context.new_page()
    second.goto(first.url)
    expect(message(second, 2, "assistant")).to_be_visible()
    with counting(model, "Count for both.") as go_on:
        ask(first, "Count for both.")
        expect(message(first, 4, "assistant")).to_contain_text("number-19")
        expect(message(second, 4, "assistant")).to_contain_text("number-19")
        go_on.set()
    expect(message(second, 4, "assistant")).to_contain_text(COUNTED)
    second.get_by_role("button", name="Answer again", exact=True).press("Enter")
    expect(message(first, 5, "assistant")).to_contain_text(COUNTED)
    expect(message(first, 4, "assistant")).to_have_count(0)


@pytest.mark.torture
# After a SIGKILL nobody is told: the answer is given up when its owner has not been heard for long.
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_a_restarted_server_is_found_again(
    visit: StartVisit, model: TalkingModel, tmp_path: Path, ending: signal.Signals
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    variables = talking_to(model) | {"RECOLLECT_SHUTDOWN_SECONDS": "1"}
    with counting(model, "Count on.") as go_on:
        with running(url, variables=variables) as server:
            visitor = visit(server)
            visitor.expected_failures = True
            page = visitor.page
            page.goto("/")
            ask(page, "Count on.")
            expect(message(page, 2, "assistant")).to_contain_text("number-19")
            with server.client() as api:
                id = page.url.split("/c/")[1]
                wait_until(lambda: "number-19" in written(api, id), "it is on disk")
            if ending is signal.SIGKILL:
                server.kill()
        port = server.url.rsplit(":", 1)[1]
        with running(url, "--port", port, variables=variables):
            answer = message(page, 2, "assistant")
            expect(answer).to_contain_text("Interrupted", timeout=45_000)
            expect(answer).to_contain_text("number-19")
            go_on.set()
            model.says("Go on.", "Here I am again.")
            ask(page, "Go on.")
            expect(message(page, 4, "assistant")).to_contain_text("Here I am again.")


def written(api: httpx.Client, conversation_id: str) -> str:
    """What there is on disk of the answer."""
    return str(
        api.get(f"/api/conversations/{conversation_id}/messages").json()["items"][1]["content"]
    )
