"""The web app in a browser: finding a conversation, and reading it."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from recollect.sync import Recollect
from tests.browser.conftest import StartVisit, Visit
from tests.server.process import Server, running
from tests.server.shapes import UNKNOWN

pytestmark = pytest.mark.xdist_group("browser")

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


def create(api: httpx.Client, title: str | None, *messages: object) -> str:
    """The address of a new conversation's page."""
    body = {"title": title, "messages": messages}
    created = api.post("/api/conversations", json=body)
    assert created.status_code == 201
    return f"/c/{created.json()['id']}"


def sidebar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Conversations")


def items(page: Page) -> Locator:
    return sidebar(page).get_by_role("listitem")


def message(page: Page, number: int, role: str) -> Locator:
    return page.get_by_role("article", name=f"Message {number}, {role}", exact=True)


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, level=1, exact=True)


def test_conversations_are_listed_newest_first_and_open(api: httpx.Client, page: Page) -> None:
    create(api, "Lisbon", *SPOKEN)
    create(api, "Rome")
    create(api, None)
    page.goto("/")
    expect(items(page)).to_have_count(3)
    expect(items(page)).to_contain_text(["Untitled conversation", "Rome", "Lisbon"])
    expect(items(page).nth(2)).to_contain_text("4 messages")

    link = items(page).nth(2).get_by_role("link")
    expect(link).not_to_have_attribute("aria-current", "page")
    link.click()
    expect(heading(page, "Lisbon")).to_be_visible()
    expect(link).to_have_attribute("aria-current", "page")
    expect(page).to_have_title(re.compile("^Lisbon"))
    expect(message(page, 1, "user")).to_contain_text("Where shall we go?")
    expect(message(page, 4, "assistant")).to_contain_text("In May.")
    expect(message(page, 4, "assistant")).to_contain_text("Pinned")
    expect(page.get_by_role("region", name="Messages").get_by_role("article")).to_have_count(4)
    for turn, spoken in [(1, 2), (2, 2)]:
        region = page.get_by_role("region", name=f"Turn {turn}", exact=True)
        expect(region.get_by_role("article")).to_have_count(spoken)


def test_thoughts_and_tool_calls_are_folded(api: httpx.Client, page: Page) -> None:
    page.goto(create(api, "Lisbon", *SPOKEN))
    thought = message(page, 2, "assistant").get_by_text("They like the sea.")
    expect(thought).to_be_hidden()
    message(page, 2, "assistant").get_by_text("Thinking").click()
    expect(thought).to_be_visible()
    message(page, 4, "assistant").get_by_text("Tool call: weather").click()
    expect(message(page, 4, "assistant").get_by_text('"city": "Lisbon"')).to_be_visible()


def test_a_conversation_has_an_address(api: httpx.Client, page: Page) -> None:
    lisbon, rome = create(api, "Lisbon", *SPOKEN), create(api, "Rome", *SPOKEN)
    page.goto(lisbon)
    expect(heading(page, "Lisbon")).to_be_visible()
    page.reload()
    expect(heading(page, "Lisbon")).to_be_visible()
    expect(message(page, 4, "assistant")).to_be_visible()

    sidebar(page).get_by_role("link", name="Rome").click()
    expect(page).to_have_url(re.compile(f"{rome}$"))
    expect(heading(page, "Rome")).to_be_visible()
    page.go_back()
    expect(heading(page, "Lisbon")).to_be_visible()
    page.go_forward()
    expect(heading(page, "Rome")).to_be_visible()


def test_a_long_conversation_opens_at_its_end(api: httpx.Client, page: Page) -> None:
    spoken = [{"role": "user", "content": f"Number {number}."} for number in range(1, 121)]
    page.goto(create(api, "Long", *spoken))
    expect(message(page, 120, "user")).to_be_in_viewport()
    older = page.get_by_role("button", name="Load older messages")
    for reached, hidden in [(71, 70), (21, 20)]:
        expect(message(page, reached, "user")).to_be_attached()
        expect(message(page, hidden, "user")).not_to_be_attached()
        older.click()
        expect(message(page, hidden, "user")).to_be_attached()
        expect(message(page, reached, "user")).to_be_in_viewport()
    expect(message(page, 1, "user")).to_have_count(1)
    expect(page.get_by_role("article")).to_have_count(120)
    expect(older).to_have_count(0)


def test_a_long_list_goes_on(api: httpx.Client, page: Page) -> None:
    for number in range(35):
        create(api, f"Conversation {number}")
    page.goto("/")
    expect(items(page)).to_have_count(30)
    page.get_by_role("button", name="Load more conversations").click()
    expect(items(page)).to_have_count(35)
    expect(items(page).last).to_contain_text("Conversation 0")
    expect(page.get_by_role("button", name="Load more conversations")).to_have_count(0)


def test_the_list_can_be_filtered(api: httpx.Client, page: Page) -> None:
    for title in ("Città di Roma", "Lisbon", "100 %"):
        create(api, title)
    page.goto("/")
    expect(items(page)).to_have_count(3)
    box = page.get_by_role("searchbox", name="Filter conversations")
    for text, found in [("citta", "Città di Roma"), ("%", "100 %"), ("LIS", "Lisbon")]:
        box.fill(text)
        expect(items(page)).to_have_count(1)
        expect(items(page)).to_contain_text(found)
    box.fill("nothing like it")
    expect(sidebar(page).get_by_role("status")).to_contain_text("nothing like it")
    box.clear()
    expect(items(page)).to_have_count(3)


def test_a_new_conversation_is_opened(api: httpx.Client, page: Page) -> None:
    page.goto("/")
    expect(heading(page, "Nothing to remember yet")).to_be_visible()
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("heading", name="No messages yet")).to_be_visible()
    expect(items(page)).to_have_count(1)
    expect(items(page).get_by_role("link")).to_have_attribute("aria-current", "page")
    (created,) = api.get("/api/conversations").json()["items"]
    expect(page).to_have_url(re.compile(f"/c/{created['id']}$"))


def test_what_was_said_meanwhile_is_shown_on_return(api: httpx.Client, page: Page) -> None:
    address = create(api, "Lisbon", *SPOKEN[:1])
    page.goto(address)
    expect(message(page, 1, "user")).to_be_visible()
    said = api.post(f"/api/conversations/{address[3:]}/messages", json={"messages": SPOKEN[1:]})
    assert said.status_code == 201
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(message(page, 4, "assistant")).to_be_visible()
    expect(items(page).first).to_contain_text("4 messages")


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%3Cscript%3E"])
def test_an_unknown_conversation_is_said_to_be_so(signed_in: Visit, id: str) -> None:
    signed_in.expected_refusals.add(404)
    signed_in.page.goto(f"/c/{id}")
    expect(heading(signed_in.page, "Conversation not found")).to_be_visible()
    signed_in.page.get_by_role("link", name="Show all conversations").click()
    expect(heading(signed_in.page, "Nothing to remember yet")).to_be_visible()


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>window.broken = 1</script>",
        "<img src=x onerror='window.broken = 1'>",
        "</p><svg onload='window.broken = 1'>",
        "<a href='javascript:window.broken = 1'>click</a> &lt;b&gt; &amp;",
        '"><iframe srcdoc="<script>parent.broken = 1</script>">',
    ],
)
def test_what_was_said_is_shown_and_never_run(api: httpx.Client, page: Page, hostile: str) -> None:
    call = {"tool_name": hostile, "input": {hostile: hostile}, "output": hostile}
    spoken = {"role": "user", "content": hostile, "thinking": hostile, "tool_calls": [call]}
    page.goto(create(api, hostile, spoken))
    expect(heading(page, hostile)).to_be_visible()
    expect(items(page)).to_contain_text(hostile)
    expect(message(page, 1, "user").locator("p.text", has_text=hostile).last).to_be_visible()
    for folded in message(page, 1, "user").locator("summary").all():
        folded.click()
    expect(message(page, 1, "user").locator("pre")).to_be_visible()
    assert page.evaluate("window.broken === undefined")
    assert page.locator("#root :is(script, iframe, img[onerror], a[href^=javascript])").count() == 0


def test_long_words_and_line_breaks_keep_their_shape(api: httpx.Client, page: Page) -> None:
    page.goto(create(api, "x" * 255, {"role": "user", "content": f"a\n\n  b\n{'y' * 3_000}"}))
    text = message(page, 1, "user").locator("p.text")
    expect(text).to_be_visible()
    assert text.inner_text().startswith("a\n\n  b\n")
    assert fits(page)


def test_signing_in_and_out(visit: StartVisit, server: Server, key: str, api: httpx.Client) -> None:
    address = create(api, "Lisbon", *SPOKEN)
    visitor = visit(server)
    visitor.expected_refusals.add(401)
    page = visitor.page
    page.goto(address)
    form = page.get_by_role("form", name="Sign in to Recollect")
    expect(form).to_be_visible()
    expect(page.get_by_text("Lisbon")).to_have_count(0)

    page.get_by_label("API key").fill("rk_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(form.get_by_role("alert")).to_contain_text("unknown or revoked")

    page.get_by_label("API key").fill(f" {key} ")
    page.keyboard.press("Enter")
    expect(heading(page, "Lisbon")).to_be_visible()
    assert key not in page.content()
    assert key not in page.evaluate("document.cookie + JSON.stringify({...localStorage})")
    page.reload()
    expect(heading(page, "Lisbon")).to_be_visible()

    page.get_by_role("button", name="Sign out").click()
    expect(form).to_be_visible()
    page.reload()
    expect(form).to_be_visible()


def test_a_revoked_key_leads_back_to_the_sign_in(
    signed_in: Visit, server: Server, key: str, api: httpx.Client
) -> None:
    create(api, "Lisbon")
    signed_in.expected_refusals.add(401)
    page = signed_in.page
    page.goto("/")
    expect(items(page)).to_have_count(1)
    with Recollect.open(server.database_url) as memory:
        for known in memory.keys.list_keys():
            if key.startswith(known.prefix):
                memory.keys.revoke_key(known.id)
    items(page).get_by_role("link").click()
    expect(page.get_by_role("form", name="Sign in to Recollect")).to_be_visible()


def test_without_keys_there_is_nobody_to_sign_out(visit: StartVisit, tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/recollect.db") as local:
        page = visit(local).page
        page.goto("/")
        expect(heading(page, "Nothing to remember yet")).to_be_visible()
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        command = page.get_by_label("Command").inner_text()
        assert local.url in command
        with local.client() as api:
            create(api, "Lisbon", *SPOKEN)
        page.reload()
        items(page).get_by_role("link").click()
        expect(heading(page, "Lisbon")).to_be_visible()


def test_a_phone_shows_one_thing_at_a_time(
    visit: StartVisit, server: Server, key: str, api: httpx.Client
) -> None:
    create(api, "Lisbon " * 20, *SPOKEN)
    page = visit(server, key=key, viewport=PHONE).page
    page.goto("/")
    expect(sidebar(page)).to_be_visible()
    assert fits(page)
    items(page).get_by_role("link").click()
    expect(message(page, 4, "assistant")).to_be_visible()
    expect(sidebar(page)).to_be_hidden()
    assert fits(page)
    page.get_by_role("link", name="Back to conversations").click()
    expect(sidebar(page)).to_be_visible()
    expect(message(page, 4, "assistant")).to_be_hidden()


def test_the_keyboard_is_enough(api: httpx.Client, page: Page) -> None:
    create(api, "Lisbon", *SPOKEN)
    page.goto("/")
    link = items(page).get_by_role("link")
    link.focus()
    page.keyboard.press("Enter")
    expect(heading(page, "Lisbon")).to_be_visible()
    page.get_by_role("region", name="Messages").focus()
    expect(page.get_by_role("region", name="Messages")).to_be_focused()


def fits(page: Page) -> bool:
    """Nothing sticks out to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
