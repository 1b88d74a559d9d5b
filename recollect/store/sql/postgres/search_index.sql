-- name: put_document
-- The number of a lexeme's positions is its frequency, at most 255.
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
-- The function reads the rows of `recollect.user_id`, which is set to :user_id: see the migration.
-- Memory documents have no conversation, so their source conversation is filtered afterwards.
select found.owner_id, found.score
from (select :kind = 'memory' and cast(:conversation_id as uuid) is not null as is_memory) as asked
cross join match_documents(
    :kind,
    array(select json_array_elements_text(cast(:terms as json))),
    cast(:documents as double precision),
    case when not is_memory then cast(:conversation_id as uuid) end, cast(:role as text),
    cast(:after as timestamptz), cast(:before as timestamptz),
    case when not is_memory then :limit end
) as found
where not is_memory or found.owner_id in (
    select id from memories
    where user_id = :user_id and source_conversation_id = cast(:conversation_id as uuid)
)
order by found.score desc, found.owner_id desc
limit :limit;
