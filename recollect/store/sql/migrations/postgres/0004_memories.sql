-- What a memory says, folded for filters, and hashed so that the same words are found at once;
-- and when it was last said.
alter table memories add column search_text text not null default '';
alter table memories add column content_hash text not null default '';
alter table memories add column confirmed_at timestamptz not null default '1970-01-01T00:00:00.000000Z';

create index memories_by_hash on memories (user_id, content_hash);
create index memories_by_time on memories (user_id, updated_at, id);
create index memories_pinned on memories (user_id, id) where is_pinned;
create index memories_superseded on memories (user_id, superseded_by)
where superseded_by is not null;

-- Of one subject and attribute only one thing can hold at a time.
create unique index memories_one_current on memories (user_id, subject, attribute)
where attribute is not null and valid_to is null and not is_archived;

alter table memory_events add column undone_at timestamptz;
create index memory_events_by_message on memory_events (user_id, source_message_id)
where source_message_id is not null;

-- A tombstone must not tell what was deleted: also what it was about is a hash.
alter table memory_tombstones add column key_hash text;
create index memory_tombstones_by_message on memory_tombstones (user_id, source_message_id)
where source_message_id is not null;

-- How far a conversation has been read for memories, in turns too, so that an append can tell
-- whether there is enough to read. What was said before is read with what is said next, or when
-- somebody asks: a release must not set a model to reading everything there is.
alter table conversations add column extracted_turn integer not null default 0;

-- The owner may be bound by row-level security itself. The search path may name a schema by the role.
select set_config('search_path', string_agg(quote_ident(name), ', '), true)
from unnest(current_schemas(false)) as name;
set local role recollect_system;
update conversations set extracted_turn = last_turn;
reset role;
