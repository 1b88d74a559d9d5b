"""The palette: a few words, or a sentence, and the page goes there or asks which one is meant."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import StartVisit
from tests.browser.pages import PHONE, create, fits, heading, sidebar, spoken
from tests.server.process import Server

pytestmark = pytest.mark.xdist_group("browser")


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Which conversation, or where to?")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option")


def open_palette(page: Page) -> None:
    """Once the page is at rest: before that it may not hear keys yet."""
    expect(sidebar(page)).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()


def test_a_sentence_goes_to_the_conversation_it_is_about(api: httpx.Client, page: Page) -> None:
    lisbon = create(api, "Viaggio a Lisbona", *spoken("Quando partiamo?", "A maggio."))
    create(api, "Bread", *spoken("Why does it not rise?", "The oven is cold."))
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
    clear = page.get_by_role("group", name="This one").get_by_role("option")
    expect(clear).to_have_count(1)
    expect(clear).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(heading(page, "Bread")).to_be_visible()


def test_a_wrong_match_is_no_dead_end(api: httpx.Client, page: Page) -> None:
    create(api, "Lisbon", *spoken("When do we go?", "In May."))
    create(api, "Trams", *spoken("Are the trams in Lisbon full?", "They often are."))
    page.goto("/")
    open_palette(page)
    field(page).fill("back to the one called Lisbon")
    clear = page.get_by_role("group", name="This one").get_by_role("option")
    expect(clear).to_have_attribute("aria-selected", "true")
    expect(clear).to_contain_text("Lisbon")
    other = page.get_by_role("group", name="Or one of these").get_by_role("option")
    expect(other).to_contain_text("Are the trams in Lisbon full?")
    page.keyboard.press("ArrowDown")
    expect(other).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(heading(page, "Trams")).to_be_visible()


def test_where_several_may_be_meant_the_reader_chooses(api: httpx.Client, page: Page) -> None:
    create(api, "Trip one", *spoken("The tram in Lisbon was full.", "It often is."))
    create(api, "Trip two", *spoken("The tram in Lisbon was late.", "It often is."))
    page.goto("/")
    open_palette(page)
    field(page).fill("let us go back to the one about the tram in Lisbon")
    page.keyboard.press("Enter")
    asked = page.get_by_role("group", name="Which one do you mean?").get_by_role("option")
    expect(asked).to_have_count(2)
    expect(asked.filter(has_text="was full")).to_contain_text("Trip one")
    for one in asked.all():
        expect(one).to_have_attribute("aria-selected", "false")
    page.keyboard.press("Enter")
    expect(asked).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = asked.nth(1)
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(field(page)).to_have_attribute(
        "aria-activedescendant", chosen.get_attribute("id") or "none"
    )
    title = chosen.locator(".palette-title").inner_text()
    page.keyboard.press("Enter")
    expect(heading(page, title)).to_be_visible()


def test_a_word_finds_titles_and_pages(api: httpx.Client, page: Page) -> None:
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
    expect(page.get_by_text("No conversation is about that.")).to_be_visible()
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


def test_a_phone_has_a_palette_too(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    create(api, "Lisbon " * 20)
    page = visit(server, key=key, viewport=PHONE).page
    page.goto("/")
    expect(sidebar(page).get_by_text("Ctrl K")).to_be_hidden()
    page.get_by_role("button", name=re.compile("Go to|Switch")).click()
    expect(options(page).first).to_be_visible()
    assert fits(page)
    options(page).filter(has_text="Lisbon").click()
    expect(page).to_have_url(re.compile("/c/"))
