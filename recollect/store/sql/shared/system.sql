-- The few statements that look across users. They are marked `system`, run only under
-- `Database.system`, and no other statement does.

-- name: list_migrations system
select version, checksum from migrations;

-- name: find_api_key system
-- By hash, before anybody knows whose key it is.
select user_id, id, prefix, is_admin, created_at, revoked_at from api_keys
where key_hash = :key_hash and revoked_at is null;

-- name: count_api_keys system
-- Revoked ones too: a server that once wanted keys must not fall open when the last one is gone.
select count(*) as count from api_keys;

-- name: list_api_keys system
select user_id, id, prefix, is_admin, created_at, revoked_at from api_keys
order by created_at, id;

-- name: revoke_api_key system
update api_keys set revoked_at = :now where id = :id and revoked_at is null
returning id;

-- name: list_overdue_conversations system
-- Where a retention rule has work to do: a turn has grown too old, or there are too many.
select user_id, id from conversations
where policy = :policy
    and (
        exists (
            select 1 from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
            group by turn
            having max(created_at) < :before
        )
        or (
            select count(distinct turn) from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
        ) > :max_turns
    )
limit :limit;
