-- name: put_document
-- The number of a lexeme's positions is its frequency, at most 255.
insert into documents (
    user_id, kind, owner_id, conversation_id, role, at, length, part_of, part, start_offset,
    end_offset, terms
)
select
    :user_id, :kind, cast(:owner_id as uuid), cast(:conversation_id as uuid), :role,
    cast(:at as timestamptz), :length, cast(:part_of as uuid), :part, :start_offset, :end_offset,
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
    start_offset = excluded.start_offset, end_offset = excluded.end_offset,
    terms = excluded.terms;

-- name: search_documents
-- The best documents by words and the best by meaning, each with both scores. Of the best 4 * :limit
-- messages of each, :limit of the user's and :limit of the others, because some passage of a long
-- answer matches most queries. The functions read the rows of `recollect.user_id`, which is set to
-- :user_id: see the migrations.
with asked as materialized (
    select
        case
            when cast(:conversation_id as uuid) is not null then array(
                select id from conversations
                where user_id = :user_id and id = cast(:conversation_id as uuid)
                    and (cast(:project_id as text) is null or project_id = :project_id)
            )
            when cast(:project_id as text) is not null then array(
                select id from conversations where user_id = :user_id and project_id = :project_id
            )
        end as included,
        case when :recallable or cast(:other_than as uuid) is not null then array(
            select id from conversations
            where :recallable and user_id = :user_id and ({not_recalled})
            union all
            select cast(:other_than as uuid) where cast(:other_than as uuid) is not null
        ) end as excluded,
        case when :by_source then array(
            select id from memories
            where user_id = :user_id and source_conversation_id in (
                select id from conversations
                where user_id = :user_id
                    and (cast(:source_id as uuid) is null or id = cast(:source_id as uuid))
                    and (cast(:source_project as text) is null or project_id = :source_project)
            )
        ) end as owners
),
lexical as materialized (
    select found.owner_id, found.score
    from asked cross join lateral find_by_words(
        :kind, array(select json_array_elements_text(cast(:terms as json))),
        cast(:documents as double precision), included, excluded, owners, cast(:role as text),
        cast(:after as timestamptz), cast(:before as timestamptz),
        case when :kind = 'message' then 4 else 1 end * :limit
    ) as found
),
near as materialized (
    select found.owner_id, found.similarity
    from asked cross join lateral find_by_meaning(
        :model, :dimensions, cast(:vector as vector), :kind, included, excluded, owners,
        cast(:role as text), cast(:after as timestamptz), cast(:before as timestamptz),
        case when :kind = 'message' then 4 else 1 end * :limit
    ) as found
),
best as materialized (
    select owner_id, max(score) as score, max(similarity) as similarity
    from (
        select
            owner_id, score, similarity,
            row_number() over (
                partition by score is null, document.role = 'user'
                order by score desc nulls last, nullif(similarity, 'NaN') desc nulls last,
                    owner_id desc
            ) as position
        from (
            select owner_id, score, cast(null as double precision) as similarity from lexical
            union all
            select owner_id, null, similarity from near
        ) as either
        cross join lateral (
            select role from documents
            where user_id = :user_id and kind = :kind and owner_id = either.owner_id
            limit 1
        ) as document
    ) as found
    where position <= :limit
    group by owner_id
)
select
    coalesce(document.part_of, best.owner_id) as id, document.part, document.start_offset,
    document.end_offset, document.conversation_id, message.seq, message.turn, message.role,
    message.metadata, message.event_at, message.created_at, best.score,
    coalesce(best.similarity, (
        select 1 - (vector <=> cast(:vector as vector)) from embeddings
        where user_id = :user_id and kind = :kind and owner_id = best.owner_id and model = :model
    )) as similarity
from best
cross join lateral (
    select part_of, part, start_offset, end_offset, conversation_id from documents
    where user_id = :user_id and kind = :kind and owner_id = best.owner_id
    limit 1
) as document
left join lateral (
    select id, seq, turn, role, metadata, event_at, created_at from messages
    where user_id = :user_id and id = coalesce(document.part_of, best.owner_id)
        and superseded_at is null
    limit 1
) as message on true
where :kind <> 'message' or message.id is not null;
