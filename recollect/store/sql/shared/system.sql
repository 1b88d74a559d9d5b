-- The few queries across users. They are marked `system` and run only under `Database.system`.

-- name: list_migrations system
select version, checksum from migrations;

-- part: api_key_columns
user_id, id, prefix, is_admin, created_at, revoked_at, name, expires_at, last_used_at,
coalesce(scope, case when is_admin then 'admin' else 'write' end) as scope

-- name: find_api_key system
-- By hash, because the user is not known yet.
select key_hash, {api_key_columns} from api_keys
where key_hash = :key_hash and revoked_at is null and (expires_at is null or expires_at > :now);

-- name: get_api_key system
select {api_key_columns} from api_keys
where id = :id and revoked_at is null and (expires_at is null or expires_at > :now);

-- name: expire_api_key system
-- A key that expires earlier stays as it is.
update api_keys set expires_at = :at
where id = :id and (expires_at is null or expires_at > :at);

-- name: record_api_key_use system
update api_keys set last_used_at = :at
where id = :id and (last_used_at is null or last_used_at < :at);

-- name: count_api_keys system
-- Revoked keys count: a server that has required keys must not open up when the last one is revoked.
select count(*) as count from api_keys;

-- name: insert_placeholder_user system
-- The id of a real user is never empty.
insert into users (user_id, created_at) values ('', :now) on conflict do nothing;

-- name: insert_placeholder_key system
-- A revoked key whose hash matches no key. It only counts.
insert into api_keys (user_id, id, key_hash, prefix, is_admin, created_at, revoked_at)
values ('', :id, '', '', false, :now, :now) on conflict do nothing;

-- name: list_api_keys system
-- The first page starts after all times.
select {api_key_columns} from api_keys
where user_id <> '' and (created_at, id) < (:before_at, :before_id)
order by created_at desc, id desc
limit :limit;

-- name: revoke_api_key system
update api_keys set revoked_at = :now where id = :id and revoked_at is null
returning id;

-- name: delete_retired_idempotency_keys system
delete from deleted_idempotency_keys where created_at < :before;

-- name: list_conversations_over_retention system
-- Conversations with turns that are too old, or that come before the newest :max_turns active ones.
-- Turns with a streaming answer do not count.
select user_id, id from conversations
where policy = :policy
    and (
        exists (
            select 1 from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
            group by turn
            having max(created_at) < :before and count(*) filter (where status = 'streaming') = 0
        )
        or (
            select turn from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
            group by turn
            having count(*) filter (where status = 'streaming') = 0
            order by turn
            limit 1
        ) < (
            select turn from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
                and superseded_at is null
            group by turn
            order by turn desc
            limit 1 offset :max_turns - 1
        )
    )
limit :limit;

-- name: claim_due_job system
-- The oldest due job whose conversation has no running job of the same kind.
update jobs
set state = 'running', lease_owner = :owner, lease_until = :lease_until, attempts = attempts + 1,
    updated_at = :now
where (user_id, id) = (
    select due.user_id, due.id from jobs as due
    where due.state = 'waiting' and due.run_at <= :now and due.kind in ({job_kinds})
        and not exists (
            select 1 from jobs as rival
            where rival.user_id = due.user_id and rival.conversation_id = due.conversation_id
                and rival.kind = due.kind and rival.state = 'running'
        )
    order by due.run_at
    limit 1
    {skip_locked}
)
returning user_id, id, kind, conversation_id, payload, attempts;

-- name: claim_expired_job system
-- A running job whose lease has expired.
update jobs
set lease_owner = :owner, lease_until = :lease_until, attempts = attempts + 1, updated_at = :now
where (user_id, id) = (
    select expired.user_id, expired.id from jobs as expired
    where expired.state = 'running' and expired.lease_until < :now and expired.kind in ({job_kinds})
    order by expired.lease_until
    limit 1
    {skip_locked}
)
returning user_id, id, kind, conversation_id, payload, attempts;

-- name: extend_lease system
-- Returns no row if the lease was lost.
update jobs set lease_until = :lease_until, updated_at = :now
where {claimed_job}
returning id;

-- name: finish_job system
update jobs
set state = :state, last_error = :last_error, lease_owner = null, lease_until = null,
    updated_at = :now
where {claimed_job}
returning id;

-- name: reschedule_job system
-- Does nothing if the same work is waiting already.
update jobs
set state = 'waiting', run_at = :run_at, last_error = :last_error, lease_owner = null,
    lease_until = null, updated_at = :now
where {claimed_job} and {no_duplicate}
returning id;

-- name: release_job system
-- Undoes the claim, unless the same work is waiting already.
update jobs
set state = 'waiting', attempts = attempts - 1, run_at = :now, lease_owner = null,
    lease_until = null, updated_at = :now
where {claimed_job} and {no_duplicate};

-- name: reset_future_run_times system
-- Jobs written by a clock that ran ahead: their run time may be days away.
update jobs set run_at = :now, updated_at = :now where state = 'waiting' and updated_at > :ahead;

-- name: expire_future_leases system
update jobs set lease_until = :now, updated_at = :now
where state = 'running' and updated_at > :ahead;

-- name: delete_finished_jobs system
delete from jobs where state = 'done' and updated_at < :before;

-- name: count_pending_index_jobs system
select count(*) as count from jobs where kind in ('index', 'embed') and state <> 'done';

-- name: count_jobs system
-- One query per state with a partial index. Done jobs are many and not counted.
select kind, 'waiting' as state, count(*) as count from jobs where state = 'waiting' group by kind
union all
select kind, 'running' as state, count(*) as count from jobs where state = 'running' group by kind
union all
select kind, 'failed' as state, count(*) as count from jobs where state = 'failed' group by kind;

-- name: next_job_at system
-- The earliest time at which a job can be claimed: its run time, or the end of its lease.
select min(at) as at from (
    select min(run_at) as at from jobs where state = 'waiting'
    union all
    select min(lease_until) as at from jobs where state = 'running'
) as times;

-- name: list_missing_digests system
-- Conversations whose backlog is over the limit of their policy, and that have no unfinished digest
-- job and none that ended after the last message: it would fold no more than that one.
select conversations.user_id, conversations.id from conversations
where policy = :policy
    and (
        (
            :over_tokens >= 0
            and summary_tokens + token_count - superseded_tokens - digested_tokens > :over_tokens
            and last_turn - digested_turn > :keep_turns
        )
        or (
            :over_messages >= 0
            and message_count - superseded_messages - digested_messages
                + case when :summary_is_entry and summary_tokens > 0 then 1 else 0 end
                > :over_messages
        )
    )
    and not exists (
        select 1 from jobs
        where jobs.user_id = conversations.user_id and jobs.conversation_id = conversations.id
            and jobs.kind = 'digest'
            and (jobs.state in ('waiting', 'running') or jobs.updated_at >= last_activity_at)
    )
limit :limit;

-- name: sum_calls_by_model system
-- Tokens that providers reported, and our estimates.
select model, sum(tokens_in) as reported, sum(estimated_in) as estimated from model_calls
where error is null and estimated_in > 0 and created_at > :since
group by model;

-- name: list_embedders system
select model, dimensions, state from embedders order by created_at;

-- name: insert_embedder system
insert into embedders (model, dimensions, state, created_at)
values (:model, :dimensions, :state, :now)
on conflict (model) do nothing;

-- name: delete_embedder system
delete from embedders where model = :model;

-- name: activate_embedder system
update embedders set state = 'active' where model = :model and state = 'filling';

-- name: delete_model_embeddings system
-- A batch of an unregistered embedder.
delete from embeddings where (user_id, kind, owner_id, model) in (
    select user_id, kind, owner_id, model from embeddings where model = :model limit :limit
)
returning owner_id;

-- name: delete_model_progress system
delete from embedding_progress where model = :model;

-- name: list_unembedded_conversations system
-- Conversations whose messages or topic :model has not embedded, without a pending or failed job.
select conversations.user_id, conversations.id from conversations
left join embedding_progress
    on embedding_progress.user_id = conversations.user_id
        and embedding_progress.conversation_id = conversations.id
        and embedding_progress.model = :model
where conversations.kind = 'chat'
    and (
        embedding_progress.through_seq is null
        or embedding_progress.through_seq < conversations.last_seq
        or exists (
            select 1 from documents
            where documents.user_id = conversations.user_id and documents.kind = 'topic'
                and documents.owner_id = conversations.id
                and not exists (
                    select 1 from embeddings
                    where embeddings.user_id = documents.user_id and embeddings.kind = 'topic'
                        and embeddings.owner_id = documents.owner_id and embeddings.model = :model
                )
        )
    )
    and not exists (
        select 1 from jobs
        where jobs.user_id = conversations.user_id and jobs.conversation_id = conversations.id
            and jobs.kind = 'embed'
            and (jobs.state in ('waiting', 'running')
                or (jobs.state = 'failed' and jobs.updated_at > :failed_since))
    )
limit :limit;

-- name: delete_failed_embeds system
-- The sweep enqueues them again.
delete from jobs where kind = 'embed' and state = 'failed' and updated_at <= :before;

-- name: list_users_with_unembedded_memories system
select distinct memories.user_id from memories
join documents
    on documents.user_id = memories.user_id and documents.kind = 'memory'
        and documents.owner_id = memories.id
left join embeddings
    on embeddings.user_id = memories.user_id and embeddings.kind = 'memory'
        and embeddings.owner_id = memories.id and embeddings.model = :model
where embeddings.owner_id is null
    and not exists (
        select 1 from jobs
        where jobs.user_id = memories.user_id and jobs.conversation_id is null
            and jobs.kind = 'embed'
            and (jobs.state in ('waiting', 'running')
                or (jobs.state = 'failed' and jobs.updated_at > :failed_since))
    )
limit :limit;

-- name: has_unembedded system
-- Whether the :active embedder has embedded anything that :model has not.
select exists (
    select 1 from embedding_progress as old
    left join embedding_progress as new
        on new.user_id = old.user_id and new.conversation_id = old.conversation_id
            and new.model = :model
    where old.model = :active
        and (new.through_seq is null or new.through_seq < old.through_seq)
) or exists (
    select 1 from embeddings as old
    left join embeddings as new
        on new.user_id = old.user_id and new.kind = old.kind and new.owner_id = old.owner_id
            and new.model = :model
    where old.model = :active and old.kind <> 'message' and new.owner_id is null
) as is_unread;

-- name: list_unregistered_embedders system
-- Embedders that are not registered any more but have vectors.
select distinct model from embedding_progress
where model not in (select model from embedders)
union
select distinct model from embeddings
where kind = 'memory' and model not in (select model from embedders);

-- name: list_all_conversations system
select user_id, id from conversations
where kind = 'chat' and (user_id, id) > (:after_user, :after_id)
order by user_id, id
limit :limit;

-- name: list_unsplit_conversations system
-- Conversations with messages that are indexed as a whole, by a release before passages, and without
-- an unfinished or failed index job.
select user_id, conversation_id from (
    select distinct user_id, conversation_id from documents
    where kind = 'message' and end_offset = 2147483647
) as unsplit
where not exists (
    select 1 from jobs
    where jobs.user_id = unsplit.user_id and jobs.conversation_id = unsplit.conversation_id
        and jobs.kind = 'index' and jobs.state in ('waiting', 'running', 'failed')
)
limit :limit;

-- name: list_missing_extractions system
-- Conversations with unextracted turns and without an unfinished or failed extraction job.
select user_id, id from conversations
where kind = 'chat' and policy = :policy and remember and last_turn > extracted_turn
    and last_activity_at < :quiet_since
    and not exists (
        select 1 from jobs
        where jobs.user_id = conversations.user_id and jobs.conversation_id = conversations.id
            and jobs.kind = 'extract' and jobs.state in ('waiting', 'running', 'failed')
    )
limit :limit;

-- name: list_users_with_memories system
select distinct user_id from memories order by user_id;

-- name: list_expired_answers system
-- Streaming answers whose heartbeat is older than :before, or further in the future than the
-- tolerated clock skew.
select user_id, id from messages
where status = 'streaming' and (heartbeat_at < :before or heartbeat_at > :ahead)
limit :limit;
