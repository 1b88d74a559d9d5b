"""python -m tests.browser.screenshots FOLDER: take screenshots of every screen of the web app.

In light and dark, on a wide screen and a phone, with the sample conversation and an answer of the
local model. `--readme` takes only the ones in the README.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.install import chromium_path
from tests.browser.pages import PHONE, ask, heading, message
from tests.server.process import Server, running

WIDE = {"width": 1280, "height": 800}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    "light": {"viewport": WIDE, "color_scheme": "light"},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "has_touch": True, "is_mobile": True},
    "phone-dark": {"viewport": PHONE, "color_scheme": "dark", "has_touch": True, "is_mobile": True},
}
SCREENS = {
    "home": "/",
    "chat": "{conversation}",
    "seen": "{conversation}?panel=seen",
    "summary": "{conversation}?panel=summary",
    "numbers": "{conversation}?panel=numbers",
    "memories": "/memories",
    "analytics": "/analytics",
    "settings": "/settings",
}
README = {
    "seen": ("light", "seen"),
    "memories": ("light", "memories"),
    "phone": ("phone-dark", "seen"),
}
QUESTION = "What is my booking reference, and what is my budget?"
AUTOMATIC = {"RECOLLECT_EXTRACTION": "automatic", "RECOLLECT_EMBEDDER": "minilm"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--readme", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    screenshots = README if arguments.readme else _all_screenshots()
    with _sample_server() as (browser, server, conversation):
        for name, (look, screen) in screenshots.items():
            path = SCREENS[screen].format(conversation=conversation)
            _screenshot(browser, server.url + path, LOOKS[look], arguments.folder / f"{name}.png")


def _all_screenshots() -> dict[str, tuple[str, str]]:
    return {f"{screen}-{look}": (look, screen) for screen in SCREENS for look in LOOKS}


@contextmanager
def _sample_server() -> Iterator[tuple[Browser, Server, str]]:
    """Start a server with the sample conversation; yields its path too."""
    with (
        TemporaryDirectory() as folder,
        running(f"sqlite:///{folder}/recollect.db", variables=AUTOMATIC) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        page = browser.new_page(base_url=server.url, locale="en-GB")
        page.goto("/")
        page.get_by_role("button", name="Try a sample conversation").click()
        expect(heading(page, "A week in Lisbon")).to_be_visible()
        expect(page.get_by_role("complementary")).to_contain_text("CDM-4471-XK", timeout=30_000)
        ask(page, QUESTION)
        expect(message(page, 28, "assistant")).to_have_attribute(
            "aria-busy", "false", timeout=60_000
        )
        yield browser, server, page.url.removeprefix(server.url).partition("?")[0]
        browser.close()


def _screenshot(browser: Browser, url: str, look: Mapping[str, Any], file: Path) -> None:
    page: Page = browser.new_page(locale="en-GB", **look)
    page.goto(url)
    page.wait_for_load_state("networkidle")
    expect(page.locator(".loading")).to_have_count(0)
    page.screenshot(path=file, animations="disabled")
    page.close()


if __name__ == "__main__":
    main()
