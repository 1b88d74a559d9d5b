"""Helpers to find and use elements of the web app."""

from collections.abc import Sequence

import httpx
from playwright.sync_api import Locator, Page

PHONE = {"width": 390, "height": 844}
MESSAGES = [
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

SCRIPT_BYTES = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
"""JavaScript expression: compressed size of the loaded scripts."""


def create(api: httpx.Client, title: str | None, *messages: object, policy: str = "chunked") -> str:
    """Create a conversation and return the path of its page."""
    body = {"title": title, "messages": messages, "policy": policy}
    created = api.post("/api/conversations", json=body)
    assert created.status_code == 201, created.text
    return f"/c/{created.json()['id']}"


def alternating(*contents: str) -> Sequence[dict[str, str]]:
    """Return messages of the user and the assistant in turn."""
    roles = ("user", "assistant")
    return [{"role": roles[i % 2], "content": content} for i, content in enumerate(contents)]


def sidebar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Conversations")


def conversation_items(page: Page) -> Locator:
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


def choose(parent: Locator, action: str) -> None:
    """Select an action in a menu, by keyboard, because the button may be moving."""
    parent.get_by_role("button", name="More", exact=True).press("Enter")
    parent.page.get_by_role("menuitem", name=action, exact=True).press("Enter")


def fits_width(page: Page) -> bool:
    """Return whether the page does not scroll horizontally."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
