"""The page of memories: what is remembered can be read, corrected, taken back and read again."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from recollect.sync import Recollect
from tests.browser.conftest import StartVisit, Visit
from tests.browser.pages import PHONE, create, fits, message, spoken
from tests.server.known import contents, extract, history, known, remember
from tests.server.process import Server, running, wait_until

pytestmark = pytest.mark.xdist_group("browser")

TEA, BOAT, TURIN = "Takes tea.", "Builds a boat.", "Lives in Turin."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One without a model: patterns read, at once and always the same way."""
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
    """From a memory's menu."""
    memory(page, content).get_by_role("button", name="More for").click()
    page.get_by_role("menuitem", name=action).click()


def toast(page: Page, text: str) -> Locator:
    return page.locator(".toast", has_text=text)


def test_a_memory_is_written_corrected_and_put_away(api: httpx.Client, page: Page) -> None:
    page.goto("/memories")
    expect(page.get_by_role("heading", name="Nothing is remembered yet")).to_be_visible()
    page.get_by_role("button", name="New memory").first.click()
    expect(page.get_by_label("What to remember")).to_be_focused()
    page.keyboard.type("Takes tee")
    page.get_by_label("Type").last.select_option("Preference")
    page.get_by_role("dialog").get_by_label("Category").fill("food")
    page.get_by_role("button", name="Create").click()
    expect(memory(page, "Takes tee")).to_be_focused()
    expect(memory(page, "Takes tee")).to_contain_text(re.compile("Preference.*food.*by you"))

    memory(page, "Takes tee").get_by_role("button", name="Edit").click()
    page.get_by_label("What to remember").fill(TEA)
    page.keyboard.press("Enter")
    expect(memory(page, TEA).get_by_role("button", name="Edit")).to_be_focused()
    memory(page, TEA).get_by_role("button", name="Pin").click()
    expect(memory(page, TEA)).to_contain_text("Pinned")
    page.get_by_label("Pinned only").check()
    expect(memories(page)).to_have_count(1)

    choose(page, TEA, "History")
    events = page.get_by_role("dialog").get_by_role("listitem")
    expect(events).to_contain_text(["Pinnedfrom no → to yes", "from Takes tee", "Noted by you"])
    page.get_by_role("button", name="Undo the last change").click()
    expect(events.first).to_contain_text("Taken back")
    page.get_by_role("button", name="Undo the last change").click()
    expect(page.get_by_role("button", name="Undo the last change")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_text("No memory fits these filters.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    (kept,) = known(api)
    assert (kept["content"], kept["is_pinned"]) == ("Takes tee", False)
    assert len(history(api, kept)) == 5

    choose(page, "Takes tee", "Archive")
    expect(memories(page)).to_have_count(0)
    page.get_by_label("Show").select_option("Archived")
    choose(page, "Takes tee", "Bring back")
    expect(page.get_by_text("Nothing is archived.")).to_be_visible()
    toast(page, "brought back").get_by_role("button", name="Undo").click()
    expect(memory(page, "Takes tee")).to_be_visible()
    assert contents(api, archived=True) == ["Takes tee"]


def test_memories_are_filtered_as_one_types(api: httpx.Client, page: Page) -> None:
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
    expect(page.get_by_text("No memory fits these filters.")).to_be_visible()
    category.fill("")
    expect(memories(page)).to_have_count(3)


def test_a_deletion_is_sent_when_it_can_no_longer_be_undone(api: httpx.Client, page: Page) -> None:
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
    expect(toast(page, "Deleted for good: 1 memory")).to_be_visible()
    assert contents(api) == [TURIN, TEA]


def test_the_time_to_undo_runs_out_on_any_page(api: httpx.Client, page: Page) -> None:
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


def test_a_dialog_closes_when_one_presses_beside_it(page: Page) -> None:
    page.goto("/memories")
    page.get_by_role("button", name="New memory").first.click()
    field = page.get_by_label("What to remember")
    field.fill("Takes tea with a very small drop of milk.")
    place = field.bounding_box()
    assert place is not None
    # A selection that is drawn beyond the edge of the dialog.
    page.mouse.move(place["x"] + 100, place["y"] + 15)
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    expect(field).to_have_value("Takes tea with a very small drop of milk.")
    page.mouse.click(5, 5)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="New memory").first).to_be_focused()


def test_conversations_are_read_for_memories(api: httpx.Client, page: Page) -> None:
    said = create(api, "Moving", *spoken("Hello!", "Hi!", "I live in Lisbon.", "Lovely."))
    create(api, "Lunch", *spoken("I am allergic to peanuts.", "Noted."))
    secret = create(api, "Secret", *spoken("I am allergic to wasps.", "Noted."))
    api.patch(f"/api/conversations/{secret[3:]}", json={"remember": False}).raise_for_status()
    page.goto("/memories")
    page.get_by_role("button", name="Extract memories").first.click()
    dialog = page.get_by_role("dialog", name="Extract memories")
    expect(dialog.get_by_role("checkbox", name=re.compile("Secret Kept out"))).to_be_disabled()
    dialog.get_by_label("Choose all").check()
    dialog.get_by_role("button", name="Read 2 conversations").click()
    expect(dialog.get_by_text("2 memories were added or changed.")).to_be_focused()
    dialog.get_by_role("button", name="Show in the list").click()
    expect(memories(page).first).to_be_focused()
    expect(page.locator(".highlighted")).to_have_count(2)
    assert {*contents(api)} == {"Lives in Lisbon", "Is allergic to peanuts"}

    memory(page, "Lives in Lisbon").get_by_role("link", name="Where you said it").click()
    expect(page).to_have_url(re.compile(rf"{said}\?m="))
    expect(message(page, 3, "user")).to_be_in_viewport()


def test_what_was_replaced_can_be_put_back(api: httpx.Client, page: Page) -> None:
    for said in ("I live in Lisbon.", "I live in Porto now."):
        extract(api, f"/api/conversations/{create(api, said, *spoken(said))[3:]}")
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
def held(page: Page, conversation: str) -> Iterator[None]:
    """The reading of one conversation does not come to an end."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        if asked["conversation_id"] == conversation[3:]:
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/api/memories/extract?*", hold)
    yield
    (route,) = waiting
    route.abort()  # else it would go on where the page has not taken it back yet
    page.unroute("**/api/memories/extract?*")


def test_a_reading_can_be_stopped(api: httpx.Client, page: Page) -> None:
    create(api, "Third", *spoken("I am allergic to wasps.", "Noted."))
    stuck = create(api, "Second", *spoken("I live in Lisbon.", "Lovely."))
    create(api, "First", *spoken("I am allergic to peanuts.", "Noted."))
    page.goto("/memories")
    page.get_by_role("button", name="Extract memories").first.click()
    page.get_by_label("Choose all").check()
    with held(page, stuck):
        page.get_by_role("button", name="Read 3 conversations").click()
        expect(page.get_by_text("Reading “Second”")).to_contain_text("1 of 3")
        expect(page.get_by_role("progressbar")).to_have_attribute("value", "1")
        expect(page.get_by_role("button", name="Stop")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Stopped after 1 of 3. 1 memory was added")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Extract memories")).to_be_focused()
    assert contents(api) == ["Is allergic to peanuts"]


def test_what_went_wrong_is_said_where_it_did(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    written = remember(api, TEA)
    visitor: Visit = visit(server, key=key, viewport=PHONE)
    visitor.expected_refusals.add(404)
    page = visitor.page
    page.goto("/memories")
    memory(page, TEA).get_by_role("button", name="Edit").click()
    assert fits(page)
    api.delete(f"/api/memories/{written['id']}").raise_for_status()
    page.get_by_label("What to remember").fill("Takes coffee.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_have_text("There is no such memory.")
    expect(page.get_by_label("What to remember")).to_have_value("Takes coffee.")


def test_italian_on_a_phone_without_a_network(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    """Also what no server has said is said in the reader's language."""
    remember(api, TEA, confidence=0.8)
    visitor: Visit = visit(server, key=key, viewport=PHONE, locale="it-IT")
    visitor.expected_failures = True
    page = visitor.page
    page.goto("/")
    page.route("**/api/memories?*", lambda route: route.abort())
    page.get_by_role("link", name="Ricordi").click()
    expect(page.get_by_role("alert")).to_contain_text("Il server non è raggiungibile.")
    expect(page.locator("#main")).to_be_focused()
    page.unroute("**/api/memories?*")
    page.get_by_role("button", name="Riprova").click()
    expect(memory(page, TEA)).to_contain_text("certezza: 80%")
