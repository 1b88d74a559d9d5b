-- part: memory_columns
user_id, id, memory_type, category, content, subject, attribute, author,
source_conversation_id, source_message_id, created_at, updated_at, last_accessed_at,
access_count, is_pinned, is_archived, confidence, valid_from, valid_to, confirmed_at,
superseded_by

-- part: memory_event_columns
id, memory_id, action, actor, source_message_id, before, after, created_at, undone_at

-- part: tombstone_columns
id, content_hash, source_message_id, key_hash, created_at

-- part: unlinked_messages
-- A message or a conversation that is about to be deleted; the other id is that of nothing.
select id from messages where user_id = :user_id and conversation_id = :conversation_id
union all
select :message_id

-- name: insert_memory
insert into memories ({memory_columns}, search_text, content_hash) values (:*)
on conflict (user_id, id) do nothing
returning id;

-- name: update_memory
update memories
set memory_type = :memory_type, category = :category, content = :content,
    search_text = :search_text, content_hash = :content_hash, subject = :subject,
    attribute = :attribute, author = :author, source_conversation_id = :source_conversation_id,
    source_message_id = :source_message_id, updated_at = :updated_at, is_pinned = :is_pinned,
    is_archived = :is_archived, confidence = :confidence, valid_from = :valid_from,
    valid_to = :valid_to, confirmed_at = :confirmed_at, superseded_by = :superseded_by
where user_id = :user_id and id = :id;

-- name: get_memory
select {memory_columns} from memories
where user_id = :user_id and id = :id;

-- name: list_memories
-- Newest first. An empty filter matches everything.
select {memory_columns} from memories
where user_id = :user_id and id < :before_id
    and is_archived = :archived and (valid_to is not null) = :superseded
    and (memory_type = :memory_type or :memory_type = '')
    and (category = :category or :any_category)
    and (is_pinned = :pinned or :any_pinned)
    and search_text like :pattern escape '\'
order by id desc
limit :limit offset :offset;

-- name: list_pinned_memories
select {memory_columns} from memories
where user_id = :user_id and is_pinned and valid_to is null and not is_archived
order by id;

-- name: list_recent_memories
-- Current memories that are not pinned, last updated first.
select {memory_columns} from memories
where user_id = :user_id and not is_pinned and valid_to is null and not is_archived
order by updated_at desc, id desc
limit :limit;

-- name: list_current_memories
select {memory_columns} from memories
where user_id = :user_id and valid_to is null and not is_archived and id {in_ids};

-- name: list_memory_sources
select memory_id, message_id from memory_sources
where user_id = :user_id and memory_id {in_ids};

-- name: find_conflicting_memory
-- Another current memory of the same subject and attribute.
select {memory_columns} from memories
where user_id = :user_id and subject = :subject and attribute = :attribute
    and attribute is not null and valid_to is null and not is_archived and id <> :id;

-- name: list_superseded_by
select {memory_columns} from memories
where user_id = :user_id and superseded_by = :id
order by id;

-- name: clear_superseded_by
-- Memories that a deleted one superseded stay superseded.
update memories set superseded_by = null where user_id = :user_id and superseded_by = :id;

-- name: delete_memory
-- Foreign keys cascade to its sources and its history.
delete from memories where user_id = :user_id and id = :id returning id;

-- name: insert_memory_source
insert into memory_sources (user_id, memory_id, message_id, created_at)
values (:user_id, :memory_id, :message_id, :now)
on conflict do nothing;

-- name: copy_memory_sources
insert into memory_sources (user_id, memory_id, message_id, created_at)
select standing.user_id, standing.memory_id, copies.id, :now
from (
    select id, row_number() over (order by seq) as position from messages
    where user_id = :user_id and conversation_id = :source_id and seq <= :through_seq
) as originals
join memory_sources as standing
    on standing.user_id = :user_id and standing.message_id = originals.id
join messages as copies
    on copies.user_id = :user_id and copies.conversation_id = :target_id
        and copies.seq = originals.position
where true
on conflict do nothing;

-- name: list_unlinked_memories
-- Memories of which a source is about to be deleted.
select {memory_columns} from memories
where user_id = :user_id and (
    source_message_id = :message_id or source_conversation_id = :conversation_id
    or id in (
        select memory_id from memory_sources
        where user_id = :user_id and message_id in ({unlinked_messages})
    )
)
order by id;

-- name: find_other_source
-- The oldest active source message of a memory besides those that are about to be deleted.
select messages.id, messages.conversation_id from memory_sources
join messages
    on messages.user_id = memory_sources.user_id and messages.id = memory_sources.message_id
where memory_sources.user_id = :user_id and memory_sources.memory_id = :memory_id
    and messages.id <> :message_id and messages.conversation_id <> :conversation_id
    and messages.superseded_at is null
order by memory_sources.created_at, messages.id
limit 1;

-- name: delete_memory_sources
delete from memory_sources where user_id = :user_id and memory_id = :memory_id;

-- name: delete_unlinked_events
-- The history of memories that were extracted from the messages and have no source any more, because
-- the user has rewritten them: it still quotes the messages.
delete from memory_events
where user_id = :user_id and memory_id in (
    select memory_id from memory_events
    where user_id = :user_id and source_message_id in ({unlinked_messages})
) and not exists (
    select 1 from memory_sources
    where memory_sources.user_id = :user_id
        and memory_sources.memory_id = memory_events.memory_id
);

-- name: unlink_memory_events
-- Other memories keep their history, without the link.
update memory_events set source_message_id = null
where user_id = :user_id and source_message_id in ({unlinked_messages});

-- name: insert_memory_event
insert into memory_events (user_id, {memory_event_columns}) values (:*)
on conflict (user_id, id) do nothing
returning id;

-- name: list_memory_events
-- Newest first.
select {memory_event_columns} from memory_events
where user_id = :user_id and memory_id = :memory_id and id < :before_id
order by id desc
limit :limit;

-- name: find_last_event
-- The last event that was not undone and superseded the memory, or was of another :action.
select {memory_event_columns} from memory_events
where user_id = :user_id and memory_id = :memory_id and undone_at is null
    and action in ('superseded', :action)
order by id desc
limit 1;

-- name: mark_event_undone
update memory_events set undone_at = :now where user_id = :user_id and id = :id;

-- name: list_extracted_since
-- Memories that extraction created or changed because of messages of one conversation.
select memory_events.memory_id as id from memory_events
join messages
    on messages.user_id = memory_events.user_id and messages.id = memory_events.source_message_id
where memory_events.user_id = :user_id and messages.conversation_id = :conversation_id
    and memory_events.id > :after_event and memory_events.actor <> 'user'
order by memory_events.id;

-- name: insert_tombstone
insert into memory_tombstones (user_id, {tombstone_columns}) values (:*)
on conflict (user_id, id) do nothing
returning id;

-- name: unlink_tombstones
-- The tombstone stays, because other messages may say the same.
update memory_tombstones set source_message_id = null
where user_id = :user_id and source_message_id in ({unlinked_messages});

-- name: record_memory_access
update memories
set access_count = access_count + :count,
    last_accessed_at = case
        when last_accessed_at > :at then last_accessed_at else :at
    end
where user_id = :user_id and id = :id;

-- name: list_tombstones
-- Tombstones with the same content or the same source message.
select content_hash, source_message_id, key_hash, created_at from memory_tombstones
where user_id = :user_id and (
    content_hash {in_hashes}
    or source_message_id {in_message_ids}
);

-- name: list_existing_hashes
select distinct content_hash from memories
where user_id = :user_id and content_hash {in_hashes};
