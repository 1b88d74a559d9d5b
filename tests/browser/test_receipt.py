"""The panel "What the model saw": the receipt of an answer."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import StartVisit, Visit, model_settings
from tests.browser.model import ChatModel
from tests.browser.pages import PHONE, alternating, ask, create, fits_width, heading, message
from tests.server.process import Server, running

pytestmark = pytest.mark.xdist_group("browser")

LONG = "The river is flat and quiet in the evening. " * 80
TURNS = alternating(
    "Where?", LONG, "When?", LONG, "By train?", LONG, "With whom?", LONG, "Why?", LONG
)

BUDGET = 2_000
HOTEL = """The **hotel in Alfama** has the booking reference QX-4471-LM. Give the booking reference
at the desk of the hotel: the hotel keeps your suitcases from noon, and the rooms in Alfama are
ready at three. The reference also stands on the voucher, next to the address of the hotel."""
GUESTHOUSE = HOTEL.replace("QX-4471-LM", "PR-0913-AB")
SECTIONS = {
    "summary": "Summary",
    "memories": "Memories",
    "pinned": "Pinned messages",
    "retrieved": "Retrieved passages",
    "tail": "Recent messages",
}
QUESTION = "What is the booking reference of the hotel in Alfama?"


@pytest.fixture
def small_server(tmp_path: Path, model: ChatModel) -> Iterator[Server]:
    """A server whose contexts have a budget that is divided by shares."""
    variants = json.dumps({"small": {"model": "scripted", "memory_tokens": BUDGET}})
    settings = {"RECOLLECT_VARIANTS": variants, "RECOLLECT_DEFAULT_VARIANT": "small"}
    url = f"sqlite:///{tmp_path}/recollect.db"
    with running(url, variables=model_settings(model) | settings) as server:
        yield server


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="What the model saw")


def section(page: Page, name: str) -> Locator:
    return panel(page).get_by_role("region", name=name, exact=True)


def test_every_item_is_shown_with_its_outcome(signed_in: Visit, api: httpx.Client) -> None:
    page = signed_in.page
    for content in ("Has two children", "Lives in Turin"):
        memory = {"memory_type": "fact", "content": content, "is_pinned": True}
        assert api.post("/api/memories", json=memory).status_code == 201
    address = create(api, "Lisbon", {**TURNS[0], "is_pinned": True}, *TURNS[1:])
    edit = {"text": "They want to go to Lisbon.", "version": 0}
    assert api.put(f"/api/conversations{address[2:]}/summary", json=edit).status_code == 200

    page.goto(f"{address}?panel=seen")
    expect(panel(page)).to_contain_text("No receipt for this answer")
    ask(page, "Which tram?")
    expect(message(page, 12, "assistant")).to_contain_text("Which tram?")
    expect(section(page, "Question")).to_be_visible()

    answer = api.get(f"/api/conversations{address[2:]}/messages?order=desc&limit=1").json()
    receipt = api.get(f"/api/messages/{answer['items'][0]['id']}/receipt").json()
    saved = int((1 - receipt["tokens"] / receipt["full_history_tokens"]) * 100)
    expect(panel(page)).to_contain_text(
        f"{receipt['tokens']:,} of {receipt['full_history_tokens']:,} tokens: "
        f"{saved}% less than the full history"
    )
    expect(panel(page)).to_contain_text(f"Memory: {receipt['memory_tokens']:,} of ")
    expect(panel(page)).to_contain_text("Policy: chunked")
    bar = panel(page).get_by_role("img")
    expect(bar).to_have_accessible_name(re.compile(r"Summary \d+, Memories \d+, .*Free \d"))

    memories = section(page, "Memories").get_by_role("listitem")
    expect(memories.get_by_role("link", name="Has two children")).to_be_visible()
    expect(memories.first).to_contain_text("The tokens include the section heading.")
    expect(memories.last).not_to_contain_text("heading")
    expect(section(page, "Summary")).to_contain_text("Summary, version 1")
    expect(section(page, "Pinned messages")).to_contain_text("You pinned it.")
    tail = section(page, "Recent messages")
    expect(tail.locator("[data-outcome=dropped]").first).to_contain_text(
        "Left out. No room in the budget. No summary covers it yet."
    )
    seqs = [item["first_seq"] for item in receipt["items"] if item["section"] == "tail"]
    for group in tail.get_by_text("Show each message").all():
        group.click()
    for seq in seqs:
        expect(tail.get_by_role("link", name=f"Message {seq}", exact=True)).to_be_visible()

    section(page, "Pinned messages").get_by_role("link", name="Message 1", exact=True).click()
    expect(message(page, 1, "user")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("panel=seen"))


def test_full_context_is_shown_on_phone(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    address = create(api, "Lisbon", *alternating("Where?", "To Lisbon.", "When?", "In May."))
    question = {"message": "Why?", "conversation_id": address[3:], "mode": "full"}
    assert api.post("/api/chat?stream=false", json=question).status_code == 200

    page = visit(server, key=key, viewport=PHONE).page
    page.goto(f"{address}?panel=seen")
    expect(panel(page)).to_contain_text("The full history was sent")
    expect(panel(page)).to_contain_text("Full context")
    expect(section(page, "All messages")).to_contain_text("Messages 1–4")  # noqa: RUF001
    assert fits_width(page)

    section(page, "Question").get_by_role("link", name="Message 5").click()
    expect(panel(page)).to_be_hidden()
    expect(message(page, 5, "user")).to_be_in_viewport()


def test_missing_receipt_and_network_error_are_reported(
    signed_in: Visit, api: httpx.Client
) -> None:
    page = signed_in.page
    page.goto(f"{create(api, 'Empty')}?panel=seen")
    expect(panel(page)).to_contain_text("No answer yet")

    signed_in.expects_network_errors = True
    page.goto(f"{create(api, 'Lisbon', *alternating('Where?', 'To Lisbon.'))}?panel=seen")
    expect(panel(page)).to_contain_text("No receipt for this answer")
    page.get_by_role("tab", name="Summary").click()
    expect(page.get_by_role("button", name="Summarize now")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("tab", name="What the model saw").click()
    expect(panel(page).get_by_role("alert")).to_contain_text("The server cannot be reached.")
    page.context.set_offline(False)
    panel(page).get_by_role("button", name="Retry").click()
    expect(panel(page)).to_contain_text("No receipt for this answer")


def test_shares_and_passages_are_shown(small_server: Server, visit: StartVisit) -> None:
    with small_server.client() as api:
        porto = create(api, "Weekend in Porto", *alternating("Where did we sleep?", GUESTHOUSE))
        hotel = alternating("Where do we sleep?", f"{LONG}\n\n{HOTEL}\n\n{LONG}")
        address = create(api, "Lisbon", *hotel, *TURNS)
        compacted = api.post(f"/api/conversations/{address[3:]}/compact", json={"force": True})
        assert compacted.json()["compacted"]
        for question in ("Hello?", QUESTION):
            body = {"message": question, "conversation_id": address[3:]}
            answer = api.post("/api/chat?stream=false", json=body).json()
    receipt = answer["receipt"]

    started = visit(small_server)
    page = started.page
    page.goto(f"{address}?panel=seen")
    shares = panel(page).get_by_role("table", name="The memory budget by section")
    for share in receipt["sections"]:
        row = shares.get_by_role("row", name=SECTIONS[share["section"]])
        expect(row).to_contain_text(f"share {share['share']:,}")
        expect(row).to_contain_text(
            f"+{share['flowed']:,} from others"
            if share["flowed"] > 0
            else f"{-share['flowed']:,} left to others"
        )
    assert receipt["unchanged_tokens"] > 0
    expect(panel(page)).to_contain_text(
        f"{receipt['unchanged_tokens']:,} of {receipt['tokens']:,} tokens unchanged"
    )

    # The message is longer than the screen.
    retrieved = section(page, "Retrieved passages")
    expect(retrieved.get_by_role("listitem").first).to_contain_text("The **hotel in Alfama** has")
    retrieved.get_by_role("link", name="Message 2", exact=True).click()
    assert_marked(page, "booking reference QX-4471-LM")
    expect(panel(page)).to_contain_text(f"Context for message {answer['message']['seq']}")
    retrieved.get_by_role("link", name="“Weekend in Porto”, message 2").click()
    expect(heading(page, "Weekend in Porto")).to_be_visible()
    assert_marked(page, "booking reference PR-0913-AB")

    phone = visit(small_server, viewport=PHONE).page
    phone.goto(f"{address}?panel=seen")
    expect(section(phone, "Retrieved passages")).to_contain_text("hotel in Alfama")
    assert fits_width(phone)
    section(phone, "Retrieved passages").get_by_role("link", name="Message 2", exact=True).click()
    expect(panel(phone)).to_be_hidden()
    assert_marked(phone, "booking reference QX-4471-LM")

    own = next(item for item in receipt["items"] if item["start"] is not None)
    with small_server.client() as api:
        assert api.delete(f"/api/conversations/{porto[3:]}").status_code == 200
        path = f"/api/conversations/{address[3:]}/messages/{own['message_id']}"
        assert api.delete(path).status_code == 200
    started.expected_statuses.add(404)
    page.goto(f"{address}?panel=seen")
    expect(retrieved.get_by_text("The message has been deleted since.")).to_have_count(2)
    expect(retrieved.get_by_role("link")).to_have_count(0)


def assert_marked(page: Page, text: str) -> None:
    marked = page.locator("mark.passage").filter(has_text=text)
    expect(marked).to_be_in_viewport()
