-- name: put_document
-- A lexeme's positions stand for how often it occurs; there can be 255.
insert into documents (user_id, kind, owner_id, conversation_id, role, at, length, terms)
select
    :user_id, :kind, cast(:owner_id as uuid), cast(:conversation_id as uuid), :role,
    cast(:at as timestamptz), :length,
    coalesce(cast(string_agg('''' || word.term || ''':' || word.positions, ' ') as tsvector), '')
from (
    select counted.term, string_agg(cast(counted.occurrence as text), ',') as positions
    from (
        select term, row_number() over (partition by term) as occurrence
        from unnest(string_to_array(:terms, ' ')) as term
    ) as counted
    where counted.occurrence <= 255
    group by counted.term
) as word
on conflict (user_id, kind, owner_id)
do update set role = excluded.role, at = excluded.at, length = excluded.length,
    terms = excluded.terms;

-- name: match_documents
-- It looks at the rows of `recollect.user_id`, which is set to :user_id: see the migration.
select owner_id, score from match_documents(
    :kind,
    array(select json_array_elements_text(cast(:terms as json))),
    cast(:documents as double precision),
    cast(:conversation_id as uuid), cast(:role as text),
    cast(:after as timestamptz), cast(:before as timestamptz), :limit
)
where cast(:user_id as text) is not null;

-- name: list_candidates
select id, conversation_id, seq, turn, role, metadata, event_at, created_at
from messages
where user_id = :user_id and superseded_at is null and id = any (
    array(select cast(json_array_elements_text(cast(:ids as json)) as uuid))
);

-- name: list_texts
select id, content from messages
where user_id = :user_id and id = any (
    array(select cast(json_array_elements_text(cast(:ids as json)) as uuid))
);
