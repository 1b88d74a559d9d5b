"""Model calls, their token usage, and the receipts of contexts."""

import json
from datetime import datetime

from recollect.core.errors import NotFound
from recollect.core.ids import new_id
from recollect.core.types import Json, Message, Row, utc_text
from recollect.store.database import Run, SqlValue, id_range


def insert_call(run: Run, *, now: datetime, **call: SqlValue) -> None:
    """Insert a call with the columns of `insert_model_call`."""
    run("insert_model_call", id=new_id(), created_at=utc_text(now), **call)


def totals_by_model(run: Run, *, since: datetime) -> dict[str, tuple[int, int]]:
    """Return the (estimated, reported) input tokens of each model's successful calls."""
    rows = run("sum_calls_by_model", since=utc_text(since))
    return {row["model"]: (int(row["estimated"]), int(row["reported"])) for row in rows}


def put_receipt(run: Run, message: Message, receipt: Json, *, now: datetime) -> None:
    run(
        "put_receipt",
        message_id=message.id,
        conversation_id=message.conversation_id,
        receipt=json.dumps(receipt, ensure_ascii=False),
        mode=receipt["mode"],
        tokens=receipt["tokens"],
        full_history_tokens=receipt["full_history_tokens"],
        prefix=json.dumps(receipt["prefix"]),
        unchanged_tokens=receipt["unchanged_tokens"],
        cached_tokens=receipt["cached_tokens"],
        created_at=utc_text(now),
    )


def last_prefix(run: Run, conversation_id: str) -> list[str]:
    """Return the parts of the prompt of the newest answer, as `Receipt.prefix` has them."""
    rows = run("get_last_prefix", conversation_id=conversation_id)
    parts: list[str] = json.loads(rows[0]["prefix"]) if rows else []
    return parts


def find_receipt(run: Run, message_id: str) -> Json:
    """Return the receipt, or None."""
    rows = run("get_receipt", message_id=message_id)
    return json.loads(rows[0]["receipt"]) if rows else None


def get_receipt(run: Run, message_id: str) -> Json:
    receipt = find_receipt(run, message_id)
    if receipt is None:
        raise NotFound("There is no receipt for this message.")
    return receipt


def message_sizes(run: Run, conversation_id: str | None) -> list[Row]:
    """Return the size of each message and of its context, of one conversation or of all."""
    return run("list_message_sizes", **id_range(conversation_id))


def summary_versions(run: Run, conversation_id: str | None) -> list[Row]:
    return run("list_summary_versions", **id_range(conversation_id))


def feedback(run: Run, conversation_id: str | None) -> list[Row]:
    return run("sum_feedback", **id_range(conversation_id))


def calls_by_day(run: Run, conversation_id: str | None) -> list[Row]:
    """Calls without a conversation count if all conversations are asked for."""
    rows = run(
        "list_calls_by_day",
        include_unassigned=conversation_id is None,
        **id_range(conversation_id),
    )
    return [{k: v if isinstance(v, str) else int(v) for k, v in row.items()} for row in rows]
