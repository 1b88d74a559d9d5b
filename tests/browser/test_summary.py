"""The summary panel: read, edit, compare, restore and rebuild."""

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.pages import alternating, ask, create, message

pytestmark = pytest.mark.xdist_group("browser")

TURNS = alternating(
    "We want to spend a week in Lisbon.",
    "Belém is quiet, and the trams stop at the door.",
    "We booked the flat, the reference is LX-48213.",
    "Good: then only the train is missing.",
    *["And then?", "Then you rest."] * 4,
)


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Summary")


def text_box(page: Page) -> Locator:
    return panel(page).get_by_role("textbox", name="Summary text")


def edit(page: Page, text: str) -> None:
    panel(page).get_by_role("button", name="Edit", exact=True).click()
    expect(text_box(page)).to_be_focused()
    text_box(page).fill(text)


def save(page: Page) -> None:
    panel(page).get_by_role("button", name="Save").click()


def confirm(page: Page, action: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=action).click()


def test_summary_can_be_created_edited_and_restored(page: Page, api: httpx.Client) -> None:
    page.goto(f"{create(api, 'Lisbon', *TURNS, policy='tiered')}?panel=summary")
    expect(panel(page)).to_contain_text("It is created automatically after about 20 messages")
    panel(page).get_by_role("button", name="Summarize now").click()
    summary = panel(page).get_by_role("region", name="Summary")
    expect(summary).to_contain_text("Covers messages 1–4")  # noqa: RUF001
    expect(summary).to_contain_text("Quoted sentences · Version 1")
    expect(page.get_by_role("status").get_by_text("4 messages summarized.")).to_be_visible()

    values = panel(page).get_by_role("region", name="Exact values")
    expect(values.get_by_role("listitem").filter(has_text="LX-48213")).to_contain_text("message 3")
    values.get_by_role("link", name="message 3").first.click()
    expect(message(page, 3, "user")).to_be_in_viewport()

    edit(page, "They booked a flat in Alfama.")
    save(page)
    expect(summary).to_contain_text("They booked a flat in Alfama.")
    expect(summary).to_contain_text("Edited by you · Version 2")
    expect(panel(page).get_by_role("button", name="Edit", exact=True)).to_be_focused()

    versions = panel(page).get_by_role("region", name="Versions")
    expect(versions.get_by_role("button", name="Version 2")).to_contain_text("Current")
    versions.get_by_role("button", name="Version 2").click()
    expect(versions.get_by_role("insertion").filter(has_text="Alfama")).to_be_visible()
    expect(versions.get_by_role("deletion").first).to_be_visible()
    versions.get_by_role("button", name="Version 1").click()
    versions.get_by_role("button", name="Restore this version").click()
    confirm(page, "Restore this version")
    expect(summary).to_contain_text("Quoted sentences · Version 3")
    expect(summary).not_to_contain_text("Alfama")
    expect(versions.get_by_role("button", name="Version 3")).to_contain_text("Current")

    panel(page).get_by_role("button", name="Summary actions").click()
    page.get_by_role("menuitem", name="Rebuild from the messages").click()
    confirm(page, "Rebuild from the messages")
    expect(page.get_by_role("status").get_by_text("Rebuilt as version 4.")).to_be_visible()
    expect(summary).to_contain_text("Version 4")

    ask(page, "And now?")
    expect(message(page, 14, "assistant")).to_contain_text("And now?")
    page.get_by_role("tab", name="What the model saw").click()
    seen = page.get_by_role("tabpanel", name="What the model saw")
    expect(seen).to_contain_text("with a summary instead of older messages")
    expect(seen).to_contain_text("nothing is saved yet")


def test_edit_conflict_is_shown(signed_in: Visit, api: httpx.Client) -> None:
    page = signed_in.page
    address = create(api, "Lisbon", *TURNS, policy="tiered")
    path = f"/api/conversations{address[2:]}/summary"

    def edit_elsewhere(text: str, version: int) -> None:
        assert api.put(path, json={"text": text, "version": version}).status_code == 200

    edit_elsewhere("They go to Lisbon by train.", 0)
    signed_in.expected_statuses = {409}
    page.goto(f"{address}?panel=summary")
    edit(page, "They go to Lisbon by bus.")
    edit_elsewhere("They go to Porto by train.", 1)
    save(page)
    dialog = page.get_by_role("dialog", name="The summary was changed")
    theirs = dialog.get_by_role("region", name="Other version: 2")
    expect(theirs.get_by_role("deletion")).to_contain_text(["Porto", "train"])
    mine = dialog.get_by_role("region", name="Your version")
    expect(mine.get_by_role("insertion")).to_contain_text(["Lisbon", "bus"])

    dialog.get_by_role("button", name="Keep editing").click()
    expect(text_box(page)).to_be_focused()
    expect(text_box(page)).to_have_value("They go to Lisbon by bus.")
    edit_elsewhere("They go to Faro.", 2)
    save(page)
    dialog.get_by_role("button", name="Overwrite with mine").click()
    expect(panel(page)).to_contain_text("Edited by you · Version 4")
    assert api.get(path).json()["text"] == "They go to Lisbon by bus."

    edit(page, "They stay at home.")
    page.get_by_role("tab", name="What the model saw").click()
    page.get_by_role("tab", name="Summary").click()
    expect(text_box(page)).to_have_value("They stay at home.")
    edit_elsewhere("They go to Faro after all.", 4)
    save(page)
    dialog.get_by_role("button", name="Use the other version").click()
    expect(panel(page)).to_contain_text("They go to Faro after all.")
    expect(text_box(page)).to_be_hidden()


def test_policy_without_summary_is_explained(page: Page, api: httpx.Client) -> None:
    page.goto(f"{create(api, 'Lisbon', *TURNS[:4], policy='ephemeral')}?panel=summary")
    expect(panel(page)).to_contain_text("This conversation’s policy never creates a summary")  # noqa: RUF001
    expect(panel(page).get_by_role("button", name="Summarize now")).to_be_hidden()
