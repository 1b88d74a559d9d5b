"""Rows as earlier releases stored them."""

from recollect.core.ids import new_id
from tests.raw import RawDatabase

AT = "2026-11-01T12:00:00.000000Z"


def store_as_before(raw: RawDatabase, *said: str, policy: str = "chunked") -> tuple[str, list[str]]:
    """Store a conversation with the columns of the first release; return its id and message ids."""
    chat, ids = new_id(), [new_id() for _ in said]
    raw.execute(
        "insert into users (user_id, created_at) values ('alice', :at) on conflict do nothing",
        at=AT,
    )
    raw.insert(
        "conversations",
        user_id="alice",
        id=chat,
        kind="chat",
        title_source="auto",
        policy=policy,
        remember=True,
        search_text="",
        metadata="{}",
        is_archived=False,
        message_count=len(said),
        token_count=7 * len(said),
        last_seq=len(said),
        last_turn=(len(said) + 1) // 2,
        last_role=("assistant", "user")[len(said) % 2] if said else None,
        summary_version=0,
        last_summary_version=0,
        extracted_through_seq=0,
        created_at=AT,
        updated_at=AT,
        last_activity_at=AT,
    )
    for seq, (id, content) in enumerate(zip(ids, said, strict=True), start=1):
        raw.insert(
            "messages",
            user_id="alice",
            conversation_id=chat,
            seq=seq,
            id=id,
            turn=(seq + 1) // 2,
            role="user" if seq % 2 else "assistant",
            content=content,
            status="complete",
            metadata="{}",
            tokens=7,
            is_pinned=False,
            created_at=AT,
            event_at=AT,
        )
    return chat, ids


def words_of_a_conversation(messages: int) -> list[str]:
    return [f"Word {seq} of the conversation." for seq in range(1, messages + 1)]
