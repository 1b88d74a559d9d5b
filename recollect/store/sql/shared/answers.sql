-- name: insert_answer
-- The row of an answer before its first token. Its owner updates the heartbeat.
insert into messages (
    user_id, conversation_id, seq, id, turn, role, content, status, model_variant, metadata, tokens,
    is_pinned, created_at, event_at, stream_owner, heartbeat_at
) values (
    :user_id, :conversation_id, :seq, :id, :turn, 'assistant', '', 'streaming', :model_variant,
    :metadata, 0, false, :now, :now, :owner, :now
);

-- name: flush_answer
-- Returns no row if the owner has lost the answer.
update messages
set content = :content, thinking = :thinking, tool_calls = :tool_calls, heartbeat_at = :now
where user_id = :user_id and id = :id and stream_owner = :owner and status = 'streaming'
returning stop_asked_at;

-- name: end_answer
-- The owner may also finish an answer that was marked interrupted while its heartbeat was missing.
update messages
set content = :content, thinking = :thinking, tool_calls = :tool_calls, status = :status,
    metadata = :metadata, tokens = :tokens, event_at = :event_at
where user_id = :user_id and id = :id and stream_owner = :owner
    and status in ('streaming', 'interrupted')
returning id;

-- name: interrupt_answer
update messages set status = 'interrupted', tokens = :tokens
where user_id = :user_id and id = :id and status = 'streaming'
    and (heartbeat_at < :before or heartbeat_at > :ahead)
returning id;

-- name: request_answer_stop
update messages set stop_asked_at = :now
where user_id = :user_id and id = :id and status = 'streaming';

-- name: find_streaming_answer
select id from messages
where user_id = :user_id and conversation_id = :conversation_id and status = 'streaming'
order by seq desc
limit 1;

-- name: list_active_messages
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq >= :from_seq and seq < :before_seq and superseded_at is null
order by seq;

-- name: supersede_message
-- Also stops an answer that is still streaming.
update messages set superseded_at = :now, stop_asked_at = :now
where user_id = :user_id and id = :id;

-- name: count_superseded
update conversations
set superseded_messages = superseded_messages + :messages,
    superseded_tokens = superseded_tokens + :tokens,
    removals = removals + 1, updated_at = :now
where user_id = :user_id and id = :id;

-- name: bump_removals
-- Makes compactions and extractions that are running discard their result.
update conversations set removals = removals + 1, updated_at = :now
where user_id = :user_id and id = :id;

-- name: add_answer_tokens
-- The tokens of an answer are counted when it ends.
update conversations
set token_count = token_count + :tokens,
    superseded_tokens = superseded_tokens + case when :is_superseded then :tokens else 0 end,
    updated_at = :now,
    last_activity_at = :now
where user_id = :user_id and id = :id
returning {progress_columns};
