-- name: get_embedded_text
-- The text of a topic or a memory when it was embedded.
select text from embeddings
where user_id = :user_id and kind = :kind and owner_id = :owner_id and model = :model;

-- name: delete_embeddings
-- Of all embedders, and of all parts of a message.
delete from embeddings
where user_id = :user_id and kind = :kind and (owner_id = :owner_id or part_of = :owner_id)
returning model;

-- name: delete_message_embeddings
-- Of one embedder.
delete from embeddings
where user_id = :user_id and kind = 'message' and model = :model
    and (owner_id = :owner_id or part_of = :owner_id);

-- name: get_embedding_progress
-- The last seq of the conversation, and the last one that :model has embedded.
select conversations.last_seq, coalesce(embedding_progress.through_seq, 0) as through_seq
from conversations
left join embedding_progress
    on embedding_progress.user_id = conversations.user_id
        and embedding_progress.conversation_id = conversations.id
        and embedding_progress.model = :model
where conversations.user_id = :user_id and conversations.id = :conversation_id;

-- name: put_embedding_progress
-- Does nothing if the progress is not :read_from any more: it may have been rewound.
insert into embedding_progress (user_id, conversation_id, model, through_seq)
values (:user_id, :conversation_id, :model, :through_seq)
on conflict (user_id, conversation_id, model) do update set through_seq = excluded.through_seq
where embedding_progress.through_seq = :read_from;

-- name: rewind_embedding_progress
-- The rows stay: they tell which embedders have vectors.
update embedding_progress set through_seq = :through_seq
where user_id = :user_id and conversation_id = :conversation_id and through_seq > :through_seq;

-- name: list_unembedded_memories
-- Indexed memories that are new or whose content has changed.
select memories.id, memories.content from memories
join documents
    on documents.user_id = memories.user_id and documents.kind = 'memory'
        and documents.owner_id = memories.id
left join embeddings
    on embeddings.user_id = memories.user_id and embeddings.kind = 'memory'
        and embeddings.owner_id = memories.id and embeddings.model = :model
where memories.user_id = :user_id and memories.id > :after_id
    and (embeddings.text is null or embeddings.text <> memories.content)
order by memories.id
limit :limit;

-- name: put_embedding
-- Inserts nothing if the embedded text was deleted meanwhile.
insert into embeddings (
    user_id, kind, owner_id, model, conversation_id, text, dimensions, vector, created_at, part_of,
    part
)
select
    user_id, kind, owner_id, :model, conversation_id, :text, :dimensions, {vector}, {now}, part_of,
    part
from documents
where user_id = :user_id and kind = :kind and owner_id = :owner_id
on conflict (user_id, kind, owner_id, model)
do update set text = excluded.text, vector = excluded.vector, created_at = excluded.created_at;
