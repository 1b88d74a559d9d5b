"""Fixtures: a real browser and a real server.

Each test has its own user and is signed in by cookie. Every test fails if the page logs errors on
the console, violates its content security policy, or sends requests to another host.
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
from tests.browser.model import ChatModel
from tests.server.process import Server, running

StartVisit = Callable[..., "Visit"]

expect.set_options(timeout=15_000)  # for slow machines

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
    """A page that records console errors and requests to other hosts."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.expected_statuses: set[int] = set()
        self.expects_network_errors = False
        self._errors: list[str] = []
        self._hosts: set[str] = set()
        self._server = urlsplit(server.url).netloc
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self._errors.append(str(error.error)))
        context.on("request", lambda request: self._hosts.add(urlsplit(request.url).netloc))
        self.page = context.new_page()

    def check(self) -> None:
        assert self._hosts == {self._server}
        assert self._errors == []

    def _on_console(self, message: ConsoleMessage) -> None:
        matches = (
            f"with a status of {status} " in message.text for status in self.expected_statuses
        )
        is_expected = any(matches) or (self.expects_network_errors and "net::ERR_" in message.text)
        if message.type in ("error", "warning") and not is_expected:
            self._errors.append(message.text)


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
def model() -> Iterator[ChatModel]:
    with ChatModel() as model:
        yield model


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, model: ChatModel) -> Iterator[Server]:
    url = f"sqlite:///{tmp_path_factory.mktemp('browser')}/recollect.db"
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
    with running(url, variables=model_settings(model)) as server:
        yield server


def model_settings(model: ChatModel) -> dict[str, str]:
    """Settings of a server that uses the scripted model."""
    return {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "none",
        "RECOLLECT_CHAT_MODEL": "scripted",
    }


@pytest.fixture
def key(server: Server) -> str:
    """The key of a new user."""
    with Recollect.open(server.database_url) as memory:
        return memory.keys.create_key(user_id=f"user-{uuid4()}")


@pytest.fixture
def api(server: Server, key: str) -> Iterator[httpx.Client]:
    """An HTTP client of the same user."""
    with server.client(key=key) as client:
        yield client


@pytest.fixture
def visit(browser: Browser) -> Iterator[StartVisit]:
    """Open a page of a server, signed in if a key is given."""
    with ExitStack() as stack:

        def start(server: Server, *, key: str | None = None, **options: Any) -> Visit:
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
