-- part: in_hashes
= any (array(select json_array_elements_text(cast(:hashes as json))))

-- part: in_ids
= any (array(select cast(json_array_elements_text(cast(:ids as json)) as uuid)))

-- part: in_message_ids
= any (array(select cast(json_array_elements_text(cast(:message_ids as json)) as uuid)))

-- name: list_related_memories
-- Memories with the same content, the same subject and attribute, or one of the ids.
select {memory_columns} from memories
where user_id = :user_id and id in (
    select m.id from memories as m
    where m.user_id = :user_id and m.content_hash = any (
        array(select json_array_elements_text(cast(:hashes as json)))
    )
    union
    select m.id from json_array_elements(cast(:keys as json)) as wanted
    join memories as m on m.subject = wanted ->> 0 and m.attribute = wanted ->> 1
    where m.user_id = :user_id and m.attribute is not null and m.valid_to is null
        and not m.is_archived
    union
    select m.id from memories as m
    where m.user_id = :user_id and m.id = any (
        array(select cast(json_array_elements_text(cast(:ids as json)) as uuid))
    )
)
order by id;
