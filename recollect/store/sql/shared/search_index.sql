-- part: scope_columns
(select model from embedders where state = 'active') as model,
(select dimensions from embedders where state = 'active') as dimensions,
count(*) as conversations, coalesce(sum(message_count), 0) as messages

-- name: get_search_scope
-- The number of documents, and the active embedder. BM25 needs only the order of magnitude, and
-- counting a hundred thousand conversations would take longer than searching them.
select {scope_columns} from (
    select message_count from conversations where user_id = :user_id limit 10000
) as counted;

-- name: get_conversation_scope
select {scope_columns} from conversations where user_id = :user_id and id = :id;

-- part: not_recalled
-- The same words as in the index `conversations_not_recalled`.
is_archived or not remember or kind <> 'chat'

-- name: has_conversations
-- Whether there is another conversation to take passages from.
select exists (
    select 1 from conversations
    where user_id = :user_id and kind = 'chat' and not is_archived and remember
        and message_count > 0 and id <> :other_than
        and (cast(:project_id as text) is null or project_id = :project_id)
) as found;

-- name: list_message_texts
select id, content, tool_calls from messages where user_id = :user_id and id {in_ids};

-- name: list_unsplit
-- Messages that are indexed as a whole, by a release before passages.
select owner_id from documents
where user_id = :user_id and kind = 'message' and end_offset = 2147483647 and owner_id {in_ids};

-- name: delete_document
-- A trigger deletes the other parts of a message.
delete from documents where user_id = :user_id and kind = :kind and owner_id = :owner_id;

-- name: delete_parts_from
-- Parts that a message has no longer.
delete from documents where user_id = :user_id and part_of = :owner_id and part >= :part;

-- name: delete_orphan_documents
delete from documents
where user_id = :user_id and conversation_id = :conversation_id and kind = 'message'
    and not exists (
        select 1 from messages
        where messages.user_id = :user_id
            and messages.id = coalesce(documents.part_of, documents.owner_id)
    );

-- name: list_titles
select id, title from conversations where user_id = :user_id and id {in_ids};
