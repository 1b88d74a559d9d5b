-- Messages that a newer answer or an edited question has taken the place of: they are on record, and
-- count neither as something to digest nor as something that would have been sent.
alter table conversations add column superseded_messages integer not null default 0;
alter table conversations add column superseded_tokens bigint not null default 0;

-- Somebody wants a running answer to end; its owner finds this at its next heartbeat.
alter table messages add column stop_asked_at timestamptz;

-- How many there are is asked for again and again.
create index jobs_failed on jobs (kind) where state = 'failed';
