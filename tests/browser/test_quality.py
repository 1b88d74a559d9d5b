"""Accessibility, small screens, keyboard, languages and themes of every screen."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import StartVisit
from tests.browser.model import ChatModel
from tests.browser.pages import (
    MESSAGES,
    PHONE,
    SCRIPT_BYTES,
    ask,
    composer,
    conversation_items,
    create,
    fits_width,
    message,
    sidebar,
)
from tests.server.process import Server

pytestmark = pytest.mark.xdist_group("browser")

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
SCREENS: dict[str, Callable[[str], str]] = {
    "home": lambda _: "/",
    "conversation": lambda address: address,
    "receipt": lambda address: f"{address}?panel=seen",
    "summary": lambda address: f"{address}?panel=summary",
    "analytics of a conversation": lambda address: f"{address}?panel=numbers",
    "memories": lambda _: "/memories",
    "analytics": lambda _: "/analytics",
    "settings": lambda _: "/settings",
}


@pytest.fixture
def sample_path(api: httpx.Client) -> str:
    """Create data for every screen; return the path of a conversation with an answer."""
    memory = {"memory_type": "preference", "content": "Prefers trams.", "category": "travel"}
    assert api.post("/api/memories", json=memory).status_code == 201
    address = create(api, "Lisbon", *MESSAGES, policy="rolling")
    question = {"message": "And the weather?", "conversation_id": address[3:]}
    assert api.post("/api/chat?stream=false", json=question).status_code == 200
    compacted = api.post(f"/api/conversations/{address[3:]}/compact", json={"force": True})
    assert compacted.status_code == 200
    return address


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        pytest.param(None, "light", id="wide-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(None, "dark", id="wide-dark", marks=pytest.mark.torture),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.torture),
    ],
)
def test_screens_are_accessible(
    visit: StartVisit, server: Server, key: str, sample_path: str, scheme: str, viewport: object
) -> None:
    page = visit(server, key=key, viewport=viewport, color_scheme=scheme).page
    for name, address in SCREENS.items():
        page.goto(address(sample_path))
        expect(page.get_by_role("main")).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)
        assert fits_width(page), f"{name} is wider than the screen"
        assert serious_violations(page) == [], name


def serious_violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text())
    result = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in result["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def test_phone_shows_list_or_conversation(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    create(api, "Lisbon " * 20, *MESSAGES)
    page = visit(server, key=key, viewport=PHONE).page
    page.goto("/")
    expect(sidebar(page)).to_be_visible()
    expect(composer(page)).to_be_visible()
    conversation_items(page).get_by_role("link").click()
    expect(message(page, 4, "assistant")).to_be_visible()
    expect(sidebar(page)).to_be_hidden()
    page.get_by_role("button", name="What the model saw").first.click()
    page.get_by_role("tab", name="Summary").click()
    expect(page.get_by_role("complementary")).to_contain_text("No summary yet")
    assert fits_width(page)
    page.get_by_role("button", name="Close panel").click()
    ask(page, "And in June?")
    expect(message(page, 6, "assistant")).to_contain_text("You said: And in June?")
    page.get_by_role("link", name="Back to conversations").click()
    expect(sidebar(page)).to_be_visible()
    expect(message(page, 4, "assistant")).to_be_hidden()


def test_keyboard_reaches_everything(page: Page, api: httpx.Client, model: ChatModel) -> None:
    create(api, "Rome", *MESSAGES)
    page.goto("/")
    expect(composer(page)).to_be_focused()
    page.keyboard.type("Hello.")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Again.")
    page.keyboard.press("Enter")
    expect(message(page, 2, "assistant")).to_contain_text("You said: Hello. Again.")
    expect(composer(page)).to_be_focused()

    walk(page, "Shift+Tab", "More")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Fork from here")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    walk(page, "Shift+Tab", "Good answer")
    page.keyboard.press("Space")
    expect(
        message(page, 2, "assistant").get_by_role("button", name="Good answer")
    ).to_have_attribute("aria-pressed", "true")

    page.keyboard.press("ControlOrMeta+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("Rome")
    expect(page.get_by_role("option", name=re.compile("Rome"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Rome", level=1)).to_be_visible()
    walk(page, "Shift+Tab", "Summary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Summary")).to_have_attribute("aria-selected", "true")


def test_focus_is_never_lost(page: Page, api: httpx.Client, model: ChatModel) -> None:
    page.goto(create(api, "Rome", *MESSAGES))
    answer = message(page, 4, "assistant")
    answer.get_by_role("button", name="Answer again", exact=True).press("Enter")
    expect(message(page, 5, "assistant")).to_be_visible()
    expect(composer(page)).to_be_focused()
    message(page, 3, "user").get_by_role("button", name="Edit and ask again").press("Enter")
    page.keyboard.press("Escape")
    expect(composer(page)).to_be_focused()
    page.get_by_role("button", name="Summary").press("Enter")
    page.get_by_role("button", name="Close panel").press("Enter")
    expect(composer(page)).to_be_focused()
    page.get_by_role("button", name="Attach a note").press("Enter")
    expect(page.get_by_label("Type of note")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Attach a note")).to_be_focused()


def walk(page: Page, key: str, to: str) -> None:
    """Press a key until the element with this label has the focus."""
    for _ in range(60):
        page.keyboard.press(key)
        label = page.evaluate(
            "(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()"
        )
        if label == to:
            return
    raise AssertionError(f"{to} was never reached")


def test_app_is_translated_to_italian(
    visit: StartVisit, server: Server, key: str, sample_path: str
) -> None:
    page = visit(server, key=key, locale="it-IT").page
    page.goto(sample_path)
    expect(page.get_by_role("link", name="Nuova conversazione")).to_be_visible()
    expect(page.get_by_role("article", name="Messaggio 1, utente")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "it"
    page.get_by_role("link", name="Impostazioni").click()
    page.get_by_role("radio", name="English").check()
    expect(page.get_by_role("link", name="New conversation")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="New conversation")).to_be_visible()


def test_theme_can_be_chosen(visit: StartVisit, server: Server, key: str) -> None:
    page = visit(server, key=key, color_scheme="dark").page
    page.goto("/settings")
    dark = background(page)
    page.get_by_role("radio", name="Light").check()
    light = background(page)
    assert light != dark
    page.reload()
    expect(page.get_by_role("radio", name="Light")).to_be_checked()
    assert background(page) == light


def test_first_page_is_small(page: Page) -> None:
    page.goto("/")
    expect(composer(page)).to_be_focused()
    page.wait_for_load_state("networkidle")
    assert 50_000 < page.evaluate(SCRIPT_BYTES) <= 350_000


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))
