"""Message content is displayed and never executed."""

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import conversation_items, create, fits_width, heading, message

pytestmark = pytest.mark.xdist_group("browser")

HOSTILE = [
    "<script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 1'>",
    "</p><svg onload='window.broken = 1'>",
    "<a href='javascript:window.broken = 1'>click</a> &lt;b&gt; &amp;",
    '"><iframe srcdoc="<script>parent.broken = 1</script>">',
]
MARKED = """
[one](javascript:window.broken=1) [two](JaVaScRiPt:window.broken=1)
[three](data:text/html,<script>window.broken=1</script>) [four](vbscript:msgbox)
<javascript:window.broken=1> [five][x] [six](https://elsewhere.example/six)

![a picture](https://elsewhere.example/tracker.png) ![](javascript:window.broken=1)

[x]: javascript:window.broken=1

<script>window.broken = 1</script>
<iframe src="https://elsewhere.example"></iframe>
<style>body { display: none }</style>
"""


def test_message_content_is_never_executed(api: httpx.Client, page: Page) -> None:
    for hostile in HOSTILE:
        call = {"tool_name": hostile, "input": {hostile: hostile}, "output": hostile}
        message_in = {"role": "user", "content": hostile, "thinking": hostile, "tool_calls": [call]}
        page.goto(create(api, hostile, message_in, {**message_in, "role": "assistant"}))
        expect(heading(page, hostile)).to_be_visible()
        expect(conversation_items(page).first).to_contain_text(hostile)
        expect(message(page, 1, "user").locator("p.text", has_text=hostile).last).to_be_visible()
        for summary in page.locator("article summary").all():
            summary.click()
        expect(page.locator("article pre").first).to_be_visible()
        assert_harmless(page)


def test_markdown_loads_no_code_or_images(api: httpx.Client, page: Page) -> None:
    # The fixture fails the test if the page sends a request to another host.
    page.goto(create(api, "Markdown", {"role": "assistant", "content": MARKED}))
    answer = message(page, 1, "assistant")
    expect(answer.get_by_role("link", name="six")).to_have_attribute(
        "rel", "noopener noreferrer nofollow"
    )
    expect(answer.get_by_text("Image: a picture")).to_be_visible()
    assert answer.locator("img").count() == 0
    links = [link.get_attribute("href") for link in answer.locator("a").all()]
    assert links == ["https://elsewhere.example/six", "https://elsewhere.example/tracker.png"]
    for text in ("one", "two", "three", "four", "five"):
        answer.get_by_text(text, exact=True).click()
    assert_harmless(page)
    expect(page.locator("body")).to_be_visible()


def test_long_words_and_line_breaks_fit(api: httpx.Client, page: Page) -> None:
    page.goto(create(api, "x" * 255, {"role": "user", "content": f"a\n\n  b\n{'y' * 3_000}"}))
    text = message(page, 1, "user").locator("p.text")
    expect(text).to_be_visible()
    assert text.inner_text().startswith("a\n\n  b\n")
    assert fits_width(page)


def assert_harmless(page: Page) -> None:
    assert page.evaluate("window.broken === undefined")
    foreign = page.locator("#root :is(script, iframe, style, img[onerror], a[href^=javascript i])")
    assert foreign.count() == 0
