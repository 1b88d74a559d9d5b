-- name: lock_user
-- Those who create wait for each other. What only refers to the user need not wait for them.
select user_id from users where user_id = :user_id for no key update;

-- name: lock_conversation
-- Appends, forks and deletions of one conversation wait for each other here.
select id from conversations where user_id = :user_id and id = :id for update;

-- name: lock_conversations
-- All of a user's, before the user: whoever appends has one of them, and will want the user's row.
select count(*) from (
    select id from conversations where user_id = :user_id order by id for update
) as locked;

-- name: lock_memories
-- What is known about one user changes in one transaction at a time. Taken after any other lock.
select pg_advisory_xact_lock(hashtextextended('recollect.memories:' || :user_id, 0));

-- name: lock_embedders system
-- Registering and taking over wait for each other, also where there is no row yet.
select pg_advisory_xact_lock(hashtext('recollect.embedders'));
