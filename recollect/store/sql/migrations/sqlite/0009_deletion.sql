-- Conversations that were deleted, so that an older export does not bring them back. A tombstone has
-- the id, which tells nothing about what was said.
create table conversation_tombstones (
    user_id text not null references users (user_id) on delete cascade,
    id text not null,
    created_at text not null,
    primary key (user_id, id)
) strict;

-- Idempotency keys of deleted conversations, for a day: a retry does not bring back what was deleted.
create table deleted_idempotency_keys (
    user_id text not null references users (user_id) on delete cascade,
    scope text not null,
    key text not null,
    created_at text not null,
    primary key (user_id, scope, key)
) strict;

create index deleted_idempotency_keys_by_time on deleted_idempotency_keys (created_at);

-- FTS5 can remove the words of a document only if it gets them again; else it marks the document as
-- deleted, and the words stay in the file. So they are kept here. The prefix that all terms of a
-- document share, 13 characters for user and kind, is stored once; terms that do not share it are
-- stored as they are.
create table document_words (
    doc integer not null primary key,
    prefix text not null,
    words text not null
) strict;

create view document_texts as
select doc, substr(replace(words, ' ', ' ' || prefix), 2) as terms from document_words;

-- Documents whose words are still in the index. Removing them takes about a millisecond each, so a
-- deletion leaves that to the writer, which does it in small transactions.
create table deleted_documents (
    doc integer not null primary key
) strict;

-- The terms of existing documents are read back from the index, each at its position.
create temporary table indexed_terms as
select doc, terms, substr(terms, 1, 13) as prefix
from (
    select doc, group_concat(term, ' ' order by "offset") as terms
    from document_vocabulary group by doc
);

insert into document_words (doc, prefix, words)
select doc, shared, replace(' ' || terms, ' ' || shared, ' ')
from (
    select
        doc, terms,
        case
            when replace(replace(' ' || terms, ' ' || prefix, ' '), ' ', ' ' || prefix) = ' ' || terms
            then prefix else ''
        end as shared
    from temp.indexed_terms
);

drop table temp.indexed_terms;
drop table document_vocabulary;
drop table document_terms;

create virtual table document_terms using fts5 (
    terms, content = 'document_texts', content_rowid = 'doc', columnsize = 0,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
);
create virtual table document_vocabulary using fts5vocab (document_terms, instance);
insert into document_terms (document_terms, rank) values ('secure-delete', 1);
insert into document_terms (document_terms) values ('rebuild');

drop trigger documents_deleted;
create trigger documents_deleted after delete on documents
begin
    insert or ignore into deleted_documents (doc) values (old.doc);
end;

-- The number of a deleted document may be given to a new one, so its words go first.
drop trigger indexed_documents_put;
create trigger indexed_documents_put instead of insert on indexed_documents
begin
    insert into documents (
        user_id, kind, owner_id, conversation_id, role, at, length, part_of, part, start_offset,
        end_offset
    )
    values (
        new.user_id, new.kind, new.owner_id, new.conversation_id, new.role, new.at, new.length,
        new.part_of, coalesce(new.part, 0), coalesce(new.start_offset, 0),
        coalesce(new.end_offset, 2147483647)
    )
    on conflict (user_id, kind, owner_id)
    do update set role = excluded.role, at = excluded.at, length = excluded.length,
        start_offset = excluded.start_offset, end_offset = excluded.end_offset;
    delete from document_terms where rowid = (
        select doc from documents
        where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id
    );
    delete from deleted_documents where doc = (
        select doc from documents
        where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id
    );
    insert or replace into document_words (doc, prefix, words)
    select doc, shared, replace(' ' || new.terms, ' ' || shared, ' ')
    from (
        select
            doc,
            case
                when replace(
                    replace(' ' || new.terms, ' ' || substr(new.terms, 1, 13), ' '),
                    ' ', ' ' || substr(new.terms, 1, 13)
                ) = ' ' || new.terms
                then substr(new.terms, 1, 13) else ''
            end as shared
        from documents
        where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id
    );
    insert into document_terms (rowid, terms)
    select doc, new.terms from documents
    where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id;
end;
