-- name: insert_answer
-- An answer before its first word. Whoever writes it says so again and again by its heartbeat.
insert into messages (
    user_id, conversation_id, seq, id, turn, role, content, status, model_variant, metadata, tokens,
    is_pinned, created_at, event_at, stream_owner, heartbeat_at
) values (
    :user_id, :conversation_id, :seq, :id, :turn, 'assistant', '', 'streaming', :model_variant,
    :metadata, 0, false, :now, :now, :owner, :now
);

-- name: flush_answer
-- No row comes back when it is no longer the owner's to write.
update messages
set content = :content, thinking = :thinking, tool_calls = :tool_calls, heartbeat_at = :now
where user_id = :user_id and id = :id and stream_owner = :owner and status = 'streaming'
returning stop_asked_at;

-- name: end_answer
-- Also one that was given up for lost while its owner could not be heard.
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

-- name: find_last_answer
select id from messages
where user_id = :user_id and conversation_id = :conversation_id and role = 'assistant'
    and superseded_at is null
order by seq desc
limit 1;

-- name: find_question
-- The user message that an answer belongs to.
select id from messages
where user_id = :user_id and conversation_id = :conversation_id and role = 'user' and seq < :seq
    and superseded_at is null
order by seq desc
limit 1;

-- name: list_active_messages
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq >= :from_seq and seq < :before_seq and superseded_at is null
order by seq;

-- name: supersede_message
-- Also stops it, if it is still being written.
update messages set superseded_at = :now, stop_asked_at = :now
where user_id = :user_id and id = :id;

-- name: count_superseded
update conversations
set superseded_messages = superseded_messages + :messages,
    superseded_tokens = superseded_tokens + :tokens,
    removals = removals + 1, updated_at = :now
where user_id = :user_id and id = :id;

-- name: bump_removals
-- Whoever has read what was there before does not commit what it made of it.
update conversations set removals = removals + 1, updated_at = :now
where user_id = :user_id and id = :id;

-- name: add_answer_tokens
-- The tokens of an answer count from its end on.
update conversations
set token_count = token_count + :tokens,
    superseded_tokens = superseded_tokens + case when :is_superseded then :tokens else 0 end,
    updated_at = :now,
    last_activity_at = :now
where user_id = :user_id and id = :id
returning
    last_seq, last_turn, kind, policy, remember, last_turn - extracted_turn as unread_turns,
    message_count - superseded_messages - digested_messages as backlog_messages,
    token_count - superseded_tokens - digested_tokens as backlog_tokens,
    last_turn - digested_turn as backlog_turns, summary_tokens;
