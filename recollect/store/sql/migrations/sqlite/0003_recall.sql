-- What search can find, each with the words it is found by. FTS5 knows its rows by an integer, and
-- the implicit ones may change: `doc` maps them. The words themselves are in `document_terms`.
create table documents (
    doc integer not null primary key,
    user_id text not null references users (user_id) on delete cascade,
    kind text not null check (kind in ('message', 'topic', 'memory')),
    owner_id text not null,
    conversation_id text,
    role text,
    at text,
    length integer not null,
    unique (user_id, kind, owner_id),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create index documents_by_conversation on documents (user_id, conversation_id);

-- Terms come analyzed and parted by blanks: whatever else is in them belongs to them.
create virtual table document_terms using fts5 (
    terms, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
);
create virtual table document_vocabulary using fts5vocab (document_terms, instance);

create view indexed_documents as
select user_id, kind, owner_id, conversation_id, role, at, length, '' as terms from documents;

create trigger indexed_documents_put instead of insert on indexed_documents
begin
    insert into documents (user_id, kind, owner_id, conversation_id, role, at, length)
    values (
        new.user_id, new.kind, new.owner_id, new.conversation_id, new.role, new.at, new.length
    )
    on conflict (user_id, kind, owner_id)
    do update set role = excluded.role, at = excluded.at, length = excluded.length;
    insert or replace into document_terms (rowid, terms)
    select doc, new.terms from documents
    where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id;
end;

create trigger documents_deleted after delete on documents
begin
    delete from document_terms where rowid = old.doc;
end;

-- The signs of each vector's numbers, side by side: the first, rough look at all of them.
create table vector_codes (
    user_id text not null,
    model text not null,
    kind text not null,
    conversation_id text not null,
    owner_id text not null,
    role text,
    at text,
    code blob not null,
    primary key (user_id, model, kind, conversation_id, owner_id)
) strict, without rowid;

create trigger embeddings_put after insert on embeddings
begin
    insert into vector_codes (user_id, model, kind, conversation_id, owner_id, role, at, code)
    select
        new.user_id, new.model, new.kind, coalesce(new.conversation_id, ''), new.owner_id,
        role, at, vec_quantize_binary(new.vector)
    from documents
    where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id;
end;

create trigger embeddings_changed after update of vector on embeddings
begin
    update vector_codes set code = vec_quantize_binary(new.vector)
    where user_id = new.user_id and model = new.model and kind = new.kind
        and conversation_id = coalesce(new.conversation_id, '') and owner_id = new.owner_id;
end;

create trigger embeddings_deleted after delete on embeddings
begin
    delete from vector_codes
    where user_id = old.user_id and model = old.model and kind = old.kind
        and conversation_id = coalesce(old.conversation_id, '') and owner_id = old.owner_id;
end;

-- Whose vectors there are: searches use the active embedder's, while another one's may be filled in.
create table embedders (
    model text not null primary key,
    dimensions integer not null,
    state text not null check (state in ('active', 'filling')),
    created_at text not null
) strict;

create unique index embedders_one_active on embedders (state) where state = 'active';

-- How far the messages of a conversation are embedded.
create table embedding_progress (
    user_id text not null,
    conversation_id text not null,
    model text not null,
    through_seq integer not null,
    primary key (user_id, conversation_id, model),
    foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade
) strict;

create index embedding_progress_by_model on embedding_progress (model);

-- Conversations from before can be searched once these are done.
insert into jobs (
    user_id, id, kind, conversation_id, dedupe_key, payload, state, attempts, run_at,
    created_at, updated_at
)
select
    user_id,
    lower(
        hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2)
        || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
    ),
    'index', id, id, 'null', 'waiting', 0, created_at, created_at, created_at
from conversations
where kind = 'chat' and message_count > 0;
