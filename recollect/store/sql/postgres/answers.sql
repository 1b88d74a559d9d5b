-- name: list_answering
-- Conversations with a streaming answer whose heartbeat is not older than :since.
select distinct conversation_id from messages
where user_id = :user_id and status = 'streaming' and heartbeat_at >= :since;
