-- part: vector
vec_f32(:vector)

-- part: now
:now

-- name: nearest_embeddings
-- First the Hamming distance of the signs of all vectors, then the cosine of the nearest. Ids are
-- hexadecimal, so all of them sort before 'g'.
with alike as materialized (
    select codes.owner_id from vector_codes as codes
    where codes.user_id = :user_id and codes.model = :model and codes.kind = :kind
        and codes.conversation_id >= coalesce(:conversation_id, '')
        and codes.conversation_id <= coalesce(:conversation_id, 'g')
        and (:role is null or codes.role = :role)
        and (:after is null or codes.at >= :after)
        and (:before is null or codes.at < :before)
    order by vec_distance_hamming(vec_bit(codes.code), vec_quantize_binary(vec_f32(:vector)))
    limit 2 * :limit + 100
)
select
    embeddings.owner_id, 1 - vec_distance_cosine(embeddings.vector, vec_f32(:vector)) as similarity
from alike cross join embeddings
    on embeddings.user_id = :user_id and embeddings.kind = :kind
        and embeddings.owner_id = alike.owner_id and embeddings.model = :model
order by similarity desc, embeddings.owner_id desc
limit :limit;

-- name: nearest_memories
-- Memories from one conversation are few: an exact scan.
select
    embeddings.owner_id, 1 - vec_distance_cosine(embeddings.vector, vec_f32(:vector)) as similarity
from memories
cross join documents
    on documents.user_id = :user_id and documents.kind = :kind
        and documents.owner_id = memories.id
cross join embeddings
    on embeddings.user_id = :user_id and embeddings.kind = :kind
        and embeddings.owner_id = memories.id and embeddings.model = :model
where memories.user_id = :user_id and memories.source_conversation_id = :conversation_id
    and (:role is null or documents.role = :role)
    and (:after is null or documents.at >= :after)
    and (:before is null or documents.at < :before)
order by similarity desc, embeddings.owner_id desc
limit :limit;

-- name: list_similarities
with query as materialized (select vec_f32(:vector) as vector)
select
    embeddings.owner_id, 1 - vec_distance_cosine(embeddings.vector, query.vector) as similarity
from query cross join json_each(:ids) as wanted cross join embeddings
    on embeddings.user_id = :user_id and embeddings.kind = :kind
        and embeddings.owner_id = wanted.value and embeddings.model = :model;

-- name: vector_version system
select vec_version() as version;
