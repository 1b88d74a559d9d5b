"""The analytics page: savings, costs and background jobs."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.raw import RawDatabase
from tests.server.process import Server, wait_until
from tests.server.sample_turns import create_turns
from tests.server.shapes import Json

pytestmark = pytest.mark.xdist_group("browser")


def jobs(api: httpx.Client) -> list[Json]:
    items: list[Json] = api.get("/api/jobs").json()["items"]
    return items


def all_jobs_done(api: httpx.Client) -> bool:
    return {job["state"] for job in jobs(api)} == {"done"}


def metric(page: Page, label: str) -> Locator:
    term = page.get_by_role("term").filter(has_text=re.compile(f"^{label}$"))
    return page.locator(".metric").filter(has=term)


def test_analytics_show_savings_after_answers(page: Page, api: httpx.Client) -> None:
    page.goto("/analytics")
    expect(page.get_by_role("heading", name="No data yet")).to_be_visible()
    expect(page.get_by_text("No open jobs")).to_be_visible()

    path = create_turns(api, 11)
    id = path.rsplit("/", 1)[1]
    wait_until(lambda: all_jobs_done(api), "the talk is digested")
    question = {"message": "Which tickets have I got?", "conversation_id": id}
    answer = api.post("/api/chat?stream=false", json=question).json()
    api.put(f"/api/messages/{answer['message']['id']}/feedback", json={"rating": "up"})
    wait_until(lambda: all_jobs_done(api), "the jobs are done")
    report = api.get("/api/analytics").json()
    (day,) = report["by_day"]

    page.get_by_role("button", name="Refresh").click()
    saved = metric(page, "Tokens saved")
    expect(saved.get_by_title(f"{report['net_saved_tokens']:,}", exact=True)).to_be_visible()
    survival = int(report["fact_survival"] * 100)
    expect(metric(page, "Facts kept")).to_contain_text(f"{survival}%")
    expect(metric(page, "Compactions")).to_contain_text(str(report["compactions"]))
    expect(metric(page, "Satisfaction")).to_contain_text("1 thumbs up, 0 thumbs down")

    page.get_by_role("application", name=re.compile("^Tokens with memory")).focus()
    tooltip = page.locator(".chart-tooltip")
    expect(tooltip).to_contain_text(f"Full history{day['full_history_tokens']:,}")
    expect(tooltip).to_contain_text(f"Sent with memory{day['context_tokens']:,}")

    page.get_by_text("Show as table").first.click()
    table = page.get_by_role("region", name=re.compile("^Tokens with memory"))
    expect(table.get_by_role("cell", name=f"{day['full_history_tokens']:,}")).to_be_visible()
    answers = page.get_by_role("row", name=re.compile("^Answers"))
    expect(answers.get_by_role("cell").first).to_have_text("1")

    page.goto(f"/c/{id}?panel=numbers")
    expect(metric(page, "Compactions")).to_contain_text(str(report["compactions"]))
    expect(page.get_by_text("estimated for 11 of 12 answers")).to_be_visible()
    expect(page.get_by_role("application", name=re.compile("^Tokens per answer"))).to_be_visible()


def test_failed_jobs_can_be_retried(signed_in: Visit, api: httpx.Client, server: Server) -> None:
    page = signed_in.page
    create_turns(api, 11)
    wait_until(lambda: all_jobs_done(api), "the talk is digested")
    user_id = api.get("/api/me").json()["user_id"]
    job_ids = {job["kind"]: job["id"] for job in jobs(api)}
    for kind in ("digest", "topic"):
        RawDatabase(server.database_url).execute(
            "update jobs set state = 'failed', attempts = 5, last_error = 'The model is away.'"
            " where user_id = :user_id and id = :id",
            user_id=user_id,
            id=job_ids[kind],
        )
    page.goto("/analytics")
    failed = page.get_by_role("list", name="Failed").get_by_role("listitem")
    expect(failed).to_have_count(2)
    digest = failed.filter(has_text="Summary of older messages")
    expect(digest).to_contain_text("The model is away.")
    expect(digest).to_contain_text("5 attempts")

    # Another client has already retried the other job.
    api.post(f"/api/jobs/{job_ids['topic']}/retry")
    signed_in.expected_statuses.add(409)
    page.get_by_role("button", name="Retry: Topic and title").click()
    expect(failed).to_have_count(1)
    expect(page.get_by_role("heading", name="Background jobs")).to_be_focused()

    digest.get_by_role("button", name="Retry").click()
    expect(page.get_by_text("The job will be retried.")).to_be_visible()
    expect(page.get_by_text("No open jobs")).to_be_visible(timeout=20_000)
    assert all_jobs_done(api)
