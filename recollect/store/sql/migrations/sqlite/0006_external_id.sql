-- The caller's own key for a conversation, such as a thread id of another framework.
alter table conversations add column external_id text;

create unique index conversations_external_id on conversations (user_id, external_id)
where external_id is not null;
