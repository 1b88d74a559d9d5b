"""Model calls, their token usage, and the receipts of contexts."""

import json
from datetime import datetime

from recollect.core.errors import NotFound
from recollect.core.ids import new_id
from recollect.core.types import Json, Message, Row, utc_text
from recollect.store.database import MAX_ID, MIN_ID, Run


def insert_call(
    run: Run,
    *,
    purpose: str,
    conversation_id: str | None,
    message_id: str | None,
    model: str,
    variant: str | None,
    tokens_in: int,
    tokens_out: int,
    estimated_in: int,
    duration_ms: int,
    error: str | None,
    now: datetime,
) -> None:
    run(
        "insert_model_call",
        id=new_id(),
        purpose=purpose,
        conversation_id=conversation_id,
        message_id=message_id,
        model=model,
        variant=variant,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        estimated_in=estimated_in,
        duration_ms=duration_ms,
        error=error,
        created_at=utc_text(now),
    )


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
        created_at=utc_text(now),
    )


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
    return run("list_message_sizes", **_id_range(conversation_id))


def summary_versions(run: Run, conversation_id: str | None) -> list[Row]:
    return run("list_summary_versions", **_id_range(conversation_id))


def feedback(run: Run, conversation_id: str | None) -> list[Row]:
    return run("sum_feedback", **_id_range(conversation_id))


def calls_by_day(run: Run, conversation_id: str | None) -> list[Row]:
    """Calls without a conversation count if all conversations are asked for."""
    rows = run(
        "list_calls_by_day",
        include_unassigned=conversation_id is None,
        **_id_range(conversation_id),
    )
    return [{k: v if isinstance(v, str) else int(v) for k, v in row.items()} for row in rows]


def _id_range(conversation_id: str | None) -> dict[str, str]:
    """One statement and one index serve one conversation and all."""
    if conversation_id is None:
        return {"first_id": MIN_ID, "last_id": MAX_ID}
    return {"first_id": conversation_id, "last_id": conversation_id}
