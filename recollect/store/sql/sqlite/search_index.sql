-- name: put_document
insert into indexed_documents (
    user_id, kind, owner_id, conversation_id, role, at, length, terms
) values (
    :user_id, :kind, :owner_id, :conversation_id, :role, :at, :length, :terms
);

-- name: match_documents
-- BM25 over the documents with any of the terms. Terms have a prefix for their user. The join order
-- is fixed, from the few terms to their documents. Frequencies are capped as on PostgreSQL. Memory
-- documents have no conversation, so their source conversation is filtered afterwards.
with found as materialized (
    select wanted.value as term, vocabulary.doc, min(count(*), 255) as frequency
    from json_each(:terms) as wanted
    cross join document_vocabulary as vocabulary on vocabulary.term = wanted.value
    group by 1, 2
),
counted as materialized (
    select found.term, found.doc, found.frequency, documents.owner_id, documents.length
    from found cross join documents on documents.doc = found.doc
    where documents.user_id = :user_id and documents.kind = :kind
        and (
            :conversation_id is null or :kind = 'memory'
            or documents.conversation_id = :conversation_id
        )
        and (:role is null or documents.role = :role)
        and (:after is null or documents.at >= :after)
        and (:before is null or documents.at < :before)
),
weights as materialized (
    select term, ln(1 + (max(:documents, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) as weight
    from counted group by term
),
lengths as materialized (
    select avg(length) as average from (select distinct doc, length from counted)
)
select
    counted.owner_id,
    sum(
        weight * frequency * 2.2
        / (frequency + 1.2 * (0.25 + 0.75 * length / lengths.average))
    ) as score
from counted join weights using (term) cross join lengths
where :conversation_id is null or :kind <> 'memory' or counted.owner_id in (
    select id from memories
    where user_id = :user_id and source_conversation_id = :conversation_id
)
group by counted.doc
order by score desc, counted.owner_id desc
limit :limit;
