"""The memories page."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from recollect.sync import Recollect
from tests.browser.conftest import StartVisit, Visit
from tests.browser.pages import PHONE, alternating, create, fits_width, message
from tests.server.memory_client import contents, extract, history, list_memories, remember
from tests.server.process import Server, running, wait_until

pytestmark = pytest.mark.xdist_group("browser")

TEA, BOAT, TURIN = "Takes tea.", "Builds a boat.", "Lives in Turin."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without a model: it extracts memories by patterns."""
    url = f"sqlite:///{tmp_path_factory.mktemp('memories')}/recollect.db"
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
    with running(url) as server:
        yield server


def memories(page: Page) -> Locator:
    return page.get_by_role("list", name="Memories").locator("> li")


def memory(page: Page, content: str) -> Locator:
    return page.get_by_role("listitem", name=content, exact=True)


def choose(page: Page, content: str, action: str) -> None:
    """Select an action in a memory's menu."""
    memory(page, content).get_by_role("button", name="More actions for").click()
    page.get_by_role("menuitem", name=action).click()


def content_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Memory", exact=True)


def toast(page: Page, text: str) -> Locator:
    return page.locator(".toast", has_text=text)


def test_memory_can_be_created_edited_and_archived(api: httpx.Client, page: Page) -> None:
    page.goto("/memories")
    expect(page.get_by_role("heading", name="No memories yet")).to_be_visible()
    page.get_by_role("button", name="New memory").first.click()
    expect(content_field(page)).to_be_focused()
    page.keyboard.type("Takes tee")
    page.get_by_label("Type").last.select_option("Preference")
    page.get_by_role("dialog").get_by_label("Category").fill("food")
    page.get_by_role("button", name="Create").click()
    expect(memory(page, "Takes tee")).to_be_focused()
    expect(memory(page, "Takes tee")).to_contain_text(re.compile("Preference.*food.*by you"))

    memory(page, "Takes tee").get_by_role("button", name="Edit").click()
    content_field(page).fill(TEA)
    page.keyboard.press("Enter")
    expect(memory(page, TEA).get_by_role("button", name="Edit")).to_be_focused()
    memory(page, TEA).get_by_role("button", name="Pin").click()
    expect(memory(page, TEA)).to_contain_text("Pinned")
    page.get_by_label("Pinned only").check()
    expect(memories(page)).to_have_count(1)

    choose(page, TEA, "History")
    events = page.get_by_role("dialog").get_by_role("listitem")
    expect(events).to_contain_text(["Pinnedfrom no → to yes", "from Takes tee", "Created by you"])
    page.get_by_role("button", name="Undo the last change").click()
    expect(events.first).to_contain_text("Undone")
    page.get_by_role("button", name="Undo the last change").click()
    expect(page.get_by_role("button", name="Undo the last change")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_text("No memories match these filters.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    (kept,) = list_memories(api)
    assert (kept["content"], kept["is_pinned"]) == ("Takes tee", False)
    assert len(history(api, kept)) == 5

    choose(page, "Takes tee", "Archive")
    expect(memories(page)).to_have_count(0)
    page.get_by_label("Show").select_option("Archived")
    choose(page, "Takes tee", "Restore")
    expect(page.get_by_text("No archived memories.")).to_be_visible()
    toast(page, "restored").get_by_role("button", name="Undo").click()
    expect(memory(page, "Takes tee")).to_be_visible()
    assert contents(api, archived=True) == ["Takes tee"]


def test_memories_are_filtered_while_typing(api: httpx.Client, page: Page) -> None:
    remember(api, TURIN, category="home", confidence=0.6)
    remember(api, TEA, memory_type="preference", category="food")
    remember(api, BOAT, memory_type="project", category="Food")
    page.goto("/memories")
    expect(memories(page)).to_contain_text([BOAT, TEA, TURIN])
    expect(memory(page, TURIN)).to_contain_text("60% certain")

    page.get_by_role("radio", name="Projects").check(force=True)
    expect(memories(page)).to_contain_text([BOAT])
    page.get_by_role("radio", name="All").check(force=True)
    page.get_by_role("searchbox", name="Search memories").fill("TURIN")
    expect(memories(page)).to_contain_text([TURIN])
    page.get_by_role("searchbox", name="Search memories").clear()

    memory(page, TEA).get_by_role("button", name="food").click()
    expect(memories(page)).to_contain_text([TEA])
    expect(memories(page)).to_have_count(1)
    category = page.get_by_role("combobox", name="Category")
    expect(category).to_have_value("food")
    category.fill("nothing of the sort")
    category.press("Enter")
    expect(page.get_by_text("No memories match these filters.")).to_be_visible()
    category.fill("")
    expect(memories(page)).to_have_count(3)


def test_memory_is_deleted_after_undo_time(api: httpx.Client, page: Page) -> None:
    for content in (TEA, BOAT, TURIN):
        remember(api, content)
    page.goto("/memories")
    choose(page, BOAT, "Delete")
    expect(memories(page)).to_contain_text([TURIN, TEA])
    expect(memory(page, TEA)).to_be_focused()
    assert BOAT in contents(api)
    page.get_by_role("link", name="Analytics").click()
    page.go_back()
    expect(memories(page)).to_contain_text([TURIN, TEA])
    toast(page, "Memory deleted.").get_by_role("button", name="Undo").click()
    expect(memories(page)).to_contain_text([TURIN, BOAT, TEA])

    choose(page, BOAT, "Delete")
    toast(page, "Memory deleted.").get_by_role("button", name="Close").click()
    expect(toast(page, "Permanently deleted: 1 memory")).to_be_visible()
    assert contents(api) == [TURIN, TEA]


def test_undo_time_runs_out_on_any_page(api: httpx.Client, page: Page) -> None:
    remember(api, TEA)
    page.clock.install()
    page.goto("/memories")
    choose(page, TEA, "Delete")
    for name in ("Analytics", "Settings", "Memories"):
        page.clock.fast_forward(1_900)
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    page.clock.fast_forward(1_900)
    expect(toast(page, "Memory deleted.")).to_have_count(0, timeout=3_000)
    wait_until(lambda: contents(api) == [], "it is deleted")


def test_dialog_closes_on_outside_click(page: Page) -> None:
    page.goto("/memories")
    page.get_by_role("button", name="New memory").first.click()
    field = content_field(page)
    field.fill("Takes tea with a very small drop of milk.")
    box = field.bounding_box()
    assert box is not None
    # A text selection that ends outside the dialog does not close it.
    page.mouse.move(box["x"] + 100, box["y"] + 15)
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    expect(field).to_have_value("Takes tea with a very small drop of milk.")
    page.mouse.click(5, 5)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="New memory").first).to_be_focused()


def test_memories_are_extracted_from_conversations(api: httpx.Client, page: Page) -> None:
    moving = create(api, "Moving", *alternating("Hello!", "Hi!", "I live in Lisbon.", "Lovely."))
    create(api, "Lunch", *alternating("I am allergic to peanuts.", "Noted."))
    secret = create(api, "Secret", *alternating("I am allergic to wasps.", "Noted."))
    api.patch(f"/api/conversations/{secret[3:]}", json={"remember": False}).raise_for_status()
    page.goto("/memories")
    page.get_by_role("button", name="Extract memories").first.click()
    dialog = page.get_by_role("dialog", name="Extract memories")
    expect(dialog.get_by_role("checkbox", name=re.compile("Secret Memories off"))).to_be_disabled()
    dialog.get_by_label("Select all").check()
    dialog.get_by_role("button", name="Extract from 2 conversations").click()
    expect(dialog.get_by_text("2 memories were added or changed.")).to_be_focused()
    dialog.get_by_role("button", name="Show in list").click()
    expect(memories(page).first).to_be_focused()
    expect(page.locator(".highlighted")).to_have_count(2)
    assert {*contents(api)} == {"Lives in Lisbon", "Is allergic to peanuts"}

    memory(page, "Lives in Lisbon").get_by_role("link", name="Source").click()
    expect(page).to_have_url(re.compile(rf"{moving}\?m="))
    expect(message(page, 3, "user")).to_be_in_viewport()


def test_replaced_memory_can_be_restored(api: httpx.Client, page: Page) -> None:
    for said in ("I live in Lisbon.", "I live in Porto now."):
        extract(api, f"/api/conversations/{create(api, said, *alternating(said))[3:]}")
    page.goto("/memories")
    expect(memories(page)).to_contain_text(["Lives in Porto"])
    page.get_by_label("Show").select_option("No longer true")
    expect(memory(page, "Lives in Lisbon")).to_contain_text("no longer true since")
    choose(page, "Lives in Lisbon", "History")
    page.get_by_role("button", name="Undo the last change").click()
    expect(page.get_by_role("button", name="Undo the last change")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(memories(page)).to_contain_text(["Lives in Porto"])
    assert contents(api) == ["Lives in Lisbon"]


@contextmanager
def blocked_extraction(page: Page, conversation: str) -> Iterator[None]:
    """Block the extraction from one conversation."""
    routes: list[Route] = []

    def block(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body["conversation_id"] == conversation[3:]:
            routes.append(route)
        else:
            route.continue_()

    page.route("**/api/memories/extract?*", block)
    yield
    (route,) = routes
    route.abort()  # otherwise it would continue after the page cancelled it
    page.unroute("**/api/memories/extract?*")


def test_extraction_can_be_stopped(api: httpx.Client, page: Page) -> None:
    create(api, "Third", *alternating("I am allergic to wasps.", "Noted."))
    stuck = create(api, "Second", *alternating("I live in Lisbon.", "Lovely."))
    create(api, "First", *alternating("I am allergic to peanuts.", "Noted."))
    page.goto("/memories")
    page.get_by_role("button", name="Extract memories").first.click()
    page.get_by_label("Select all").check()
    with blocked_extraction(page, stuck):
        page.get_by_role("button", name="Extract from 3 conversations").click()
        expect(page.get_by_text("Extracting from “Second”")).to_contain_text("1 of 3")
        expect(page.get_by_role("progressbar")).to_have_attribute("value", "1")
        expect(page.get_by_role("button", name="Stop")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Stopped after 1 of 3. 1 memory was added")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Extract memories")).to_be_focused()
    assert contents(api) == ["Is allergic to peanuts"]


def test_error_is_shown_in_form(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    written = remember(api, TEA)
    visitor: Visit = visit(server, key=key, viewport=PHONE)
    visitor.expected_statuses.add(404)
    page = visitor.page
    page.goto("/memories")
    memory(page, TEA).get_by_role("button", name="Edit").click()
    assert fits_width(page)
    api.delete(f"/api/memories/{written['id']}").raise_for_status()
    content_field(page).fill("Takes coffee.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_have_text("There is no such memory.")
    expect(content_field(page)).to_have_value("Takes coffee.")


def test_network_error_is_translated(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    """Errors without a server message are translated."""
    remember(api, TEA, confidence=0.8)
    visitor: Visit = visit(server, key=key, viewport=PHONE, locale="it-IT")
    visitor.expects_network_errors = True
    page = visitor.page
    page.goto("/")
    page.route("**/api/memories?*", lambda route: route.abort())
    page.get_by_role("link", name="Ricordi").click()
    expect(page.get_by_role("alert")).to_contain_text("Il server non è raggiungibile.")
    expect(page.locator("#main")).to_be_focused()
    page.unroute("**/api/memories?*")
    page.get_by_role("button", name="Riprova").click()
    expect(memory(page, TEA)).to_contain_text("certezza: 80%")
