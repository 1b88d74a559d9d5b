-- name: get_search_scope
-- How much there is to search, and whose vectors stand for it.
select
    (select model from embedders where state = 'active') as model,
    (select dimensions from embedders where state = 'active') as dimensions,
    count(*) as conversations,
    coalesce(sum(message_count), 0) as messages
from conversations
where user_id = :user_id
    and (cast(:conversation_id as text) is null
        or cast(id as text) = cast(:conversation_id as text));

-- name: delete_document
delete from documents where user_id = :user_id and kind = :kind and owner_id = :owner_id;
