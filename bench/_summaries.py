"""A summary as long as the default policy lets it be, for conversations that nobody digested."""

from datetime import UTC, datetime

from recollect.core.types import ExactValue, Summary

_VALUES = ("Thursday", "15:30", "Dr. Rossi", "ORD-4711", "240 euros")


def long_summary(conversation_id: str, *, through_seq: int, version: int = 1) -> Summary:
    return Summary(
        conversation_id=conversation_id,
        version=version,
        base_version=version - 1,
        text=" ".join(f"The user moved appointment {n}, and was reminded." for n in range(40)),
        ledger=tuple(
            ExactValue(kind="quote", value=value, seq=seq) for seq, value in enumerate(_VALUES, 1)
        ),
        kept="",
        through_seq=through_seq,
        author="extractive",
        model=None,
        prompt_version=None,
        tokens=450,
        tokens_in=0,
        tokens_out=0,
        duration_ms=0,
        facts_found=5,
        facts_kept=5,
        created_at=datetime.now(UTC),
    )
