"""The conversation list, opening conversations, and the actions in the header."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.pages import (
    MESSAGES,
    alternating,
    ask,
    choose,
    conversation_items,
    create,
    heading,
    message,
    sidebar,
)
from tests.server.process import wait_until
from tests.server.shapes import UNKNOWN

pytestmark = pytest.mark.xdist_group("browser")


def test_conversations_are_listed_newest_first(api: httpx.Client, page: Page) -> None:
    create(api, "Lisbon", *MESSAGES)
    create(api, "Rome")
    greeting = create(api, None, *alternating("Hello there!", "Hi."))
    create(api, None)
    path = f"/api/conversations/{greeting[3:]}"
    wait_until(lambda: api.get(path).json()["topic"] is not None, "it has a topic")
    page.goto("/")
    expect(conversation_items(page)).to_contain_text(
        ["Untitled conversation", "Hello there!", "Rome", "Lisbon"]
    )
    expect(conversation_items(page).first).to_contain_text(re.compile(r"\d{4}, \d\d:\d\d"))
    expect(sidebar(page).get_by_role("heading", name="Today")).to_be_visible()
    expect(conversation_items(page).nth(3)).to_contain_text("4 messages")

    link = conversation_items(page).nth(3).get_by_role("link")
    expect(link).not_to_have_attribute("aria-current", "page")
    link.click()
    expect(heading(page, "Lisbon")).to_be_visible()
    expect(link).to_have_attribute("aria-current", "page")
    expect(page).to_have_title(re.compile("^Lisbon"))
    expect(message(page, 1, "user")).to_contain_text("Where shall we go?")
    expect(message(page, 4, "assistant")).to_contain_text("Pinned")
    expect(page.get_by_role("region", name="Messages").get_by_role("article")).to_have_count(4)


def test_conversation_has_url(api: httpx.Client, page: Page) -> None:
    lisbon, rome = create(api, "Lisbon", *MESSAGES), create(api, "Rome", *MESSAGES)
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


def test_list_is_paged_and_filtered(api: httpx.Client, page: Page) -> None:
    for title in ("Città di Roma", "Lisbon", "100 %"):
        create(api, title)
    for number in range(30):
        create(api, f"Conversation {number}")
    page.goto("/")
    expect(conversation_items(page)).to_have_count(30)
    page.get_by_role("button", name="Load more conversations").click()
    expect(conversation_items(page)).to_have_count(33)
    expect(page.get_by_role("button", name="Load more conversations")).to_have_count(0)

    box = page.get_by_role("searchbox", name="Filter conversations")
    for text, found in [("citta", "Città di Roma"), ("%", "100 %"), ("LIS", "Lisbon")]:
        box.fill(text)
        expect(conversation_items(page)).to_have_count(1)
        expect(conversation_items(page)).to_contain_text(found)
    box.fill("no such title")
    expect(sidebar(page).get_by_role("status")).to_contain_text("no such title")
    box.clear()
    expect(conversation_items(page)).to_have_count(30)


def test_title_can_be_edited(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *MESSAGES)
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
    expect(conversation_items(page).first).to_contain_text("A week in Lisbon")
    expect(page.get_by_role("button", name="Edit title")).to_be_focused()
    stored = api.get(f"/api/conversations/{address[3:]}").json()
    assert (stored["title"], stored["title_source"]) == ("A week in Lisbon", "user")


def test_archived_conversations_are_listed_separately(api: httpx.Client, page: Page) -> None:
    create(api, "Rome")
    page.goto(create(api, "Lisbon", *MESSAGES))
    expect(conversation_items(page)).to_have_count(2)
    choose(page.locator(".pane-header"), "Archive")
    expect(conversation_items(page)).to_have_count(1)
    expect(conversation_items(page)).to_contain_text("Rome")
    archived = sidebar(page).get_by_role("button", name="Archived")
    archived.click()
    expect(conversation_items(page)).to_contain_text("Lisbon")
    choose(page.locator(".pane-header"), "Unarchive")
    expect(sidebar(page).get_by_role("status")).to_contain_text("No archived conversations.")
    sidebar(page).get_by_role("button", name="Back to active").click()
    expect(conversation_items(page)).to_have_count(2)


def test_conversation_is_deleted_after_undo_time(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *MESSAGES)
    page.goto(address)
    expect(conversation_items(page)).to_have_count(1)
    choose(page.locator(".pane-header"), "Delete conversation")
    expect(conversation_items(page)).to_have_count(0)
    assert api.get(f"/api/conversations/{address[3:]}").status_code == 200
    page.get_by_role("button", name="Undo").click()
    expect(conversation_items(page)).to_have_count(1)

    conversation_items(page).get_by_role("link").click()
    choose(page.locator(".pane-header"), "Delete conversation")
    # Closing the toast ends the time to undo.
    page.get_by_role("status").get_by_role("button", name="Close").click()
    expect(page.get_by_text("Permanently deleted: 4 messages")).to_be_visible()
    assert api.get(f"/api/conversations/{address[3:]}").status_code == 404


def test_leaving_page_sends_pending_deletion(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *MESSAGES)
    page.goto(address)
    choose(page.locator(".pane-header"), "Delete conversation")
    expect(conversation_items(page)).to_have_count(0)
    page.goto("about:blank")
    wait_until(
        lambda: api.get(f"/api/conversations/{address[3:]}").status_code == 404, "it is deleted"
    )


def test_fork_creates_conversation(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *MESSAGES)
    page.goto(address)
    choose(message(page, 2, "assistant"), "Fork from here")
    expect(conversation_items(page)).to_have_count(2)
    expect(page).not_to_have_url(re.compile(f"{address}$"))
    expect(page.get_by_role("region", name="Messages").get_by_role("article")).to_have_count(2)


def test_fork_copies_messages_that_are_not_loaded(api: httpx.Client, page: Page) -> None:
    messages = [{"role": "user", "content": f"Number {number}."} for number in range(1, 121)]
    page.goto(f"{create(api, 'Long', *messages)}?m=5")
    expect(message(page, 5, "user")).to_be_in_viewport()
    choose(page.locator(".pane-header"), "Fork conversation")
    expect(conversation_items(page)).to_have_count(2)
    expect(page.get_by_text("120 messages").first).to_be_visible()
    expect(message(page, 120, "user")).to_be_in_viewport()


def test_new_conversation_starts_empty(api: httpx.Client, page: Page) -> None:
    page.goto(create(api, "Lisbon", *MESSAGES))
    expect(message(page, 4, "assistant")).to_be_visible()
    page.get_by_role("link", name="Memories").click()
    expect(heading(page, "Memories")).to_be_visible()
    page.get_by_role("link", name="New conversation").click()
    expect(heading(page, "What would you like to talk about?")).to_be_visible()
    expect(page.get_by_role("button", name="Try a sample conversation")).to_be_visible()
    expect(page).to_have_url(re.compile("[^/]/$"))
    ask(page, "Something else.")
    expect(message(page, 2, "assistant")).to_contain_text("You said: Something else.")
    expect(conversation_items(page)).to_have_count(2)


def test_deleted_message_and_conversation_are_reported(signed_in: Visit, api: httpx.Client) -> None:
    signed_in.expected_statuses.add(404)
    page = signed_in.page
    address = create(api, "Lisbon", *MESSAGES)
    page.goto(f"{address}?m={UNKNOWN}")
    expect(page.get_by_text("This message no longer exists.")).to_be_visible()
    expect(message(page, 4, "assistant")).to_be_visible()
    assert api.delete(f"/api{address.replace('/c/', '/conversations/')}").status_code == 200
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(heading(page, "Conversation not found")).to_be_visible()


def test_memory_settings_can_be_changed(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *MESSAGES)
    create(api, "Rome", *MESSAGES)
    page.goto(address)
    for policy, scope, project, saved in (
        (
            "Rolling:",
            "All conversations of this project",
            " guide ",
            ("rolling", "project", "guide"),
        ),
        ("Chunked:", "Default", "", ("chunked", None, None)),
        ("Rolling:", "This conversation only", "guide", ("rolling", "conversation", "guide")),
    ):
        choose(page.locator(".pane-header"), "Memory settings")
        dialog = page.get_by_role("dialog", name="Memory settings")
        dialog.get_by_label(policy).check()
        dialog.get_by_label(scope, exact=True).check()
        dialog.get_by_label("Project", exact=True).fill(project)
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_text(f"{saved[0]} policy")).to_be_visible()
        expect(page.get_by_text("project guide")).to_have_count(1 if project else 0)
        changed = api.get(f"/api/conversations/{address[3:]}").json()
        assert tuple(changed[name] for name in ("policy", "recall_scope", "project_id")) == saved

    expect(conversation_items(page)).to_have_count(2)
    sidebar(page).get_by_label("Project").select_option("guide")
    expect(conversation_items(page)).to_have_count(1)
    sidebar(page).get_by_label("Project").select_option("All projects")
    expect(conversation_items(page)).to_have_count(2)


def test_new_messages_are_shown_and_marked_unread(api: httpx.Client, page: Page) -> None:
    lisbon = create(api, "Lisbon", *MESSAGES[:1])
    rome = create(api, "Rome")
    page.goto(lisbon)
    expect(message(page, 1, "user")).to_be_visible()
    for address in (lisbon, rome):
        response = api.post(
            f"/api/conversations/{address[3:]}/messages", json={"messages": MESSAGES[1:]}
        )
        assert response.status_code == 201
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(message(page, 4, "assistant")).to_be_visible()
    unread = page.get_by_role("img", name="New messages")
    expect(
        conversation_items(page).filter(has_text="Rome").get_by_role("img", name="New messages")
    ).to_be_visible()
    expect(unread).to_have_count(1)
    conversation_items(page).filter(has_text="Rome").get_by_role("link").click()
    expect(heading(page, "Rome")).to_be_visible()
    expect(unread).to_have_count(0)


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%3Cscript%3E"])
def test_unknown_conversation_is_reported(signed_in: Visit, id: str) -> None:
    signed_in.expected_statuses.add(404)
    page = signed_in.page
    page.goto(f"/c/{id}")
    expect(heading(page, "Conversation not found")).to_be_visible()
    page.get_by_role("link", name="Show all conversations").click()
    expect(heading(page, "Conversations with a memory you can see")).to_be_visible()
