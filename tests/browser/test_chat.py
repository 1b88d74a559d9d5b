"""Asking questions, and actions on answers."""

import re
import threading

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.model import ChatModel
from tests.browser.pages import (
    MESSAGES,
    alternating,
    ask,
    choose,
    composer,
    conversation_items,
    create,
    heading,
    message,
)
from tests.scripted_model import Answer, fails
from tests.server.process import wait_until

pytestmark = pytest.mark.xdist_group("browser")

RICH = """# Plans

See [the map](https://maps.example/lisbon).

| day | what |
| --- | --- |
| 1 | Alfama |

```python
print("Olá")
```
"""


def copied(page: Page, *, by: Locator) -> str:
    """Click a copy button and return the clipboard."""
    page.bring_to_front()  # headless pages in the background may not write the clipboard
    by.click()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_first_message_creates_conversation(
    page: Page, api: httpx.Client, model: ChatModel
) -> None:
    model.script("Plan a week.", Answer(text=RICH, thinking="They want a plan."))
    page.goto("/")
    ask(page, "Plan a week.")
    answer = message(page, 2, "assistant")
    expect(answer.get_by_role("heading", name="Plans")).to_be_visible()
    expect(answer.get_by_role("cell", name="Alfama")).to_be_visible()
    expect(answer.get_by_role("link", name="the map")).to_have_attribute(
        "href", "https://maps.example/lisbon"
    )
    expect(answer.get_by_text("They want a plan.")).to_be_hidden()
    answer.get_by_text("Thinking").click()
    expect(answer.get_by_text("They want a plan.")).to_be_visible()
    expect(message(page, 1, "user")).to_contain_text("Plan a week.")
    expect(composer(page)).to_have_value("")
    (created,) = api.get("/api/conversations").json()["items"]
    expect(page).to_have_url(re.compile(f"/c/{created['id']}$"))

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = answer.get_by_role("button", name="Copy code")
    wait_until(lambda: copied(page, by=copy) == 'print("Olá")\n', "it is copied")


def test_answer_can_be_stopped(page: Page, model: ChatModel) -> None:
    go_on = threading.Event()
    model.script("Count.", Answer(text="one two three four", halfway=lambda: go_on.wait(20)))
    page.goto("/")
    ask(page, "Count.")
    expect(message(page, 2, "assistant")).to_contain_text("one")
    expect(
        conversation_items(page).get_by_role("img", name="An answer is being written")
    ).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(message(page, 2, "assistant")).to_contain_text("Interrupted")
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    go_on.set()


def test_answer_can_be_regenerated(page: Page, model: ChatModel) -> None:
    model.script("Where to?", Answer(text="To Rome.", finish="length"), "To Lisbon.")
    page.goto("/")
    ask(page, "Where to?")
    expect(message(page, 2, "assistant")).to_contain_text("To Rome.")
    truncated = page.get_by_text("The answer reached the length limit.")
    expect(truncated).to_be_visible()
    page.get_by_role("button", name="Answer again", exact=True).click()
    expect(message(page, 3, "assistant")).to_contain_text("To Lisbon.")
    expect(message(page, 2, "assistant")).to_have_count(0)
    expect(truncated).to_have_count(0)


def test_compressed_and_full_answers_can_be_compared(
    page: Page, api: httpx.Client, model: ChatModel
) -> None:
    model.script("Where to?", "To Rome.", "To Lisbon, as you said at the beginning.")
    page.goto("/")
    ask(page, "Where to?")
    page.get_by_role("button", name="Answer again with full context").click()
    comparison = page.get_by_role("region", name="Two answers side by side")
    earlier = comparison.get_by_role("article", name="Earlier answer")
    newer = comparison.get_by_role("article", name="New answer")
    expect(earlier).to_contain_text("To Rome.")
    expect(earlier).to_contain_text("Compressed")
    expect(newer).to_contain_text("at the beginning.")
    expect(newer).to_contain_text("Full context")
    newer.get_by_role("button", name="Good answer").click()
    expect(newer.get_by_role("button", name="Good answer")).to_have_attribute(
        "aria-pressed", "true"
    )
    earlier.get_by_role("button", name="Bad answer").click()
    expect(earlier.get_by_role("button", name="Bad answer")).to_have_attribute(
        "aria-pressed", "true"
    )
    feedback = api.get("/api/analytics").json()["feedback"]
    assert feedback["full"] == {"up": 1, "down": 0}
    assert feedback["compressed"] == {"up": 0, "down": 1}
    comparison.get_by_role("button", name="Close").click()
    expect(message(page, 3, "assistant")).to_be_visible()


def test_edited_question_is_asked_again(page: Page, model: ChatModel) -> None:
    model.script("Where in June?", "To Porto.")
    page.goto("/")
    ask(page, "Where in May?")
    expect(message(page, 2, "assistant")).to_contain_text("You said: Where in May?")
    message(page, 1, "user").hover()
    page.get_by_role("button", name="Edit and ask again").click()
    field = page.get_by_role("textbox", name="Edit and ask again")
    expect(field).to_be_focused()
    field.fill("Where in June?")
    message(page, 1, "user").get_by_role("button", name="Send").click()
    expect(page.get_by_role("region", name="Messages")).to_contain_text("To Porto.")
    expect(page.get_by_role("region", name="Messages")).not_to_contain_text("May")


def test_ratings_and_pins_survive_reload(page: Page, api: httpx.Client, model: ChatModel) -> None:
    page.goto(create(api, "Lisbon", *MESSAGES))
    answer = message(page, 2, "assistant")
    answer.hover()
    thumb = answer.get_by_role("button", name="Good answer")
    with page.expect_response(lambda response: response.url.endswith("/feedback")):
        thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    choose(answer, "Pin")
    expect(answer).to_contain_text("Pinned")
    page.reload()
    expect(answer).to_contain_text("Pinned")
    expect(thumb).to_have_attribute("aria-pressed", "true")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer.hover()
    copy = answer.get_by_role("button", name="Copy message")
    wait_until(lambda: copied(page, by=copy) == "To Lisbon.", "it is copied")


def test_message_can_be_deleted(page: Page, api: httpx.Client) -> None:
    address = create(api, "Lisbon", *MESSAGES)
    page.goto(address)
    choose(message(page, 2, "assistant"), "Delete message")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(message(page, 2, "assistant")).to_have_count(0)
    stored = api.get(f"/api/conversations/{address[3:]}/messages").json()["items"]
    assert [message["seq"] for message in stored] == [1, 3, 4]


def test_notes_and_full_context_are_sent(page: Page, api: httpx.Client, model: ChatModel) -> None:
    page.goto(create(api, "Lisbon", *alternating("I like trams.", "Noted.")))
    page.get_by_role("button", name="Attach a note").click()
    dialog = page.get_by_role("dialog", name="Attach a note")
    dialog.get_by_label("Type of note").select_option("goals")
    dialog.get_by_label("Note", exact=True).fill("Walk little.")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_role("switch", name="Full context").check()
    ask(page, "What shall I do?")
    expect(message(page, 4, "assistant")).to_contain_text("You said: What shall I do?")
    sent = [
        request.body["messages"]
        for request in model.requests
        if request.body["messages"][-1]["content"] == "What shall I do?"
    ]
    assert "Walk little." in str(sent[-1])
    receipt = api.get(f"/api/messages/{_last_id(api, page)}/receipt").json()
    assert receipt["mode"] == "full"
    page.get_by_role("button", name="Remove note “goals”").click()
    expect(page.get_by_role("list", name="Attached notes").get_by_role("listitem")).to_have_count(0)


def _last_id(api: httpx.Client, page: Page) -> str:
    id = page.url.split("/c/")[1].split("?")[0]
    (last,) = api.get(f"/api/conversations/{id}/messages?order=desc&limit=1").json()["items"]
    return str(last["id"])


def test_draft_is_stored_per_conversation(page: Page, api: httpx.Client) -> None:
    lisbon, rome = create(api, "Lisbon", *MESSAGES), create(api, "Rome", *MESSAGES)
    page.goto(lisbon)
    composer(page).fill("Half a thou")
    conversation_items(page).filter(has_text="Rome").get_by_role("link").click()
    expect(heading(page, "Rome")).to_be_visible()
    expect(composer(page)).to_have_value("")
    composer(page).fill("Another")
    page.reload()
    expect(composer(page)).to_have_value("Another")
    conversation_items(page).filter(has_text="Lisbon").get_by_role("link").click()
    expect(composer(page)).to_have_value("Half a thou")
    assert rome in page.evaluate("Object.keys(localStorage).map(key => '/c/' + key.slice(16))")


def test_text_typed_during_answer_is_kept(page: Page, model: ChatModel) -> None:
    go_on = threading.Event()
    model.script("Count.", Answer(text="one two", delay=0.5, halfway=lambda: go_on.wait(20)))
    page.goto("/")
    ask(page, "Count.")
    page.keyboard.type("And then")
    expect(message(page, 2, "assistant")).to_contain_text("one")
    expect(composer(page)).to_have_value("And then")
    go_on.set()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(composer(page)).to_have_value("And then")


def test_failed_answer_can_be_retried(page: Page, model: ChatModel) -> None:
    model.script("Where to?", fails(400, "Not today."))
    page.goto("/")
    ask(page, "Where to?")
    failed = message(page, 2, "assistant")
    expect(failed.get_by_role("alert")).to_be_visible()
    model.script("Where to?", "To Lisbon.")
    failed.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("region", name="Messages")).to_contain_text("To Lisbon.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_unsent_question_is_kept(signed_in: Visit, api: httpx.Client) -> None:
    rome = create(api, "Rome", *MESSAGES)
    page = signed_in.page
    page.goto("/")
    page.route("**/api/chat", lambda route: route.abort())
    signed_in.expects_network_errors = True
    ask(page, "Are you there?")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.reload()
    expect(composer(page)).to_have_value("Are you there?")
    expect(composer(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    # The draft belongs to the new conversation only.
    page.goto(rome)
    expect(message(page, 4, "assistant")).to_be_visible()
    expect(composer(page)).to_have_value("")
    page.get_by_role("link", name="New conversation").click()
    expect(composer(page)).to_have_value("Are you there?")
    expect(composer(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.unroute("**/api/chat")
    page.get_by_role("button", name="Retry").click()
    expect(message(page, 2, "assistant")).to_contain_text("You said: Are you there?")
    expect(composer(page)).to_have_value("")
    assert len(api.get("/api/conversations").json()["items"]) == 2
