-- name: list_answering
-- Conversations with an answer whose writer has been heard of since. Few answers are being written
-- at a time, whoever's they are; the planner would rather read all messages of the user.
select distinct conversation_id from messages indexed by messages_streaming
where user_id = :user_id and status = 'streaming' and heartbeat_at >= :since;
