-- Long messages are indexed and embedded in parts. Part 0 has the message's id as its owner_id, as
-- rows from before do; later parts have an id of their own and name the message in `part_of`. So the
-- keys stay as they are, and earlier releases can go on writing. A row that does not say where its
-- text ends is of a whole message and is indexed again in the background.
alter table documents add column part_of uuid;
alter table documents add column part integer not null default 0;
alter table documents add column start_offset integer not null default 0;
alter table documents add column end_offset integer not null default 2147483647;

create index documents_by_message on documents (user_id, part_of) where part_of is not null;
create index documents_unsplit on documents (user_id, conversation_id)
where kind = 'message' and end_offset = 2147483647;

alter table embeddings add column part_of uuid;
alter table embeddings add column part integer not null default 0;

create index embeddings_by_message on embeddings (user_id, part_of) where part_of is not null;

-- The other parts of a message go with its first, whichever release deletes it.
create function delete_later_parts() returns trigger
language plpgsql
as $$
begin
    if exists (select 1 from gone where kind = 'message' and part = 0) then
        delete from embeddings using gone
        where embeddings.user_id = gone.user_id and embeddings.part_of = gone.owner_id;
        delete from documents using gone
        where documents.user_id = gone.user_id and documents.part_of = gone.owner_id;
    end if;
    return null;
end
$$;

create trigger documents_first_deleted after delete on documents
referencing old table as gone
for each statement execute function delete_later_parts();

-- The caller's name for a group of conversations, and where contexts may take passages from; null
-- leaves that to the policy.
alter table conversations add column project_id text;
alter table conversations add column recall_scope text
    check (recall_scope in ('conversation', 'project', 'user'));

create index conversations_by_project
    on conversations (user_id, project_id, kind, is_archived, last_activity_at, id)
where project_id is not null;

-- Conversations that others take no passages from: few, so that a search can exclude them.
create index conversations_not_recalled on conversations (user_id, id)
where is_archived or not remember or kind <> 'chat';

-- The functions below replace `match_documents` and `nearest_embeddings`, which stay for earlier
-- releases. They search the documents of some conversations or of all (null), but the excluded ones,
-- and of some owners or of all.

-- BM25. Runs as the system's role, and reads the rows of the transaction's own user only: see
-- `match_documents`.
create function find_by_words(
    p_kind text, p_terms text[], p_documents double precision, p_conversations uuid[],
    p_excluded uuid[], p_owners uuid[], p_role text, p_after timestamptz, p_before timestamptz,
    p_limit integer
) returns table (owner_id uuid, score double precision)
language sql stable security definer
begin atomic
    with counted as materialized (
        select
            wanted.term, found.owner_id, found.length,
            round(1 / (1.6449340668 * (1 - found.rank)) - 0.5) as frequency
        from (
            select term, cast('''' || term || '''' as tsquery) as query from unnest(p_terms) as term
        ) as wanted
        cross join lateral (
            select
                matching.owner_id, matching.length,
                cast(ts_rank('{1,1,1,1}', matching.terms, wanted.query) as double precision)
                    as rank
            from (
                select * from documents where documents.terms @@ wanted.query offset 0
            ) as matching
            where matching.user_id = current_setting('recollect.user_id', true)
                and matching.kind = p_kind
                and (p_conversations is null or matching.conversation_id = any (p_conversations))
                and (p_excluded is null or matching.conversation_id <> all (p_excluded))
                and (p_owners is null or matching.owner_id = any (p_owners))
                and (p_role is null or matching.role = p_role)
                and (p_after is null or matching.at >= p_after)
                and (p_before is null or matching.at < p_before)
        ) as found
    ),
    weights as (
        select
            term,
            ln(1 + (greatest(p_documents, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) as weight
        from counted group by term
    ),
    lengths as materialized (
        select avg(one.length) as average
        from (select distinct counted.owner_id, counted.length from counted) as one
    )
    select
        counted.owner_id,
        sum(
            weight * frequency * 2.2
            / (frequency + 1.2 * (0.25 + 0.75 * length / lengths.average))
        ) as score
    from counted join weights using (term) cross join lengths
    group by counted.owner_id
    order by score desc, counted.owner_id desc
    limit p_limit;
end;

select cast('[1]' as vector); -- loads pgvector, as in 0003

-- The nearest vectors, by the index of their model or by a scan of the user's.
create function find_by_meaning(
    p_model text, p_dimensions integer, p_vector vector, p_kind text, p_conversations uuid[],
    p_excluded uuid[], p_owners uuid[], p_role text, p_after timestamptz, p_before timestamptz,
    p_limit integer
) returns table (owner_id uuid, similarity double precision)
language plpgsql stable
set hnsw.ef_search = 200
set hnsw.iterative_scan = 'relaxed_order'
as $$
begin
    if p_vector is null then
        return;
    end if;
    return query execute format(
        'select nearest.owner_id, 1 - (nearest.vector <=> $1) from ('
        ' select e.owner_id, e.vector from embeddings as e'
        ' where e.user_id = current_setting(''recollect.user_id'', true)'
        ' and e.model = %2$L and e.kind = $2 %3$s %4$s %5$s %6$s'
        ' order by cast(e.vector as halfvec(%1$s)) <=> cast($1 as halfvec(%1$s)) limit $3'
        ') as nearest',
        p_dimensions, p_model,
        case when cardinality(p_conversations) = 1 then 'and e.conversation_id = $4[1]'
            when p_conversations is not null then 'and e.conversation_id = any ($4)' end,
        case when p_excluded is not null then 'and e.conversation_id <> all ($8)' end,
        case when p_owners is not null then 'and e.owner_id = any ($9)' end,
        case when num_nonnulls(p_role, p_after, p_before) > 0 then
            'and exists (select 1 from documents as d where d.user_id = e.user_id'
            ' and d.kind = e.kind and d.owner_id = e.owner_id and ($5 is null or d.role = $5)'
            ' and ($6 is null or d.at >= $6) and ($7 is null or d.at < $7))'
        end
    ) using p_vector, p_kind, p_limit, p_conversations, p_role, p_after, p_before, p_excluded,
        p_owners;
end
$$;

do $$
begin
    execute format('grant create on schema %I to recollect_system', current_schema());
    execute format('alter function find_by_words set search_path to %I, pg_temp', current_schema());
    alter function find_by_words owner to recollect_system;
    execute format('revoke create on schema %I from recollect_system', current_schema());
end
$$;

revoke execute on function find_by_words, find_by_meaning from public;
grant execute on function find_by_words, find_by_meaning to recollect_app;
