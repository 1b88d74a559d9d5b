"""The settings: how the page looks, who answers, who may come in, and one's own data."""

import json
import re
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from recollect.sync import Recollect
from tests.browser.conftest import StartVisit, Visit
from tests.browser.pages import SPOKEN, create
from tests.server.process import Server, running

pytestmark = pytest.mark.xdist_group("browser")

FIRST_KEY = re.compile("From the first key on, this server asks everybody for one")


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def shown_key(page: Page) -> str:
    dialog = page.get_by_role("dialog", name="This is the key")
    key = dialog.get_by_role("region", name="This is the key").inner_text()
    assert key.startswith("rk_")
    return key


def test_looks_languages_models_and_who_i_am(page: Page, api: httpx.Client) -> None:
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
    page.get_by_role("radio", name="As the system").check()
    expect(root).not_to_have_attribute("data-theme", re.compile("."))

    models = section(page, "Models").get_by_role("listitem")
    expect(models.filter(has_text="Default")).to_contain_text("scripted")
    section(page, "Models").get_by_text("How to connect another model").click()
    ollama = page.get_by_role("region", name="Command for Ollama")
    expect(ollama).to_contain_text("make serve")
    expect(ollama).to_contain_text("RECOLLECT_CONTEXT_WINDOW=16384")
    expect(ollama).not_to_contain_text("OPENAI_API_KEY")
    starting = page.get_by_role("region", name="Command that starts Ollama")
    expect(starting).to_contain_text("OLLAMA_CONTEXT_LENGTH=16384")
    expect(section(page, "Account")).to_contain_text(api.get("/api/me").json()["user_id"])
    expect(section(page, "API keys")).to_have_count(0)


def test_admins_make_and_revoke_keys(visit: StartVisit, server: Server) -> None:
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
        page.get_by_role("button", name="I have kept it").click()
        item = keys.get_by_role("listitem").filter(has_text=user)
        item.get_by_role("button", name="Revoke").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        expect(item).to_contain_text("Revoked")
        expect(keys.get_by_role("button", name="New key")).to_be_focused()
        assert client.get("/api/me").status_code == 401

    opened.expected_refusals.add(409)
    own = keys.get_by_role("listitem").filter(has_text=admin)
    own.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("lock you out")
    page.keyboard.press("Escape")
    expect(own.get_by_role("button", name="Revoke")).to_be_focused()


def test_the_first_key_shuts_the_door_and_keeps_its_maker_in(
    visit: StartVisit, tmp_path: Path
) -> None:
    with running(f"sqlite:///{tmp_path}/recollect.db") as server:
        opened = visit(server)
        page = opened.page
        with server.client() as anybody:
            create(anybody, "From before")
            page.goto("/settings")
            expect(section(page, "Models")).to_contain_text("This is only the local model")

            section(page, "API keys").get_by_role("button", name="New key").click()
            expect(page.get_by_role("dialog").get_by_text(FIRST_KEY)).to_be_visible()
            assert anybody.get("/api/me").json()["mode"] == "local"
            page.get_by_role("button", name="Create a key").click()
            key = shown_key(page)
            assert anybody.get("/api/me").status_code == 401

        page.get_by_role("button", name="I have kept it").click()
        expect(section(page, "Account")).to_contain_text("with an API key")
        expect(section(page, "API keys").get_by_role("listitem")).to_contain_text("local")
        with server.client(key=key) as client:
            (kept,) = client.get("/api/conversations").json()["items"]
            assert kept["title"] == "From before"
        page.close()


def test_data_goes_out_comes_in_and_is_deleted(
    signed_in: Visit, api: httpx.Client, server: Server, tmp_path: Path
) -> None:
    page = signed_in.page
    with Recollect.open(server.database_url) as memory:
        other = memory.keys.create_key(user_id=f"user-{uuid4()}")
    with server.client(key=other) as client:
        create(client, "Brought along", *SPOKEN)
        file = tmp_path / "recollect.jsonl"
        file.write_bytes(client.get("/api/export").content)

    page.goto("/settings")
    chooser = page.get_by_label("Import a file…")
    result = page.get_by_role("group", name="Result of the import")
    chooser.set_input_files(file)
    expect(result).to_contain_text("1 conversation")
    expect(result).to_contain_text("4 messages")
    expect(result).to_be_focused()
    expect(page.get_by_role("link", name=re.compile("Brought along"))).to_be_visible()
    chooser.set_input_files(file)
    expect(result).to_contain_text("Was there already")
    signed_in.expected_refusals.add(422)
    file.write_text("no such thing")
    chooser.set_input_files(file)
    expect(section(page, "Your data").get_by_role("alert")).to_be_visible()

    with page.expect_download() as download:
        page.get_by_role("link", name="Export everything").click()
    lines = download.value.path().read_text().splitlines()
    assert json.loads(lines[-1])["kind"] == "end"
    assert "Brought along" in "".join(lines)

    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("textbox", name="To go on, type “delete”")).to_be_focused()
    page.keyboard.type("perhaps")
    page.keyboard.press("Enter")
    assert api.get("/api/me").status_code == 200
    page.get_by_role("dialog").get_by_role("textbox").fill("delete")
    page.get_by_role("button", name="Delete everything for good").click()
    receipt = page.get_by_role("dialog", name="Everything is deleted")
    expect(receipt).to_contain_text("4 messages")
    assert api.get("/api/me").status_code == 401
    signed_in.expected_refusals.add(401)
    receipt.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="Sign in to Recollect")).to_be_visible()
