"""What memory saves and costs, as the web app shows it, and the work that it owes."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.raw import RawDatabase
from tests.server.process import Server, wait_until
from tests.server.shapes import Json
from tests.server.talk import start_talk

pytestmark = pytest.mark.xdist_group("browser")


def jobs(api: httpx.Client) -> list[Json]:
    found: list[Json] = api.get("/api/jobs").json()["items"]
    return found


def is_done(api: httpx.Client) -> bool:
    return {job["state"] for job in jobs(api)} == {"done"}


def figure(page: Page, label: str) -> Locator:
    term = page.get_by_role("term").filter(has_text=re.compile(f"^{label}$"))
    return page.locator(".figure").filter(has=term)


def test_figures_come_with_answers(page: Page, api: httpx.Client) -> None:
    page.goto("/analytics")
    expect(page.get_by_role("heading", name="No figures yet")).to_be_visible()
    expect(page.get_by_text("Nothing is owed")).to_be_visible()

    path = start_talk(api, 11)
    id = path.rsplit("/", 1)[1]
    wait_until(lambda: is_done(api), "the talk is digested")
    asked = {"message": "Which tickets have I got?", "conversation_id": id}
    answered = api.post("/api/chat?stream=false", json=asked).json()
    api.put(f"/api/messages/{answered['message']['id']}/feedback", json={"rating": "up"})
    wait_until(lambda: is_done(api), "nothing is owed")
    report = api.get("/api/analytics").json()
    (day,) = report["by_day"]

    page.get_by_role("button", name="Refresh").click()
    saved = figure(page, "Tokens saved")
    expect(saved.get_by_title(f"{report['net_saved_tokens']:,}", exact=True)).to_be_visible()
    survival = int(report["fact_survival"] * 100)
    expect(figure(page, "Facts kept")).to_contain_text(f"{survival}%")
    expect(figure(page, "Compactions")).to_contain_text(str(report["compactions"]))
    expect(figure(page, "Satisfaction")).to_contain_text("1 thumbs up, 0 thumbs down")

    page.get_by_role("application", name=re.compile("^Tokens with memory")).focus()
    tip = page.locator(".chart-tip")
    expect(tip).to_contain_text(f"Full history{day['full_history_tokens']:,}")
    expect(tip).to_contain_text(f"Sent with memory{day['context_tokens']:,}")

    page.get_by_text("Show as a table").first.click()
    table = page.get_by_role("region", name=re.compile("^Tokens with memory"))
    expect(table.get_by_role("cell", name=f"{day['full_history_tokens']:,}")).to_be_visible()
    answers = page.get_by_role("row", name=re.compile("^Answers"))
    expect(answers.get_by_role("cell").first).to_have_text("1")

    page.goto(f"/c/{id}?panel=numbers")
    expect(figure(page, "Compactions")).to_contain_text(str(report["compactions"]))
    expect(page.get_by_text("estimated for 11 of 12 answers")).to_be_visible()
    expect(page.get_by_role("application", name=re.compile("^Each answer"))).to_be_visible()


def test_what_failed_is_tried_again(signed_in: Visit, api: httpx.Client, server: Server) -> None:
    page = signed_in.page
    start_talk(api, 11)
    wait_until(lambda: is_done(api), "the talk is digested")
    user_id = api.get("/api/me").json()["user_id"]
    owed = {job["kind"]: job["id"] for job in jobs(api)}
    for kind in ("digest", "topic"):
        RawDatabase(server.database_url).execute(
            "update jobs set state = 'failed', attempts = 5, last_error = 'The model is away.'"
            " where user_id = :user_id and id = :id",
            user_id=user_id,
            id=owed[kind],
        )
    page.goto("/analytics")
    failed = page.get_by_role("list", name="Failed").get_by_role("listitem")
    expect(failed).to_have_count(2)
    digest = failed.filter(has_text="Summary of older messages")
    expect(digest).to_contain_text("The model is away.")
    expect(digest).to_contain_text("5 attempts")

    # Somebody else has tried the other one again already.
    api.post(f"/api/jobs/{owed['topic']}/retry")
    signed_in.expected_refusals.add(409)
    page.get_by_role("button", name="Retry: Topic and title").click()
    expect(failed).to_have_count(1)
    expect(page.get_by_role("heading", name="Background work")).to_be_focused()

    digest.get_by_role("button", name="Retry").click()
    expect(page.get_by_text("It waits for its next attempt.")).to_be_visible()
    expect(page.get_by_text("Nothing is owed")).to_be_visible(timeout=20_000)
    assert is_done(api)
