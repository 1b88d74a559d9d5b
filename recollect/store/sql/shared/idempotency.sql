-- name: claim_idempotency_key
-- No row comes back when the key is taken; a rival transaction is waited for.
insert into idempotency_keys (user_id, key, conversation_id, body_hash, result, created_at)
values (:user_id, :key, :conversation_id, :body_hash, :result, :now)
on conflict do nothing
returning key;

-- name: get_idempotency_key
select conversation_id, body_hash, result from idempotency_keys
where user_id = :user_id and key = :key;
