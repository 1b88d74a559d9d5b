-- name: list_answering
-- Conversations with an answer whose writer has been heard of since.
select distinct conversation_id from messages
where user_id = :user_id and status = 'streaming' and heartbeat_at >= :since;
