-- name: list_current_memories
select memories.id, content, source_conversation_id, created_at from json_each(:ids) as wanted
cross join memories on memories.id = wanted.value
where memories.user_id = :user_id and valid_to is null and not is_archived;
