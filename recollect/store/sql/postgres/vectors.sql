-- part: vector
cast(:vector as vector)

-- part: now
cast(:now as timestamptz)

-- name: nearest_embeddings
-- The function reads the rows of `recollect.user_id`, which is set to :user_id: see the migration.
select owner_id, similarity from nearest_embeddings(
    :model, :dimensions, cast(:vector as vector), :kind,
    cast(:conversation_id as uuid), cast(:role as text),
    cast(:after as timestamptz), cast(:before as timestamptz), :limit
)
where cast(:user_id as text) is not null
order by similarity desc, owner_id desc;

-- name: nearest_memories
-- Memories from one conversation are few: an exact scan.
select embeddings.owner_id, 1 - (embeddings.vector <=> cast(:vector as vector)) as similarity
from memories
join documents
    on documents.user_id = memories.user_id and documents.kind = :kind
        and documents.owner_id = memories.id
join embeddings
    on embeddings.user_id = memories.user_id and embeddings.kind = :kind
        and embeddings.owner_id = memories.id and embeddings.model = :model
where memories.user_id = :user_id
    and memories.source_conversation_id = cast(:conversation_id as uuid)
    and (cast(:role as text) is null or documents.role = :role)
    and (cast(:after as timestamptz) is null or documents.at >= cast(:after as timestamptz))
    and (cast(:before as timestamptz) is null or documents.at < cast(:before as timestamptz))
order by similarity desc, embeddings.owner_id desc
limit :limit;

-- name: list_similarities
select owner_id, 1 - (vector <=> cast(:vector as vector)) as similarity
from embeddings
where user_id = :user_id and kind = :kind and model = :model and owner_id = any (
    array(select cast(json_array_elements_text(cast(:ids as json)) as uuid))
);

-- name: vector_version system
select extversion as version from pg_extension where extname = 'vector';
