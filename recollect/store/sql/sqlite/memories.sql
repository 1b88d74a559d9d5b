-- name: list_current_memories
-- Those that hold, and are not archived.
select
    memories.user_id, memories.id, memory_type, category, content, subject, attribute, author,
    source_conversation_id, source_message_id, created_at, updated_at, last_accessed_at,
    access_count, is_pinned, is_archived, confidence, valid_from, valid_to, confirmed_at,
    superseded_by
from json_each(:ids) as wanted
cross join memories on memories.id = wanted.value
where memories.user_id = :user_id and valid_to is null and not is_archived;

-- name: list_related_memories
-- Those that say the same words, are about the same, or are named.
select
    memories.user_id, memories.id, memory_type, category, content, subject, attribute, author,
    source_conversation_id, source_message_id, created_at, updated_at, last_accessed_at,
    access_count, is_pinned, is_archived, confidence, valid_from, valid_to, confirmed_at,
    superseded_by
from memories
where memories.user_id = :user_id and memories.id in (
    select memories.id from json_each(:hashes) as wanted
    cross join memories on memories.content_hash = wanted.value
    where memories.user_id = :user_id
    union
    select memories.id from json_each(:keys) as wanted
    cross join memories
        on memories.subject = wanted.value ->> 0 and memories.attribute = wanted.value ->> 1
    where memories.user_id = :user_id and attribute is not null and valid_to is null
        and not is_archived
    union
    select memories.id from json_each(:ids) as wanted
    cross join memories on memories.id = wanted.value
    where memories.user_id = :user_id
)
order by memories.id;

-- name: list_memory_sources
select memory_id, message_id from json_each(:ids) as wanted
cross join memory_sources on memory_sources.memory_id = wanted.value
where memory_sources.user_id = :user_id;

-- name: list_tombstones
-- Of the same words, or left by what stood on the same messages.
select content_hash, source_message_id, key_hash, created_at from memory_tombstones
where user_id = :user_id and (
    content_hash in (select value from json_each(:hashes))
    or source_message_id in (select value from json_each(:message_ids))
);

-- name: list_existing_hashes
-- Which of the texts are memories already, word for word.
select distinct content_hash from memories
where user_id = :user_id and content_hash in (select value from json_each(:hashes));
