-- name: list_current_memories
select id, content, source_conversation_id, created_at from memories
where user_id = :user_id and valid_to is null and not is_archived and id = any (
    array(select cast(json_array_elements_text(cast(:ids as json)) as uuid))
);
