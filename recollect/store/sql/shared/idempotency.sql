-- name: insert_idempotency_key
-- Returns no row if the key exists; waits for a concurrent transaction with the same key. :scope is
-- the conversation that is appended to, or the creation of conversations.
insert into idempotency_keys (user_id, scope, key, conversation_id, body_hash, result, created_at)
values (:user_id, :scope, :key, :conversation_id, :body_hash, :result, :now)
on conflict do nothing
returning key;

-- name: get_idempotency_key
select conversation_id, body_hash, result from idempotency_keys
where user_id = :user_id and scope = :scope and key = :key;

-- name: update_idempotency_key
update idempotency_keys set result = :result
where user_id = :user_id and scope = :scope and key = :key;
