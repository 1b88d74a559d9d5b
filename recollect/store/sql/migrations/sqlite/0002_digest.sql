-- What the newest summary covers, kept with the conversation, so that an append can tell without
-- a look at the messages whether a digest is owed. `removals` counts deleted messages: a digest
-- that read them must not be committed after they are gone.
alter table conversations add column through_seq integer not null default 0;
alter table conversations add column digested_turn integer not null default 0;
alter table conversations add column digested_messages integer not null default 0;
alter table conversations add column digested_tokens integer not null default 0;
alter table conversations add column summary_tokens integer not null default 0;
alter table conversations add column removals integer not null default 0;

-- What a user wrote into a summary, and how many exact values it was given and still holds.
alter table summaries add column kept text not null default '';
alter table summaries add column facts_found integer not null default 0;
alter table summaries add column facts_kept integer not null default 0;

alter table model_calls add column estimated_in integer not null default 0;

create index messages_pinned on messages (user_id, conversation_id, seq) where is_pinned;
create index jobs_leased on jobs (lease_until) where state = 'running';
create index model_calls_by_model on model_calls (model, created_at);

-- What the analytics need of a receipt, without opening it.
alter table receipts add column mode text not null default 'compressed';
alter table receipts add column tokens integer not null default 0;
alter table receipts add column full_history_tokens integer not null default 0;
