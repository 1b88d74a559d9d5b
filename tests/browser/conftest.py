"""A real browser before the real server.

The server wants keys, so that each test can be a user of its own; signing in is a test of its own
too, and the others bring the cookie with them. Whatever a test does, the page must not complain on
the console, break its own content policy, or speak to anybody but its server.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from recollect.server.auth import COOKIE
from recollect.sync import Recollect
from tests.browser.install import MISSING, chromium_path
from tests.browser.model import TalkingModel
from tests.server.process import Server, running

StartVisit = Callable[..., "Visit"]

expect.set_options(timeout=15_000)  # a busy machine shows late what it shows

ARGUMENTS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Visit:
    """A page, and a note of everything that it should not do."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.expected_refusals: set[int] = set()
        self.expected_failures = False
        """Whether requests may fail altogether: the server is away, or the network is."""
        self._complaints: list[str] = []
        self._hosts: set[str] = set()
        self._server = urlsplit(server.url).netloc
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        context.on("request", lambda request: self._hosts.add(urlsplit(request.url).netloc))
        self.page = context.new_page()

    def check(self) -> None:
        assert self._hosts == {self._server}
        assert self._complaints == []

    def _hear(self, message: ConsoleMessage) -> None:
        refused = (
            f"with a status of {status} " in message.text for status in self.expected_refusals
        )
        is_expected = any(refused) or (self.expected_failures and "net::ERR_" in message.text)
        if message.type in ("error", "warning") and not is_expected:
            self._complaints.append(message.text)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        pytest.fail(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def model() -> Iterator[TalkingModel]:
    with TalkingModel() as model:
        yield model


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, model: TalkingModel) -> Iterator[Server]:
    url = f"sqlite:///{tmp_path_factory.mktemp('browser')}/recollect.db"
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
    with running(url, variables=talking_to(model)) as server:
        yield server


def talking_to(model: TalkingModel) -> dict[str, str]:
    """A server's settings with which the scripted model answers."""
    return {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "none",
        "RECOLLECT_CHAT_MODEL": "scripted",
    }


@pytest.fixture
def key(server: Server) -> str:
    """A new user's."""
    with Recollect.open(server.database_url) as memory:
        return memory.keys.create_key(user_id=f"user-{uuid4()}")


@pytest.fixture
def api(server: Server, key: str) -> Iterator[httpx.Client]:
    """What an application would do beside the page."""
    with server.client(key=key) as client:
        yield client


@pytest.fixture
def visit(browser: Browser) -> Iterator[StartVisit]:
    """Opens pages of a server; with a key they are signed in."""
    with ExitStack() as stack:

        def start(server: Server, *, key: str | None = None, **options: Any) -> Visit:
            """With options of a browser context: `viewport`, `color_scheme`, `locale`."""
            context = browser.new_context(base_url=server.url, **{"locale": "en-GB", **options})
            visit = Visit(context, server)
            stack.callback(visit.check)
            stack.callback(context.close)
            if key:
                context.add_cookies([{"name": COOKIE, "value": key, "url": server.url}])
            return visit

        yield start


@pytest.fixture
def signed_in(visit: StartVisit, server: Server, key: str) -> Visit:
    return visit(server, key=key)


@pytest.fixture
def page(signed_in: Visit) -> Page:
    """The web app, signed in as a new user."""
    return signed_in.page
