-- name: put_document
insert into indexed_documents (
    user_id, kind, owner_id, conversation_id, role, at, length, part_of, part, start_offset,
    end_offset, terms
) values (:*);

-- part: in_filters
-- Of documents and of codes: the columns have the same names.
(:conversation_id is null or conversation_id = :conversation_id)
and (:other_than is null or conversation_id <> :other_than)
and (
    :project_id is null or conversation_id in (
        select id from conversations where user_id = :user_id and project_id = :project_id
    )
)
and (
    not :recallable or conversation_id not in (
        select id from conversations where user_id = :user_id and ({not_recalled})
    )
)
and (
    not :by_source or owner_id in (
        select id from memories
        where user_id = :user_id and source_conversation_id in (
            select id from conversations
            where user_id = :user_id
                and (:source_id is null or id = :source_id)
                and (:source_project is null or project_id = :source_project)
        )
    )
)
and (:role is null or role = :role)
and (:after is null or at >= :after)
and (:before is null or at < :before)

-- name: search_documents
-- The best documents by words and the best by meaning, each with both scores: :limit of the user's
-- messages and :limit of the others, because some passage of a long answer matches most queries.
-- Words: BM25 over the documents with any of the terms. Terms have a prefix for their user. The join
-- order is fixed, from the few terms to their documents; a term is known by its place in the list.
-- Frequencies are capped as on PostgreSQL.
-- Meaning: first the Hamming distance of the signs of all vectors, then the cosine of the nearest.
-- Ids are hexadecimal, so all of them sort before 'g'.
with matches as materialized (
    select wanted.key as term, vocabulary.doc, min(count(*), 255) as frequency
    from json_each(:terms) as wanted
    cross join document_vocabulary as vocabulary on vocabulary.term = wanted.value
    group by 1, 2
),
counted as materialized (
    select matches.term, matches.doc, matches.frequency, owner_id, role, length
    from matches cross join documents on documents.doc = matches.doc
    where user_id = :user_id and kind = :kind and {in_filters}
),
weights as materialized (
    select term, ln(1 + (max(:documents, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) as weight
    from counted group by term
),
lengths as materialized (
    select avg(length) as average from (select distinct doc, length from counted)
),
lexical as materialized (
    select
        counted.owner_id, counted.role,
        sum(
            weight * frequency * 2.2
            / (frequency + 1.2 * (0.25 + 0.75 * length / lengths.average))
        ) as score
    from counted join weights using (term) cross join lengths
    group by counted.doc
),
alike as materialized (
    select owner_id, role from vector_codes
    where user_id = :user_id and model = :model and kind = :kind
        and conversation_id >= coalesce(:conversation_id, '')
        and conversation_id <= coalesce(:conversation_id, 'g')
        and {in_filters}
    order by vec_distance_hamming(vec_bit(code), vec_quantize_binary(:vector))
    limit 4 * :limit + 100
),
near as materialized (
    select
        alike.owner_id, alike.role,
        1 - vec_distance_cosine(embeddings.vector, :vector) as similarity
    from alike cross join embeddings
        on embeddings.user_id = :user_id and embeddings.kind = :kind
            and embeddings.owner_id = alike.owner_id and embeddings.model = :model
),
best as materialized (
    select owner_id, max(score) as score, max(similarity) as similarity
    from (
        select * from (
            select owner_id, score, null as similarity from lexical where role is 'user'
            order by score desc, owner_id desc limit :limit
        )
        union all
        select * from (
            select owner_id, score, null from lexical where role is not 'user'
            order by score desc, owner_id desc limit :limit
        )
        union all
        select * from (
            select owner_id, null, similarity from near where role is 'user'
            order by similarity desc, owner_id desc limit :limit
        )
        union all
        select * from (
            select owner_id, null, similarity from near where role is not 'user'
            order by similarity desc, owner_id desc limit :limit
        )
    )
    group by owner_id
)
select
    coalesce(documents.part_of, documents.owner_id) as id, documents.part,
    documents.start_offset, documents.end_offset, documents.conversation_id,
    messages.seq, messages.turn, messages.role, messages.metadata, messages.event_at,
    messages.created_at, best.score,
    coalesce(best.similarity, (
        select 1 - vec_distance_cosine(vector, :vector) from embeddings
        where user_id = :user_id and kind = :kind and owner_id = best.owner_id and model = :model
    )) as similarity
from best
cross join documents
    on documents.user_id = :user_id and documents.kind = :kind
        and documents.owner_id = best.owner_id
left join messages
    on messages.user_id = :user_id
        and messages.id = coalesce(documents.part_of, documents.owner_id)
where :kind <> 'message' or (messages.id is not null and messages.superseded_at is null);
