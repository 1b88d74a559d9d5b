"""Finding a conversation, opening it, and what its header offers."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.pages import (
    SPOKEN,
    ask,
    choose,
    create,
    heading,
    items,
    message,
    sidebar,
    spoken,
)
from tests.server.process import wait_until
from tests.server.shapes import UNKNOWN

pytestmark = pytest.mark.xdist_group("browser")


def test_conversations_are_listed_newest_first_and_open(api: httpx.Client, page: Page) -> None:
    create(api, "Lisbon", *SPOKEN)
    create(api, "Rome")
    greeting = create(api, None, *spoken("Hello there!", "Hi."))
    create(api, None)
    path = f"/api/conversations/{greeting[3:]}"
    wait_until(lambda: api.get(path).json()["topic"] is not None, "it has a topic")
    page.goto("/")
    expect(items(page)).to_contain_text(["Untitled conversation", "Hello there!", "Rome", "Lisbon"])
    expect(items(page).first).to_contain_text(re.compile(r"\d{4}, \d\d:\d\d"))
    expect(sidebar(page).get_by_role("heading", name="Today")).to_be_visible()
    expect(items(page).nth(3)).to_contain_text("4 messages")

    link = items(page).nth(3).get_by_role("link")
    expect(link).not_to_have_attribute("aria-current", "page")
    link.click()
    expect(heading(page, "Lisbon")).to_be_visible()
    expect(link).to_have_attribute("aria-current", "page")
    expect(page).to_have_title(re.compile("^Lisbon"))
    expect(message(page, 1, "user")).to_contain_text("Where shall we go?")
    expect(message(page, 4, "assistant")).to_contain_text("Pinned")
    expect(page.get_by_role("region", name="Messages").get_by_role("article")).to_have_count(4)


def test_a_conversation_has_an_address(api: httpx.Client, page: Page) -> None:
    lisbon, rome = create(api, "Lisbon", *SPOKEN), create(api, "Rome", *SPOKEN)
    page.goto(lisbon)
    expect(heading(page, "Lisbon")).to_be_visible()
    page.reload()
    expect(message(page, 4, "assistant")).to_be_visible()

    sidebar(page).get_by_role("link", name="Rome").click()
    expect(page).to_have_url(re.compile(f"{rome}$"))
    expect(heading(page, "Rome")).to_be_visible()
    page.go_back()
    expect(heading(page, "Lisbon")).to_be_visible()
    page.go_forward()
    expect(heading(page, "Rome")).to_be_visible()


def test_the_list_goes_on_and_can_be_filtered(api: httpx.Client, page: Page) -> None:
    for title in ("Città di Roma", "Lisbon", "100 %"):
        create(api, title)
    for number in range(30):
        create(api, f"Conversation {number}")
    page.goto("/")
    expect(items(page)).to_have_count(30)
    page.get_by_role("button", name="Load more conversations").click()
    expect(items(page)).to_have_count(33)
    expect(page.get_by_role("button", name="Load more conversations")).to_have_count(0)

    box = page.get_by_role("searchbox", name="Filter conversations")
    for text, found in [("citta", "Città di Roma"), ("%", "100 %"), ("LIS", "Lisbon")]:
        box.fill(text)
        expect(items(page)).to_have_count(1)
        expect(items(page)).to_contain_text(found)
    box.fill("nothing like it")
    expect(sidebar(page).get_by_role("status")).to_contain_text("nothing like it")
    box.clear()
    expect(items(page)).to_have_count(30)


def test_a_title_is_edited_in_place(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *SPOKEN)
    page.goto(address)
    page.get_by_role("button", name="Edit title").click()
    field = page.get_by_role("textbox", name="Edit title")
    field.fill("A week in Lisbon")
    page.keyboard.press("Escape")
    expect(heading(page, "Lisbon")).to_be_visible()
    page.get_by_role("button", name="Edit title").click()
    field.fill("A week in Lisbon")
    page.keyboard.press("Enter")
    expect(heading(page, "A week in Lisbon")).to_be_visible()
    expect(items(page).first).to_contain_text("A week in Lisbon")
    expect(page.get_by_role("button", name="Edit title")).to_be_focused()
    stored = api.get(f"/api/conversations/{address[3:]}").json()
    assert (stored["title"], stored["title_source"]) == ("A week in Lisbon", "user")


def test_archived_ones_stand_apart(api: httpx.Client, page: Page) -> None:
    create(api, "Rome")
    page.goto(create(api, "Lisbon", *SPOKEN))
    expect(items(page)).to_have_count(2)
    choose(page.locator(".pane-header"), "Archive")
    expect(items(page)).to_have_count(1)
    expect(items(page)).to_contain_text("Rome")
    archived = sidebar(page).get_by_role("button", name="Archived")
    archived.click()
    expect(items(page)).to_contain_text("Lisbon")
    choose(page.locator(".pane-header"), "Take out of the archive")
    expect(sidebar(page).get_by_role("status")).to_contain_text("Nothing is archived.")
    sidebar(page).get_by_role("button", name="Back to active ones").click()
    expect(items(page)).to_have_count(2)


def test_a_deletion_waits_until_it_can_no_longer_be_undone(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *SPOKEN)
    page.goto(address)
    expect(items(page)).to_have_count(1)
    choose(page.locator(".pane-header"), "Delete conversation")
    expect(items(page)).to_have_count(0)
    assert api.get(f"/api/conversations/{address[3:]}").status_code == 200
    page.get_by_role("button", name="Undo").click()
    expect(items(page)).to_have_count(1)

    items(page).get_by_role("link").click()
    choose(page.locator(".pane-header"), "Delete conversation")
    # What closes the note, be it time or the reader, ends the time to undo.
    page.get_by_role("status").get_by_role("button", name="Close").click()
    expect(page.get_by_text("Deleted for good: 4 messages")).to_be_visible()
    assert api.get(f"/api/conversations/{address[3:]}").status_code == 404


def test_a_page_that_is_left_takes_its_deletion_along(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *SPOKEN)
    page.goto(address)
    choose(page.locator(".pane-header"), "Delete conversation")
    expect(items(page)).to_have_count(0)
    page.goto("about:blank")
    wait_until(
        lambda: api.get(f"/api/conversations/{address[3:]}").status_code == 404, "it is deleted"
    )


def test_a_fork_is_a_conversation_of_its_own(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *SPOKEN)
    page.goto(address)
    choose(message(page, 2, "assistant"), "Fork from here")
    expect(items(page)).to_have_count(2)
    expect(page).not_to_have_url(re.compile(f"{address}$"))
    expect(page.get_by_role("region", name="Messages").get_by_role("article")).to_have_count(2)


def test_a_fork_has_all_of_it_however_little_was_read(api: httpx.Client, page: Page) -> None:
    said = [{"role": "user", "content": f"Number {number}."} for number in range(1, 121)]
    page.goto(f"{create(api, 'Long', *said)}?m=5")
    expect(message(page, 5, "user")).to_be_in_viewport()
    choose(page.locator(".pane-header"), "Fork conversation")
    expect(items(page)).to_have_count(2)
    expect(page.get_by_text("120 messages").first).to_be_visible()
    expect(message(page, 120, "user")).to_be_in_viewport()


def test_a_new_conversation_is_new_wherever_one_comes_from(api: httpx.Client, page: Page) -> None:
    page.goto(create(api, "Lisbon", *SPOKEN))
    expect(message(page, 4, "assistant")).to_be_visible()
    page.get_by_role("link", name="Memories").click()
    expect(heading(page, "Memories")).to_be_visible()
    page.get_by_role("link", name="New conversation").click()
    expect(heading(page, "What shall we talk about?")).to_be_visible()
    expect(page.get_by_role("button", name="Try a sample conversation")).to_be_visible()
    expect(page).to_have_url(re.compile("[^/]/$"))
    ask(page, "Something else.")
    expect(message(page, 2, "assistant")).to_contain_text("You said: Something else.")
    expect(items(page)).to_have_count(2)


def test_what_is_gone_is_said_to_be_gone(signed_in: Visit, api: httpx.Client) -> None:
    signed_in.expected_refusals.add(404)
    page = signed_in.page
    address = create(api, "Lisbon", *SPOKEN)
    page.goto(f"{address}?m={UNKNOWN}")
    expect(page.get_by_text("That message is not there any more.")).to_be_visible()
    expect(message(page, 4, "assistant")).to_be_visible()
    assert api.delete(f"/api{address.replace('/c/', '/conversations/')}").status_code == 200
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(heading(page, "Conversation not found")).to_be_visible()


def test_the_policy_can_be_changed(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *SPOKEN)
    page.goto(address)
    choose(page.locator(".pane-header"), "Memory policy")
    page.get_by_role("dialog", name="Memory policy").get_by_label("Rolling:").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("rolling policy")).to_be_visible()
    assert api.get(f"/api/conversations/{address[3:]}").json()["policy"] == "rolling"


def test_what_was_said_meanwhile_is_shown_and_marked(api: httpx.Client, page: Page) -> None:
    lisbon = create(api, "Lisbon", *SPOKEN[:1])
    rome = create(api, "Rome")
    page.goto(lisbon)
    expect(message(page, 1, "user")).to_be_visible()
    for address in (lisbon, rome):
        said = api.post(f"/api/conversations/{address[3:]}/messages", json={"messages": SPOKEN[1:]})
        assert said.status_code == 201
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(message(page, 4, "assistant")).to_be_visible()
    unread = page.get_by_role("img", name="New messages")
    expect(
        items(page).filter(has_text="Rome").get_by_role("img", name="New messages")
    ).to_be_visible()
    expect(unread).to_have_count(1)
    items(page).filter(has_text="Rome").get_by_role("link").click()
    expect(heading(page, "Rome")).to_be_visible()
    expect(unread).to_have_count(0)


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%3Cscript%3E"])
def test_an_unknown_conversation_is_said_to_be_so(signed_in: Visit, id: str) -> None:
    signed_in.expected_refusals.add(404)
    page = signed_in.page
    page.goto(f"/c/{id}")
    expect(heading(page, "Conversation not found")).to_be_visible()
    page.get_by_role("link", name="Show all conversations").click()
    expect(heading(page, "Conversations with a memory you can see")).to_be_visible()
