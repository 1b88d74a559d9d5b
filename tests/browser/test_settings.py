"""The settings page."""

import json
import re
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from recollect.sync import Recollect
from tests.browser.conftest import StartVisit, Visit
from tests.browser.pages import MESSAGES, create
from tests.server.process import Server, running

pytestmark = pytest.mark.xdist_group("browser")

FIRST_KEY = "After the first key, this server requires a key from everyone."


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def shown_key(page: Page) -> str:
    dialog = page.get_by_role("dialog", name="New API key")
    key = dialog.get_by_role("region", name="New API key").inner_text()
    assert key.startswith("rk_")
    return key


def test_appearance_models_and_account_are_shown(page: Page, api: httpx.Client) -> None:
    page.goto("/settings")
    root = page.locator("html")
    page.get_by_role("radio", name="Dark").check()
    expect(root).to_have_attribute("data-theme", "dark")
    page.get_by_role("radio", name="Italiano").check()
    expect(page.get_by_role("heading", name="Impostazioni", level=1)).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Scuro")).to_be_checked()
    expect(root).to_have_attribute("lang", "it")
    page.get_by_role("radio", name="Automatica").check()
    page.get_by_role("radio", name="System").check()
    expect(root).not_to_have_attribute("data-theme", re.compile("."))

    models = section(page, "Models").get_by_role("listitem")
    expect(models.filter(has_text="Default")).to_contain_text("scripted")
    section(page, "Models").get_by_text("How to connect another model").click()
    ollama = page.get_by_role("region", name="Command for Ollama")
    expect(ollama).to_contain_text("make serve")
    expect(ollama).to_contain_text("RECOLLECT_CONTEXT_WINDOW=16384")
    expect(ollama).not_to_contain_text("OPENAI_API_KEY")
    start = page.get_by_role("region", name="Command to start Ollama")
    expect(start).to_contain_text("OLLAMA_CONTEXT_LENGTH=16384")
    expect(section(page, "Account")).to_contain_text(api.get("/api/me").json()["user_id"])
    expect(section(page, "API keys")).to_have_count(0)


def test_admin_creates_and_revokes_keys(visit: StartVisit, server: Server) -> None:
    admin, user = f"admin-{uuid4()}", f"user-{uuid4()}"
    with Recollect.open(server.database_url) as memory:
        opened = visit(server, key=memory.keys.create_key(user_id=admin, is_admin=True))
    page = opened.page
    page.goto("/settings")
    keys = section(page, "API keys")
    expect(keys.get_by_role("listitem").filter(has_text=admin)).to_contain_text("Admin")

    keys.get_by_role("button", name="New key").click()
    expect(page.get_by_role("textbox", name="User")).to_be_focused()
    page.keyboard.type(user)
    page.keyboard.press("Enter")
    with server.client(key=shown_key(page)) as client:
        assert client.get("/api/me").json()["user_id"] == user
        page.get_by_role("button", name="I have saved it").click()
        item = keys.get_by_role("listitem").filter(has_text=user)
        item.get_by_role("button", name="Revoke").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        expect(item).to_contain_text("Revoked")
        expect(keys.get_by_role("button", name="New key")).to_be_focused()
        assert client.get("/api/me").status_code == 401

    opened.expected_statuses.add(409)
    own = keys.get_by_role("listitem").filter(has_text=admin)
    own.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("lock you out")
    page.keyboard.press("Escape")
    expect(own.get_by_role("button", name="Revoke")).to_be_focused()


def test_first_key_requires_keys_and_signs_in_its_creator(
    visit: StartVisit, tmp_path: Path
) -> None:
    with running(f"sqlite:///{tmp_path}/recollect.db") as server:
        opened = visit(server)
        page = opened.page
        with server.client() as anonymous:
            create(anonymous, "From before")
            page.goto("/settings")
            expect(section(page, "Models")).to_contain_text("You are using the local model")

            section(page, "API keys").get_by_role("button", name="New key").click()
            expect(page.get_by_role("dialog").get_by_text(FIRST_KEY)).to_be_visible()
            assert anonymous.get("/api/me").json()["mode"] == "local"
            page.get_by_role("button", name="Create key").click()
            key = shown_key(page)
            assert anonymous.get("/api/me").status_code == 401

        page.get_by_role("button", name="I have saved it").click()
        expect(section(page, "Account")).to_contain_text("with an API key")
        expect(section(page, "API keys").get_by_role("listitem")).to_contain_text("local")
        with server.client(key=key) as client:
            (kept,) = client.get("/api/conversations").json()["items"]
            assert kept["title"] == "From before"
        page.close()


def test_data_can_be_imported_exported_and_deleted(
    signed_in: Visit, api: httpx.Client, server: Server, tmp_path: Path
) -> None:
    page = signed_in.page
    with Recollect.open(server.database_url) as memory:
        other = memory.keys.create_key(user_id=f"user-{uuid4()}")
    with server.client(key=other) as client:
        create(client, "Imported", *MESSAGES)
        file = tmp_path / "recollect.jsonl"
        file.write_bytes(client.get("/api/export").content)

    page.goto("/settings")
    chooser = page.get_by_label("Import a file…")
    result = page.get_by_role("group", name="Import result")
    chooser.set_input_files(file)
    expect(result).to_contain_text("1 conversation")
    expect(result).to_contain_text("4 messages")
    expect(result).to_be_focused()
    expect(page.get_by_role("link", name=re.compile("Imported"))).to_be_visible()
    chooser.set_input_files(file)
    expect(result).to_contain_text("Already existed")
    signed_in.expected_statuses.add(422)
    file.write_text("not an export")
    chooser.set_input_files(file)
    expect(section(page, "Your data").get_by_role("alert")).to_be_visible()

    with page.expect_download() as download:
        page.get_by_role("link", name="Export everything").click()
    lines = download.value.path().read_text().splitlines()
    assert json.loads(lines[-1])["kind"] == "end"
    assert "Imported" in "".join(lines)

    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("textbox", name="Type “delete” to continue")).to_be_focused()
    page.keyboard.type("something else")
    page.keyboard.press("Enter")
    assert api.get("/api/me").status_code == 200
    page.get_by_role("dialog").get_by_role("textbox").fill("delete")
    page.get_by_role("button", name="Delete everything permanently").click()
    receipt = page.get_by_role("dialog", name="Everything was deleted")
    expect(receipt).to_contain_text("4 messages")
    assert api.get("/api/me").status_code == 401
    signed_in.expected_statuses.add(401)
    receipt.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="Sign in to Recollect")).to_be_visible()
