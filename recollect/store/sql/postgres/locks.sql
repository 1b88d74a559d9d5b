-- name: lock_user
-- Transactions that create something for a user wait for each other. Rows that only refer to the
-- user do not wait.
select user_id from users where user_id = :user_id for no key update;

-- name: lock_conversation
-- Serializes appends, forks and deletions of one conversation.
select id from conversations where user_id = :user_id and id = :id for update;

-- name: lock_conversations
-- Taken before `lock_user`, because an append locks its conversation first and then the user.
select count(*) from (
    select id from conversations where user_id = :user_id order by id for update
) as locked;

-- name: lock_memories
-- Serializes changes of a user's memories. Taken after any other lock.
select pg_advisory_xact_lock(hashtextextended('recollect.memories:' || :user_id, 0));

-- name: lock_embedders system
-- Serializes registration and activation, also if the table is empty.
select pg_advisory_xact_lock(hashtext('recollect.embedders'));
