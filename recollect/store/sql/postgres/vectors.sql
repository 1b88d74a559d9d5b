-- name: put_embedding
-- Nothing, where what it stands for has been deleted meanwhile.
insert into embeddings (
    user_id, kind, owner_id, model, conversation_id, text, dimensions, vector, created_at
)
select
    user_id, kind, owner_id, :model, conversation_id, :text, :dimensions,
    cast(:vector as vector), cast(:now as timestamptz)
from documents
where user_id = :user_id and kind = :kind and owner_id = :owner_id
on conflict (user_id, kind, owner_id, model)
do update set text = excluded.text, vector = excluded.vector, created_at = excluded.created_at;

-- name: nearest_embeddings
-- It looks at the rows of `recollect.user_id`, which is set to :user_id: see the migration.
select owner_id, similarity from nearest_embeddings(
    :model, :dimensions, cast(:vector as vector), :kind,
    cast(:conversation_id as uuid), cast(:role as text),
    cast(:after as timestamptz), cast(:before as timestamptz), :limit
)
where cast(:user_id as text) is not null
order by similarity desc, owner_id desc;

-- name: list_similarities
select owner_id, 1 - (vector <=> cast(:vector as vector)) as similarity
from embeddings
where user_id = :user_id and kind = :kind and model = :model and owner_id = any (
    array(select cast(json_array_elements_text(cast(:ids as json)) as uuid))
);
