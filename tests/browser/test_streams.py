"""Streaming answers: reloads, several tabs, and restarts of the server."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import StartVisit, Visit, model_settings
from tests.browser.model import ChatModel
from tests.browser.pages import ask, message
from tests.scripted_model import Answer
from tests.server.process import running, wait_until

pytestmark = pytest.mark.xdist_group("browser")

NUMBERS = " ".join(f"number-{number}" for number in range(40))


@contextmanager
def paused_answer(
    model: ChatModel, question: str, text: str = NUMBERS
) -> Iterator[threading.Event]:
    """Script an answer that pauses halfway until the event is set."""
    resume = threading.Event()
    model.script(question, Answer(text=text, halfway=lambda: resume.wait(20)))
    try:
        yield resume
    finally:
        resume.set()


def test_reload_continues_answer(page: Page, model: ChatModel) -> None:
    with paused_answer(model, "Count to forty.") as resume:
        page.goto("/")
        ask(page, "Count to forty.")
        expect(message(page, 2, "assistant")).to_contain_text("number-19")
        page.reload()
        expect(message(page, 2, "assistant")).to_contain_text("number-19")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        resume.set()
        expect(message(page, 2, "assistant")).to_contain_text(NUMBERS)
        expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(2)


def test_answer_does_not_move_when_it_ends(page: Page, model: ChatModel) -> None:
    """Otherwise the user would click the wrong button."""
    with paused_answer(model, "Count to four.", "one two three four") as resume:
        page.goto("/")
        ask(page, "Count to four.")
        answer = message(page, 2, "assistant")
        expect(answer).to_contain_text("two")
        expect(page.get_by_role("button", name="What the model saw")).to_be_visible()
        before = answer.bounding_box()
        resume.set()
        expect(answer.get_by_role("button", name="Answer again", exact=True)).to_be_visible()
        assert answer.bounding_box() == before


def test_two_tabs_show_the_same_answer(
    signed_in: Visit, api: httpx.Client, model: ChatModel
) -> None:
    first = signed_in.page
    first.goto("/")
    ask(first, "Hello.")
    expect(message(first, 2, "assistant")).to_contain_text("You said: Hello.")
    second = first.context.new_page()
    second.goto(first.url)
    expect(message(second, 2, "assistant")).to_be_visible()
    with paused_answer(model, "Count for both.") as resume:
        ask(first, "Count for both.")
        expect(message(first, 4, "assistant")).to_contain_text("number-19")
        expect(message(second, 4, "assistant")).to_contain_text("number-19")
        resume.set()
    expect(message(second, 4, "assistant")).to_contain_text(NUMBERS)
    second.get_by_role("button", name="Answer again", exact=True).press("Enter")
    expect(message(first, 5, "assistant")).to_contain_text(NUMBERS)
    expect(message(first, 4, "assistant")).to_have_count(0)


@pytest.mark.torture
# After a SIGKILL the answer is abandoned when its owner's heartbeat expires.
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_page_reconnects_to_restarted_server(
    visit: StartVisit, model: ChatModel, tmp_path: Path, ending: signal.Signals
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    variables = model_settings(model) | {"RECOLLECT_SHUTDOWN_SECONDS": "1"}
    with paused_answer(model, "Count on.") as resume:
        with running(url, variables=variables) as server:
            visitor = visit(server)
            visitor.expects_network_errors = True
            page = visitor.page
            page.goto("/")
            ask(page, "Count on.")
            expect(message(page, 2, "assistant")).to_contain_text("number-19")
            with server.client() as api:
                id = page.url.split("/c/")[1]
                wait_until(
                    lambda: "number-19" in stored_answer(api, id), "the first half is stored"
                )
            if ending is signal.SIGKILL:
                server.kill()
        port = server.url.rsplit(":", 1)[1]
        with running(url, "--port", port, variables=variables):
            answer = message(page, 2, "assistant")
            expect(answer).to_contain_text("Interrupted", timeout=45_000)
            expect(answer).to_contain_text("number-19")
            resume.set()
            model.script("Go on.", "Here I am again.")
            ask(page, "Go on.")
            expect(message(page, 4, "assistant")).to_contain_text("Here I am again.")


def stored_answer(api: httpx.Client, conversation_id: str) -> str:
    """Return the stored part of the answer."""
    return str(
        api.get(f"/api/conversations/{conversation_id}/messages").json()["items"][1]["content"]
    )
