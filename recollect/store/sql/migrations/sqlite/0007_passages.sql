-- Long messages are indexed and embedded in parts. Part 0 has the message's id as its owner_id, as
-- rows from before do; later parts have an id of their own and name the message in `part_of`. So the
-- keys stay as they are, and earlier releases can go on writing. A row that does not say where its
-- text ends is of a whole message and is indexed again in the background.
alter table documents add column part_of text;
alter table documents add column part integer not null default 0;
alter table documents add column start_offset integer not null default 0;
alter table documents add column end_offset integer not null default 2147483647;

create index documents_by_message on documents (user_id, part_of) where part_of is not null;
create index documents_unsplit on documents (user_id, conversation_id)
where kind = 'message' and end_offset = 2147483647;

alter table embeddings add column part_of text;
alter table embeddings add column part integer not null default 0;

create index embeddings_by_message on embeddings (user_id, part_of) where part_of is not null;

drop trigger indexed_documents_put;
drop view indexed_documents;

create view indexed_documents as
select
    user_id, kind, owner_id, conversation_id, role, at, length, part_of, part, start_offset,
    end_offset, '' as terms
from documents;

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
    insert or replace into document_terms (rowid, terms)
    select doc, new.terms from documents
    where user_id = new.user_id and kind = new.kind and owner_id = new.owner_id;
end;

-- The other parts of a message go with its first, whichever release deletes it.
create trigger documents_first_deleted after delete on documents
when old.kind = 'message' and old.part = 0
begin
    delete from embeddings where user_id = old.user_id and part_of = old.owner_id;
    delete from documents where user_id = old.user_id and part_of = old.owner_id;
end;

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
