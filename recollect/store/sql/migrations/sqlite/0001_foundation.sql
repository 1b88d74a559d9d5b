-- Every primary key starts with user_id and every foreign key carries it: a row can only hang on
-- rows of its own user. Times are RFC 3339 text of fixed width, JSON is text, booleans are 0 or 1.

create table users (
    user_id text not null primary key,
    created_at text not null
) strict;

create table api_keys (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    key_hash text not null,
    prefix text not null,
    is_admin integer not null,
    created_at text not null,
    revoked_at text,
    primary key (user_id, id)
) strict;

create index api_keys_by_hash on api_keys (key_hash);

create table conversations (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    kind text not null check (kind in ('chat', 'history')),
    title text,
    title_source text not null check (title_source in ('auto', 'user')),
    policy text not null,
    remember integer not null,
    topic text,
    search_text text not null,
    metadata text not null,
    is_archived integer not null,
    message_count integer not null,
    token_count integer not null,
    last_seq integer not null,
    last_turn integer not null,
    last_role text,
    summary_version integer not null,
    last_summary_version integer not null,
    extracted_through_seq integer not null,
    forked_from text,
    created_at text not null,
    updated_at text not null,
    last_activity_at text not null,
    primary key (user_id, id)
) strict;

create index conversations_by_activity
    on conversations (user_id, kind, is_archived, last_activity_at, id);
create unique index conversations_one_history on conversations (user_id) where kind = 'history';
create index conversations_by_policy on conversations (policy);

create table messages (
    user_id text not null,
    conversation_id text not null,
    seq integer not null,
    id text not null,
    turn integer not null,
    role text not null check (role in ('user', 'assistant', 'system', 'tool')),
    content text not null,
    thinking text,
    status text not null check (status in ('complete', 'streaming', 'interrupted', 'error')),
    tool_calls text,
    suggested_values text,
    suggested_actions text,
    custom_payload text,
    model_variant text,
    metadata text not null,
    tokens integer not null,
    is_pinned integer not null,
    created_at text not null,
    event_at text not null,
    superseded_at text,
    stream_owner text,
    heartbeat_at text,
    primary key (user_id, conversation_id, seq),
    unique (id, user_id), -- id first: UUIDv7 grow at one end, whoever's they are
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create index messages_streaming on messages (heartbeat_at) where status = 'streaming';

create table summaries (
    user_id text not null,
    conversation_id text not null,
    version integer not null,
    base_version integer not null,
    text text not null,
    ledger text not null,
    through_seq integer not null,
    author text not null check (author in ('model', 'extractive', 'user')),
    model text,
    prompt_version text,
    tokens integer not null,
    tokens_in integer not null,
    tokens_out integer not null,
    duration_ms integer not null,
    created_at text not null,
    primary key (user_id, conversation_id, version),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create table memories (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    memory_type text not null
        check (memory_type in ('fact', 'preference', 'entity', 'project', 'decision')),
    category text,
    content text not null,
    subject text,
    attribute text,
    author text not null check (author in ('user', 'model', 'pattern')),
    source_conversation_id text,
    source_message_id text,
    created_at text not null,
    updated_at text not null,
    last_accessed_at text,
    access_count integer not null,
    is_pinned integer not null,
    is_archived integer not null,
    confidence real not null check (confidence between 0 and 1),
    valid_from text not null,
    valid_to text,
    superseded_by text,
    primary key (user_id, id),
    check (source_message_id is null or source_conversation_id is not null),
    foreign key (user_id, source_conversation_id) references conversations (user_id, id),
    foreign key (user_id, source_message_id) references messages (user_id, id)
) strict;

create index memories_by_conversation on memories (user_id, source_conversation_id);
create index memories_by_message on memories (user_id, source_message_id);

create table memory_sources (
    user_id text not null,
    memory_id text not null,
    message_id text not null,
    created_at text not null,
    primary key (user_id, memory_id, message_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade,
    foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
) strict;

create index memory_sources_by_message on memory_sources (user_id, message_id);

create table memory_events (
    user_id text not null,
    id text not null,
    memory_id text not null,
    action text not null,
    actor text not null,
    source_message_id text,
    before text,
    after text,
    created_at text not null,
    primary key (user_id, id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
) strict;

create index memory_events_by_memory on memory_events (user_id, memory_id, id);

create table memory_tombstones (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    content_hash text not null,
    source_message_id text,
    created_at text not null,
    primary key (user_id, id)
) strict;

create index memory_tombstones_by_hash on memory_tombstones (user_id, content_hash);

create table embeddings (
    user_id text not null references users (user_id) on delete cascade,
    kind text not null check (kind in ('message', 'topic', 'memory')),
    owner_id text not null,
    model text not null,
    conversation_id text,
    text text not null,
    dimensions integer not null,
    vector blob not null,
    created_at text not null,
    primary key (user_id, kind, owner_id, model),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create index embeddings_by_conversation on embeddings (user_id, conversation_id);

create table jobs (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    kind text not null,
    conversation_id text,
    dedupe_key text not null,
    payload text not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    attempts integer not null,
    run_at text not null,
    lease_owner text,
    lease_until text,
    last_error text,
    created_at text not null,
    updated_at text not null,
    primary key (user_id, id),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create unique index jobs_one_waiting on jobs (user_id, kind, dedupe_key) where state = 'waiting';
create unique index jobs_one_running on jobs (user_id, conversation_id, kind) where state = 'running';
create index jobs_due on jobs (run_at) where state = 'waiting';
create index jobs_by_conversation on jobs (user_id, conversation_id);

create table model_calls (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    conversation_id text,
    message_id text,
    purpose text not null,
    model text not null,
    variant text,
    tokens_in integer not null,
    tokens_out integer not null,
    duration_ms integer not null,
    error text,
    created_at text not null,
    primary key (user_id, id)
) strict;

create index model_calls_by_conversation on model_calls (user_id, conversation_id);

create table idempotency_keys (
    user_id text not null references users (user_id) on delete cascade,
    scope text not null,
    key text not null,
    conversation_id text not null,
    body_hash text not null,
    result text not null,
    created_at text not null,
    primary key (user_id, scope, key),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create index idempotency_keys_by_conversation on idempotency_keys (user_id, conversation_id);

create table receipts (
    user_id text not null,
    message_id text not null,
    conversation_id text not null,
    receipt text not null,
    created_at text not null,
    primary key (user_id, message_id),
    foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
) strict;

create index receipts_by_conversation on receipts (user_id, conversation_id);

create table feedback (
    user_id text not null,
    message_id text not null,
    rating text not null check (rating in ('up', 'down')),
    note text,
    mode text,
    created_at text not null,
    primary key (user_id, message_id),
    foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
) strict;
