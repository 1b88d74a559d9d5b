-- The same tables as on SQLite, in PostgreSQL's types. JSON is `json`, not `jsonb`, which would
-- reorder keys and rewrite numbers: what was recorded comes back to the letter.

create table users (
    user_id text not null primary key,
    created_at timestamptz not null
);

create table api_keys (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    key_hash text not null,
    prefix text not null,
    is_admin boolean not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    primary key (user_id, id)
);

create index api_keys_by_hash on api_keys (key_hash);

create table conversations (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    kind text not null check (kind in ('chat', 'history')),
    title text,
    title_source text not null check (title_source in ('auto', 'user')),
    policy text not null,
    remember boolean not null,
    topic text,
    search_text text not null,
    metadata json not null,
    is_archived boolean not null,
    message_count integer not null,
    token_count bigint not null,
    last_seq integer not null,
    last_turn integer not null,
    last_role text,
    summary_version integer not null,
    last_summary_version integer not null,
    extracted_through_seq integer not null,
    forked_from uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    last_activity_at timestamptz not null,
    primary key (user_id, id)
);

create index conversations_by_activity
    on conversations (user_id, kind, is_archived, last_activity_at, id);
create unique index conversations_one_history on conversations (user_id) where kind = 'history';
create index conversations_by_policy on conversations (policy);

create table messages (
    user_id text not null,
    conversation_id uuid not null,
    seq integer not null,
    id uuid not null,
    turn integer not null,
    role text not null check (role in ('user', 'assistant', 'system', 'tool')),
    content text not null,
    thinking text,
    status text not null check (status in ('complete', 'streaming', 'interrupted', 'error')),
    tool_calls json,
    suggested_values json,
    suggested_actions json,
    custom_payload json,
    model_variant text,
    metadata json not null,
    tokens integer not null,
    is_pinned boolean not null,
    created_at timestamptz not null,
    event_at timestamptz not null,
    superseded_at timestamptz,
    stream_owner text,
    heartbeat_at timestamptz,
    primary key (user_id, conversation_id, seq),
    unique (id, user_id), -- id first: UUIDv7 grow at one end, whoever's they are
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create index messages_streaming on messages (heartbeat_at) where status = 'streaming';

create table summaries (
    user_id text not null,
    conversation_id uuid not null,
    version integer not null,
    base_version integer not null,
    text text not null,
    ledger json not null,
    through_seq integer not null,
    author text not null check (author in ('model', 'extractive', 'user')),
    model text,
    prompt_version text,
    tokens integer not null,
    tokens_in integer not null,
    tokens_out integer not null,
    duration_ms bigint not null,
    created_at timestamptz not null,
    primary key (user_id, conversation_id, version),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create table memories (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    memory_type text not null
        check (memory_type in ('fact', 'preference', 'entity', 'project', 'decision')),
    category text,
    content text not null,
    subject text,
    attribute text,
    author text not null check (author in ('user', 'model', 'pattern')),
    source_conversation_id uuid,
    source_message_id uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    last_accessed_at timestamptz,
    access_count integer not null,
    is_pinned boolean not null,
    is_archived boolean not null,
    confidence double precision not null check (confidence between 0 and 1),
    valid_from timestamptz not null,
    valid_to timestamptz,
    superseded_by uuid,
    primary key (user_id, id),
    check (source_message_id is null or source_conversation_id is not null),
    foreign key (user_id, source_conversation_id) references conversations (user_id, id),
    foreign key (user_id, source_message_id) references messages (user_id, id)
);

create index memories_by_conversation on memories (user_id, source_conversation_id);
create index memories_by_message on memories (user_id, source_message_id);

create table memory_sources (
    user_id text not null,
    memory_id uuid not null,
    message_id uuid not null,
    created_at timestamptz not null,
    primary key (user_id, memory_id, message_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade,
    foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
);

create index memory_sources_by_message on memory_sources (user_id, message_id);

create table memory_events (
    user_id text not null,
    id uuid not null,
    memory_id uuid not null,
    action text not null,
    actor text not null,
    source_message_id uuid,
    before json,
    after json,
    created_at timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
);

create index memory_events_by_memory on memory_events (user_id, memory_id, id);

create table memory_tombstones (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    content_hash text not null,
    source_message_id uuid,
    created_at timestamptz not null,
    primary key (user_id, id)
);

create index memory_tombstones_by_hash on memory_tombstones (user_id, content_hash);

create table embeddings (
    user_id text not null references users (user_id) on delete cascade,
    kind text not null check (kind in ('message', 'topic', 'memory')),
    owner_id uuid not null,
    model text not null,
    conversation_id uuid,
    text text not null,
    dimensions integer not null,
    vector vector not null,
    created_at timestamptz not null,
    primary key (user_id, kind, owner_id, model),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create index embeddings_by_conversation on embeddings (user_id, conversation_id);

create table jobs (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    kind text not null,
    conversation_id uuid,
    dedupe_key text not null,
    payload json not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    attempts integer not null,
    run_at timestamptz not null,
    lease_owner text,
    lease_until timestamptz,
    last_error text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create unique index jobs_one_waiting on jobs (user_id, kind, dedupe_key) where state = 'waiting';
create unique index jobs_one_running on jobs (user_id, conversation_id, kind) where state = 'running';
create index jobs_due on jobs (run_at) where state = 'waiting';
create index jobs_by_conversation on jobs (user_id, conversation_id);

create table model_calls (
    user_id text not null references users (user_id) on delete cascade,
    id uuid not null,
    conversation_id uuid,
    message_id uuid,
    purpose text not null,
    model text not null,
    variant text,
    tokens_in integer not null,
    tokens_out integer not null,
    duration_ms bigint not null,
    error text,
    created_at timestamptz not null,
    primary key (user_id, id)
);

create index model_calls_by_conversation on model_calls (user_id, conversation_id);

create table idempotency_keys (
    user_id text not null references users (user_id) on delete cascade,
    scope text not null,
    key text not null,
    conversation_id uuid not null,
    body_hash text not null,
    result json not null,
    created_at timestamptz not null,
    primary key (user_id, scope, key),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create index idempotency_keys_by_conversation on idempotency_keys (user_id, conversation_id);

create table receipts (
    user_id text not null,
    message_id uuid not null,
    conversation_id uuid not null,
    receipt json not null,
    created_at timestamptz not null,
    primary key (user_id, message_id),
    foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
);

create index receipts_by_conversation on receipts (user_id, conversation_id);

create table feedback (
    user_id text not null,
    message_id uuid not null,
    rating text not null check (rating in ('up', 'down')),
    note text,
    mode text,
    created_at timestamptz not null,
    primary key (user_id, message_id),
    foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
);

-- Row-level security is the second wall behind the predicates: a query that forgot its user_id
-- sees the rows of the user its transaction was opened for, and without one it sees none.
-- It is forced, so that it holds for the owner too.

do $$
declare
    name text;
begin
    foreach name in array array[
        'users', 'api_keys', 'conversations', 'messages', 'summaries', 'memories', 'memory_sources',
        'memory_events', 'memory_tombstones', 'embeddings', 'jobs', 'model_calls', 'idempotency_keys', 'receipts',
        'feedback'
    ]
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy own_rows on %I to recollect_app'
            ' using (user_id = current_setting(''recollect.user_id'', true))', name);
        execute format('create policy all_rows on %I to recollect_system using (true)', name);
        execute format(
            'grant select, insert, update, delete on %I to recollect_app, recollect_system', name);
    end loop;
    execute format('grant usage on schema %I to recollect_app, recollect_system', current_schema());
end
$$;
