-- What search can find, each with the words it is found by, analyzed by us.
create table documents (
    user_id text not null references users (user_id) on delete cascade,
    kind text not null check (kind in ('message', 'topic', 'memory')),
    owner_id uuid not null,
    conversation_id uuid,
    role text,
    at timestamptz,
    length integer not null,
    terms tsvector not null,
    primary key (user_id, kind, owner_id),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create index documents_by_conversation on documents (user_id, conversation_id);
create index documents_by_term on documents using gin (terms);

-- Whose vectors there are: searches use the active embedder's, while another one's may be filled in.
create table embedders (
    model text not null primary key,
    dimensions integer not null,
    state text not null check (state in ('active', 'filling')),
    created_at timestamptz not null
);

create unique index embedders_one_active on embedders (state) where state = 'active';
grant select on embedders to recollect_app;
grant select, insert, update, delete on embedders to recollect_system;

-- How far the messages of a conversation are embedded.
create table embedding_progress (
    user_id text not null,
    conversation_id uuid not null,
    model text not null,
    through_seq integer not null,
    primary key (user_id, conversation_id, model),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
);

create index embedding_progress_by_model on embedding_progress (model);

do $$
declare
    name text;
begin
    foreach name in array array['documents', 'embedding_progress']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy own_rows on %I to recollect_app'
            ' using (user_id = current_setting(''recollect.user_id'', true))', name);
        execute format('create policy all_rows on %I to recollect_system using (true)', name);
        execute format(
            'grant select, insert, update, delete on %I to recollect_app, recollect_system', name);
    end loop;
end
$$;

-- BM25 over what matches any of the terms. Row-level security keeps PostgreSQL from using the index
-- of the terms, since `@@` might tell of rows that it hides: so this runs as the system's role, and
-- looks at the rows of the transaction's own user only.
-- Each term is looked up on its own; `offset 0` keeps the planner from doing anything else first. The
-- rank of one word that occurs n times is the sum of 1/i² up to n, over that of all: so it tells n,
-- far quicker than taking the vectors apart.
create function match_documents(
    p_kind text, p_terms text[], p_documents double precision, p_conversation uuid, p_role text,
    p_after timestamptz, p_before timestamptz, p_limit integer
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
                and (p_conversation is null or matching.conversation_id = p_conversation)
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

select cast('[1]' as vector); -- loads pgvector, whose settings only a superuser may name before

-- The nearest vectors, by the index of their model where that is quicker than a look at all of the
-- user's. An index is of vectors of one length, so the statement has to name it.
create function nearest_embeddings(
    p_model text, p_dimensions integer, p_vector vector, p_kind text, p_conversation uuid,
    p_role text, p_after timestamptz, p_before timestamptz, p_limit integer
) returns table (owner_id uuid, similarity double precision)
language plpgsql stable
set hnsw.ef_search = 200
set hnsw.iterative_scan = 'relaxed_order'
as $$
begin
    return query execute format(
        'select nearest.owner_id, 1 - (nearest.vector <=> $1) from ('
        ' select e.owner_id, e.vector from embeddings as e'
        ' where e.user_id = current_setting(''recollect.user_id'', true)'
        ' and e.model = %2$L and e.kind = $2 %3$s %4$s'
        ' order by cast(e.vector as halfvec(%1$s)) <=> cast($1 as halfvec(%1$s)) limit $3'
        ') as nearest',
        p_dimensions, p_model,
        case when p_conversation is not null then 'and e.conversation_id = $4' end,
        case when num_nonnulls(p_role, p_after, p_before) > 0 then
            'and exists (select 1 from documents as d where d.user_id = e.user_id'
            ' and d.kind = e.kind and d.owner_id = e.owner_id and ($5 is null or d.role = $5)'
            ' and ($6 is null or d.at >= $6) and ($7 is null or d.at < $7))'
        end
    ) using p_vector, p_kind, p_limit, p_conversation, p_role, p_after, p_before;
end
$$;

do $$
begin
    execute format('grant create on schema %I to recollect_system', current_schema());
    execute format(
        'alter function match_documents set search_path to %I, pg_temp', current_schema());
    alter function match_documents owner to recollect_system;
    execute format('revoke create on schema %I from recollect_system', current_schema());
end
$$;

-- Who may not read the tables may not ask these either, whatever user they name.
revoke execute on function match_documents, nearest_embeddings from public;
grant execute on function match_documents, nearest_embeddings to recollect_app;

-- A conversation as one row, in the words of those who come from such a table.
create view chats with (security_invoker = true) as
select
    c.id,
    c.user_id,
    c.title,
    coalesce(spoken.history, '[]') as full_history,
    case when s.version is null then '[]' else jsonb_build_array(
        jsonb_build_object('role', 'model', 'parts', jsonb_build_array(
            jsonb_build_object('text', s.text)
        ))
    ) end || coalesce(spoken.undigested, '[]') as assistant_history,
    coalesce(e.text, c.topic) as summary_text,
    e.vector as summary_embedding,
    c.last_activity_at,
    c.created_at
from conversations as c
left join summaries as s
    on s.user_id = c.user_id and s.conversation_id = c.id and s.version = c.summary_version
left join embeddings as e
    on e.user_id = c.user_id and e.kind = 'topic' and e.owner_id = c.id
        and e.model = (select model from embedders where state = 'active')
left join lateral (
    select
        jsonb_agg(turn.said order by turn.seq) as history,
        jsonb_agg(turn.said order by turn.seq)
            filter (where turn.seq > c.through_seq) as undigested
    from (
        select m.seq, jsonb_strip_nulls(jsonb_build_object(
            'role', case m.role when 'user' then 'user' else 'model' end,
            'parts', jsonb_build_array(jsonb_build_object('text', m.content)),
            'thinking', m.thinking
        )) as said
        from messages as m
        where m.user_id = c.user_id and m.conversation_id = c.id
            and m.role in ('user', 'assistant') and m.superseded_at is null
    ) as turn
) as spoken on true
where c.kind = 'chat';

grant select on chats to recollect_app;

create function search_chats_semantic(
    p_query_embedding vector, p_limit integer default 5, p_max_distance double precision default 1.0
) returns table (
    id uuid, title text, summary_text text, last_activity_at timestamptz, created_at timestamptz,
    distance double precision, similarity double precision
)
language sql stable
begin atomic
    select
        c.id, c.title, e.text, c.last_activity_at, c.created_at,
        e.vector <=> p_query_embedding as distance,
        1 - (e.vector <=> p_query_embedding) as similarity
    from embeddings as e
    join conversations as c on c.user_id = e.user_id and c.id = e.owner_id
    where e.user_id = current_setting('recollect.user_id', true) and e.kind = 'topic'
        and e.model = (select model from embedders where state = 'active')
        and not c.is_archived
        and e.vector <=> p_query_embedding <= p_max_distance
    order by distance, c.last_activity_at desc
    limit p_limit;
end;

revoke execute on function search_chats_semantic from public;
grant execute on function search_chats_semantic to recollect_app;

-- Conversations from before can be searched once these are done. Their owner may be bound by
-- row-level security itself. The search path may name a schema by the role.
select set_config('search_path', string_agg(quote_ident(name), ', '), true)
from unnest(current_schemas(false)) as name;
set local role recollect_system;
insert into jobs (
    user_id, id, kind, conversation_id, dedupe_key, payload, state, attempts, run_at,
    created_at, updated_at
)
select
    user_id, gen_random_uuid(), 'index', id, cast(id as text), 'null', 'waiting', 0, created_at,
    created_at, created_at
from conversations
where kind = 'chat' and message_count > 0;
reset role;
