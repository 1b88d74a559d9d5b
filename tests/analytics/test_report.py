"""Estimates for answers without a receipt."""

from typing import Any

from recollect.analytics.report import AnalyticsReport, FeedbackCounts, make_report
from recollect.core.policy import PRESETS
from recollect.core.types import Row


def a_message(seq: int, **fields: Any) -> Row:
    return {
        "conversation_id": "a",
        "seq": seq,
        "turn": (seq + 1) // 2,
        "role": "user" if seq % 2 else "assistant",
        "tokens": 1_000,
        "created_at": f"2026-03-0{seq}T00:00:00Z",
        "full_history_tokens": None,
        "context_tokens": None,
        "unchanged_tokens": None,
        "cached_tokens": None,
        "mode": None,
        **fields,
    }


def a_version(version: int, **fields: Any) -> Row:
    return {
        "conversation_id": "a",
        "version": version,
        "summary_version": 2,
        "policy": "chunked",
        "through_seq": 2,
        "tokens": 100,
        "author": "model",
        "is_copy": False,
        "facts_found": 4,
        "facts_kept": 3,
        "created_at": "2026-03-03T00:00:00Z",
        **fields,
    }


def report_of(**rows: list[Row]) -> AnalyticsReport:
    empty: dict[str, list[Row]] = {"messages": [], "versions": [], "feedback": [], "calls": []}
    return make_report(**{**empty, **rows}, policies=PRESETS)


def test_an_empty_report() -> None:
    report = report_of()
    assert (report.net_saved_tokens, report.fact_survival, report.by_day) == (0, None, [])


def test_sent_tokens_are_estimated_from_the_summary_at_that_time() -> None:
    messages = [a_message(seq) for seq in range(1, 7)]
    report = report_of(messages=messages, versions=[a_version(1), a_version(2)])
    answers = [(a.seq, a.full_history_tokens, a.context_tokens) for a in report.by_turn]
    assert answers == [(2, 1_000, 1_000), (4, 3_000, 1_100), (6, 5_000, 3_000)]
    assert all(answer.estimated for answer in report.by_turn)
    assert report.fact_survival == 0.75


def test_receipts_are_exact() -> None:
    answer = a_message(2, full_history_tokens=900, context_tokens=300, mode="full")
    (exact,) = report_of(messages=[a_message(1), answer]).by_turn
    assert (exact.full_history_tokens, exact.context_tokens, exact.estimated) == (900, 300, False)


def test_unreported_cached_tokens_are_not_counted() -> None:
    sizes = {"full_history_tokens": 900, "context_tokens": 900}
    messages = [
        a_message(2, **sizes, unchanged_tokens=0, cached_tokens=None),
        a_message(4, **sizes, unchanged_tokens=700, cached_tokens=512),
        a_message(6),
    ]
    report = report_of(messages=messages)
    assert (report.unchanged_tokens, report.cached_tokens) == (700, 512)
    turns = [(turn.unchanged_tokens, turn.cached_tokens) for turn in report.by_turn]
    assert turns == [(0, None), (700, 512), (0, None)]
    assert [(day.unchanged_tokens, day.cached_tokens) for day in report.by_day] == [
        (0, 0),
        (700, 512),
        (0, 0),
    ]


def test_edits_and_rollbacks_are_not_compactions() -> None:
    versions = [a_version(1), a_version(2, author="user"), a_version(3, is_copy=True)]
    report = report_of(versions=versions)
    assert report.compactions == 1
    assert [(day.day, day.compactions) for day in report.by_day] == [("2026-03-03", 1)]


def test_calls_and_feedback_are_summed() -> None:
    call = {"calls": 1, "failed": 0, "tokens_in": 10, "tokens_out": 5, "duration_ms": 7}
    call |= {"tokens_cached": 4}
    calls: list[Row] = [
        {"purpose": "summary", "day": "2026-03-01", **call},
        {"purpose": "summary", "day": "2026-03-02", **call},
        {"purpose": "chat", "day": "2026-03-02", **call},
    ]
    feedback: list[Row] = [{"mode": "full", "rating": "up", "count": 2}]
    report = report_of(calls=calls, feedback=feedback)
    assert report.digest_tokens == 30
    assert (report.by_purpose["summary"].calls, report.by_purpose["summary"].tokens_cached) == (
        2,
        8,
    )
    assert [day.digest_tokens for day in report.by_day] == [15, 15]
    assert report.feedback == {"compressed": FeedbackCounts(), "full": FeedbackCounts(up=2)}
