-- name: insert_api_key
insert into api_keys (
    user_id, id, key_hash, prefix, is_admin, created_at, name, scope, expires_at
)
values (
    :user_id, :id, :key_hash, :prefix, :is_admin, :created_at, :name, :scope, :expires_at
);
