-- SQLite has one writer at a time: nothing needs locking.

-- name: lock_user
select user_id from users where user_id = :user_id;

-- name: lock_conversation
select id from conversations where user_id = :user_id and id = :id;

-- name: lock_conversations
select count(*) from conversations where user_id = :user_id;

-- name: lock_memories
select user_id from users where user_id = :user_id;

-- name: lock_embedders system
select model from embedders;
