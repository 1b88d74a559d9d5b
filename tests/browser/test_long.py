"""A conversation with ten thousand messages."""

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import alternating, create, message

pytestmark = pytest.mark.xdist_group("browser")

MANY = 10_000
PAGE = 500
SHOWN = "...[...document.querySelectorAll('[data-message]')].map(e => +e.dataset.message)"


@pytest.fixture
def long_conversation(api: httpx.Client) -> str:
    address = create(api, "Long")
    for first in range(1, MANY, PAGE):
        messages = [
            {
                "role": "user" if number % 2 else "assistant",
                "content": f"Number {number}. " + "On and on. " * (number % 40),
            }
            for number in range(first, first + PAGE)
        ]
        sent = api.post(f"/api/conversations/{address[3:]}/messages", json={"messages": messages})
        assert sent.status_code == 201, sent.text
    return address


def test_only_visible_messages_are_rendered(long_conversation: str, page: Page) -> None:
    page.goto(long_conversation)
    expect(message(page, MANY, "assistant")).to_be_in_viewport()
    expect(page.get_by_text("10,000 messages").first).to_be_visible()

    # Scroll up through several pages.
    region = page.get_by_role("region", name="Messages")
    region.hover()
    while min(shown(page)) > MANY - 150:
        page.mouse.wheel(0, -2_000)
    numbers = shown(page)
    assert len(numbers) < 60
    assert numbers == list(range(min(numbers), max(numbers) + 1))
    page.get_by_role("button", name="Jump to latest").click()
    expect(message(page, MANY, "assistant")).to_be_in_viewport()

    # The edited message keeps its text while it is out of view.
    last = message(page, MANY - 1, "user")
    last.hover()
    last.get_by_role("button", name="Edit and ask again").click()
    page.get_by_role("textbox", name="Edit and ask again").fill("Half a thou")
    region.hover()
    page.mouse.wheel(0, -8_000)
    page.wait_for_function(f"limit => Math.min({SHOWN}) < limit", arg=MANY - 20)
    page.get_by_role("button", name="Jump to latest").click()
    expect(page.get_by_role("textbox", name="Edit and ask again")).to_have_value("Half a thou")

    # Jump into the middle by URL.
    page.goto(f"{long_conversation}?m=4321")
    expect(message(page, 4_321, "user")).to_be_in_viewport()
    region.hover()
    while min(shown(page)) <= 4_340:  # beyond the first loaded page
        page.mouse.wheel(0, 500)
    page.goto(f"{long_conversation}?m=1")
    expect(message(page, 1, "user")).to_be_in_viewport()
    assert len(shown(page)) < 60
    page.get_by_role("button", name="Jump to latest").click()
    expect(message(page, MANY, "assistant")).to_be_in_viewport()


def test_early_question_can_be_edited(api: httpx.Client, page: Page) -> None:
    """The messages after it are hidden, the ones before it stay."""
    messages = alternating(*(f"Number {number}." for number in range(1, 501)))
    address = create(api, "Long", *messages)
    page.goto(f"{address}?m=101")
    question = message(page, 101, "user")
    question.hover()
    question.get_by_role("button", name="Edit and ask again").click()
    page.get_by_role("textbox", name="Edit and ask again").fill("And if it rains?")
    page.keyboard.press("Control+Enter")
    for _ in range(2):
        expect(message(page, 502, "assistant")).to_contain_text("You said: And if it rains?")
        expect(message(page, 501, "user")).to_be_in_viewport()
        expect(message(page, 100, "assistant")).to_be_attached()
        expect(message(page, 102, "assistant")).to_have_count(0)
        page.goto(address)


def shown(page: Page) -> list[int]:
    """Return the sequence numbers of the rendered messages."""
    return sorted(page.evaluate(f"[{SHOWN}]"))
