"""The command palette."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import StartVisit
from tests.browser.pages import PHONE, alternating, create, fits_width, heading, sidebar
from tests.server.process import Server

pytestmark = pytest.mark.xdist_group("browser")


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search conversations and pages")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option")


def open_palette(page: Page) -> None:
    """Open the palette, once the page listens for keys."""
    expect(sidebar(page)).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()


def test_sentence_opens_conversation(api: httpx.Client, page: Page) -> None:
    lisbon = create(api, "Viaggio a Lisbona", *alternating("Quando partiamo?", "A maggio."))
    create(api, "Bread", *alternating("Why does it not rise?", "The oven is cold."))
    page.goto("/memories")
    expect(page.get_by_role("heading", name="Memories", level=1)).to_be_visible()
    open_palette(page)
    field(page).fill("torniamo a quella sul viaggio a Lisbona")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"{lisbon}$"))
    expect(heading(page, "Viaggio a Lisbona")).to_be_visible()
    expect(field(page)).to_have_count(0)

    open_palette(page)
    field(page).fill("the one where the oven was cold")
    match = page.get_by_role("group", name="Best match").get_by_role("option")
    expect(match).to_have_count(1)
    expect(match).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(heading(page, "Bread")).to_be_visible()


def test_other_matches_are_listed(api: httpx.Client, page: Page) -> None:
    create(api, "Lisbon", *alternating("When do we go?", "In May."))
    create(api, "Trams", *alternating("Are the trams in Lisbon full?", "They often are."))
    page.goto("/")
    open_palette(page)
    field(page).fill("back to the one called Lisbon")
    match = page.get_by_role("group", name="Best match").get_by_role("option")
    expect(match).to_have_attribute("aria-selected", "true")
    expect(match).to_contain_text("Lisbon")
    other = page.get_by_role("group", name="Other matches").get_by_role("option")
    expect(other).to_contain_text("Are the trams in Lisbon full?")
    page.keyboard.press("ArrowDown")
    expect(other).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(heading(page, "Trams")).to_be_visible()


def test_user_chooses_between_several_matches(api: httpx.Client, page: Page) -> None:
    create(api, "Trip one", *alternating("The tram in Lisbon was full.", "It often is."))
    create(api, "Trip two", *alternating("The tram in Lisbon was late.", "It often is."))
    page.goto("/")
    open_palette(page)
    field(page).fill("let us go back to the one about the tram in Lisbon")
    page.keyboard.press("Enter")
    candidates = page.get_by_role("group", name="Which one do you mean?").get_by_role("option")
    expect(candidates).to_have_count(2)
    expect(candidates.filter(has_text="was full")).to_contain_text("Trip one")
    for option in candidates.all():
        expect(option).to_have_attribute("aria-selected", "false")
    page.keyboard.press("Enter")
    expect(candidates).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = candidates.nth(1)
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(field(page)).to_have_attribute(
        "aria-activedescendant", chosen.get_attribute("id") or "none"
    )
    title = chosen.locator(".palette-title").inner_text()
    page.keyboard.press("Enter")
    expect(heading(page, title)).to_be_visible()


def test_message_opens_at_its_passage(api: httpx.Client, page: Page) -> None:
    long = "The river is flat and quiet in the evening. " * 80
    answer = f"{long}\n\nThe *ferry* to Cacilhas leaves at five past seven.\n\n{long}"
    address = create(api, "Lisbon", *alternating("How do we cross?", answer, "Thanks.", long))
    page.goto("/")
    open_palette(page)
    field(page).fill("when does the ferry to Cacilhas leave")
    found = page.get_by_role("group", name="Messages").get_by_role("option")
    expect(found.first).to_contain_text("Lisbon, message 2")
    expect(found.first).to_have_attribute("aria-selected", "false")
    expect(found.first.locator("mark")).to_contain_text(["ferry", "Cacilhas"])
    found.first.click()
    expect(page).to_have_url(re.compile(f"{address}[?]"))
    expect(page.locator("mark.passage").filter(has_text="ferry")).to_be_in_viewport()


def test_word_finds_titles_and_pages(api: httpx.Client, page: Page) -> None:
    create(api, "Città di Roma")
    create(api, "Lisbon")
    page.goto("/")
    opener = page.get_by_role("searchbox", name="Filter conversations")
    opener.focus()
    open_palette(page)
    recent = page.get_by_role("group", name="Recent conversations")
    expect(recent.get_by_role("option")).to_have_count(2)
    field(page).fill("citta")
    expect(options(page)).to_contain_text(["Città di Roma"])
    field(page).fill("nothing like it anywhere")
    expect(page.get_by_text("No matching conversation.")).to_be_visible()
    expect(options(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()

    open_palette(page)
    field(page).fill("sett")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/settings$"))
    open_palette(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(heading(page, "Memories")).to_be_visible()


def test_palette_works_on_phone(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    create(api, "Lisbon " * 20)
    page = visit(server, key=key, viewport=PHONE).page
    page.goto("/")
    expect(sidebar(page).get_by_text("Ctrl K")).to_be_hidden()
    page.get_by_role("button", name="Go to a conversation").click()
    expect(options(page).first).to_be_visible()
    assert fits_width(page)
    options(page).filter(has_text="Lisbon").click()
    expect(page).to_have_url(re.compile("/c/"))
