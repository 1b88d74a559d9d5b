-- name: insert_idempotency_key
-- Returns no row if the key exists; waits for a concurrent transaction with the same key. :scope is
-- the conversation that is appended to, or the creation of conversations.
insert into idempotency_keys (user_id, scope, key, conversation_id, body_hash, result, created_at)
values (:user_id, :scope, :key, :conversation_id, :body_hash, :result, :now)
on conflict do nothing
returning key;

-- name: get_idempotency_key
-- Without a result if the conversation was deleted.
select body_hash, result from idempotency_keys
where user_id = :user_id and scope = :scope and key = :key
union all
select null, null from deleted_idempotency_keys
where user_id = :user_id and scope = :scope and key = :key;

-- name: retire_idempotency_keys
insert into deleted_idempotency_keys (user_id, scope, key, created_at)
select user_id, scope, key, :now from idempotency_keys
where user_id = :user_id and conversation_id = :conversation_id
on conflict do nothing;

-- name: retire_appended_keys
-- Under the caller's key of the conversation: an append may create the conversation again.
insert into deleted_idempotency_keys (user_id, scope, key, created_at)
select keys.user_id, 'external:' || conversations.external_id, keys.key, :now
from idempotency_keys as keys
join conversations
    on conversations.user_id = keys.user_id and conversations.id = keys.conversation_id
where keys.user_id = :user_id and keys.conversation_id = :conversation_id
    and keys.scope = cast(keys.conversation_id as text) and conversations.external_id is not null
on conflict do nothing;

-- name: update_idempotency_key
update idempotency_keys set result = :result
where user_id = :user_id and scope = :scope and key = :key;
