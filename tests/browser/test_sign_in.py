"""Signing in and out, and local mode."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from recollect.sync import Recollect
from tests.browser.conftest import StartVisit, Visit
from tests.browser.pages import (
    MESSAGES,
    ask,
    composer,
    conversation_items,
    create,
    heading,
    message,
)
from tests.server.process import Server, running

pytestmark = pytest.mark.xdist_group("browser")


def test_sign_in_and_out(visit: StartVisit, server: Server, key: str, api: httpx.Client) -> None:
    address = create(api, "Lisbon", *MESSAGES)
    visitor = visit(server)
    visitor.expected_statuses.add(401)
    page = visitor.page
    page.goto(address)
    form = page.get_by_role("form", name="Sign in to Recollect")
    expect(form).to_be_visible()
    expect(page.get_by_text("Lisbon")).to_have_count(0)

    page.get_by_label("API key").fill("rk_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(form.get_by_role("alert")).to_contain_text("unknown, revoked or expired")

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


def test_sign_out_clears_user_data(
    signed_in: Visit, server: Server, key: str, api: httpx.Client
) -> None:
    """Drafts are removed and pending deletions are sent."""
    create(api, "Lisbon", *MESSAGES)
    rome = create(api, "Rome", *MESSAGES)
    signed_in.expected_statuses.add(401)
    page = signed_in.page
    page.goto(rome)
    composer(page).fill("Dear diary")
    page.get_by_role("button", name="More", exact=True).first.click()
    page.get_by_role("menuitem", name="Delete conversation").click()
    expect(conversation_items(page)).to_have_count(1)
    assert "Dear diary" in page.evaluate("JSON.stringify({...localStorage})")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("form", name="Sign in to Recollect")).to_be_visible()
    assert api.get(f"/api/conversations/{rome[3:]}").status_code == 404
    stored = page.evaluate("JSON.stringify({...localStorage})")
    assert "Dear diary" not in stored
    assert api.get("/api/me").json()["user_id"] not in stored


def test_revoked_key_returns_to_sign_in(
    signed_in: Visit, server: Server, key: str, api: httpx.Client
) -> None:
    create(api, "Lisbon")
    signed_in.expected_statuses.add(401)
    page = signed_in.page
    page.goto("/")
    expect(conversation_items(page)).to_have_count(1)
    with Recollect.open(server.database_url) as memory:
        for api_key in memory.keys.list_keys():
            if key.startswith(api_key.prefix):
                memory.keys.revoke_key(key_id=api_key.id)
    conversation_items(page).get_by_role("link").click()
    expect(page.get_by_role("form", name="Sign in to Recollect")).to_be_visible()


def test_first_run_offers_sample_conversation(visit: StartVisit, tmp_path: Path) -> None:
    """In local mode, with the local model, like `make serve`."""
    with running(f"sqlite:///{tmp_path}/recollect.db") as local:
        page = visit(local).page
        page.goto("/")
        expect(heading(page, "Conversations with a memory you can see")).to_be_visible()
        expect(
            page.get_by_role("list").filter(has_text="nothing is lost").get_by_role("listitem")
        ).to_have_count(3)
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        page.get_by_role("button", name="Try a sample conversation").click()
        expect(heading(page, "A week in Lisbon")).to_be_visible()
        panel = page.get_by_role("complementary", name="About this conversation")
        expect(panel).to_contain_text("CDM-4471-XK", timeout=30_000)
        ask(page, "What is my booking reference?")
        answer = message(page, 28, "assistant")
        expect(answer).to_have_attribute("aria-busy", "false", timeout=60_000)
        expect(answer.locator(".markdown")).not_to_be_empty()
        page.get_by_role("link", name="Memories").click()
        expect(page.get_by_text("vegetarian").first).to_be_visible(timeout=30_000)
        expect(page.get_by_text("extracted automatically").first).to_be_visible()
