-- name: lock_user
select user_id from users where user_id = :user_id for update;

-- name: lock_conversation
-- Appends, forks and deletions of one conversation wait for each other here.
select id from conversations where user_id = :user_id and id = :id for update;
