-- name: list_answering
-- Conversations with a streaming answer whose heartbeat is not older than :since. Few answers are
-- streaming at a time, but the planner would read all messages of the user without the hint.
select distinct conversation_id from messages indexed by messages_streaming
where user_id = :user_id and status = 'streaming' and heartbeat_at >= :since;
