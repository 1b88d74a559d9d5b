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

-- name: list_candidates
select id, conversation_id, seq, turn, role, metadata, event_at, created_at from messages
where user_id = :user_id and superseded_at is null and id {in_ids};

-- name: list_message_texts
select id, content from messages where user_id = :user_id and id {in_ids};

-- name: delete_document
delete from documents where user_id = :user_id and kind = :kind and owner_id = :owner_id;

-- name: delete_orphan_documents
delete from documents
where user_id = :user_id and conversation_id = :conversation_id and kind = 'message'
    and not exists (
        select 1 from messages
        where messages.user_id = :user_id and messages.id = documents.owner_id
    );
