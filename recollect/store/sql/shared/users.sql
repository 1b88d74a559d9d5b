-- name: count_user_rows
-- The counts for the receipt of a deletion.
select
    (select count(*) from conversations where user_id = :user_id) as conversations,
    (select count(*) from messages where user_id = :user_id) as messages,
    (select count(*) from summaries where user_id = :user_id) as summaries,
    (select count(*) from embeddings where user_id = :user_id) as embeddings,
    (select count(*) from memories where user_id = :user_id) as memories,
    (select count(*) from jobs where user_id = :user_id) as jobs,
    (select count(*) from api_keys where user_id = :user_id) as keys;

-- name: delete_user
-- Foreign keys cascade to all of the user's rows.
delete from users where user_id = :user_id;
