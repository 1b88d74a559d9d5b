"""What a reader sees of the web app, by the names that they would use for it."""

from collections.abc import Sequence

import httpx
from playwright.sync_api import Locator, Page

PHONE = {"width": 390, "height": 844}
SPOKEN = [
    {"role": "user", "content": "Where shall we go?"},
    {"role": "assistant", "content": "To Lisbon.", "thinking": "They like the sea."},
    {"role": "user", "content": "When?"},
    {
        "role": "assistant",
        "content": "In May.",
        "is_pinned": True,
        "tool_calls": [{"tool_name": "weather", "input": {"city": "Lisbon"}, "output": "mild"}],
    },
]

FIRST_SCRIPTS = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
"""How much script a page has asked for, compressed as it came."""


def create(api: httpx.Client, title: str | None, *messages: object, policy: str = "chunked") -> str:
    """The address of a new conversation's page."""
    body = {"title": title, "messages": messages, "policy": policy}
    created = api.post("/api/conversations", json=body)
    assert created.status_code == 201, created.text
    return f"/c/{created.json()['id']}"


def spoken(*said: str) -> Sequence[dict[str, str]]:
    """Questions and answers in turn."""
    roles = ("user", "assistant")
    return [{"role": roles[at % 2], "content": content} for at, content in enumerate(said)]


def sidebar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Conversations")


def items(page: Page) -> Locator:
    """The conversations in the sidebar."""
    return sidebar(page).locator(".conversation-list").get_by_role("listitem")


def message(page: Page, number: int, role: str) -> Locator:
    return page.get_by_role("article", name=f"Message {number}, {role}", exact=True)


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, level=1, exact=True)


def composer(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Your message")


def ask(page: Page, question: str) -> None:
    composer(page).fill(question)
    page.keyboard.press("Enter")


def choose(place: Locator, action: str) -> None:
    """From the menu that a place has. By key, which cannot miss a button that is just moving."""
    place.get_by_role("button", name="More", exact=True).press("Enter")
    place.page.get_by_role("menuitem", name=action, exact=True).press("Enter")


def fits(page: Page) -> bool:
    """Nothing sticks out to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
