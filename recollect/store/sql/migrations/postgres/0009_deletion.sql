-- Conversations that were deleted, so that an older export does not bring them back. A tombstone has
-- the id, which tells nothing about what was said.
create table conversation_tombstones (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    created_at timestamptz not null,
    primary key (user_id, id)
);

-- Idempotency keys of deleted conversations, for a day: a retry does not bring back what was deleted.
create table deleted_idempotency_keys (
    user_id text not null references users (user_id) on delete cascade,
    scope text not null,
    key text not null,
    created_at timestamptz not null,
    primary key (user_id, scope, key)
);

create index deleted_idempotency_keys_by_time on deleted_idempotency_keys (created_at);

do $$
declare
    name text;
begin
    foreach name in array array['conversation_tombstones', 'deleted_idempotency_keys'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy own_rows on %I to recollect_app'
            ' using (user_id = current_setting(''recollect.user_id'', true))', name);
        execute format('create policy all_rows on %I to recollect_system using (true)', name);
        execute format(
            'grant select, insert, update, delete on %I to recollect_app, recollect_system', name);
    end loop;
end
$$;
