-- part: in_hashes
in (select value from json_each(:hashes))

-- part: in_ids
in (select value from json_each(:ids))

-- part: in_message_ids
in (select value from json_each(:message_ids))

-- name: list_related_memories
-- Memories with the same content, the same subject and attribute, or one of the ids.
select {memory_columns} from memories
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
