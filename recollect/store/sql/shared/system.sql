-- The few statements that look across users. They are marked `system`, run only under
-- `Database.system`, and no other statement does.

-- name: list_migrations system
select version, checksum from migrations;

-- name: find_api_key system
-- By hash, before anybody knows whose key it is.
select user_id, id, prefix, is_admin, created_at, revoked_at from api_keys
where key_hash = :key_hash and revoked_at is null;

-- name: count_api_keys system
-- Revoked ones too: a server that once wanted keys must not fall open when the last one is gone.
select count(*) as count from api_keys;

-- name: list_api_keys system
select user_id, id, prefix, is_admin, created_at, revoked_at from api_keys
order by created_at, id;

-- name: revoke_api_key system
update api_keys set revoked_at = :now where id = :id and revoked_at is null
returning id;

-- name: list_overdue_conversations system
-- Where a retention rule has work to do: a turn has grown too old, or there are too many.
select user_id, id from conversations
where policy = :policy
    and (
        exists (
            select 1 from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
            group by turn
            having max(created_at) < :before
        )
        or (
            select count(distinct turn) from messages
            where messages.user_id = conversations.user_id
                and messages.conversation_id = conversations.id
        ) > :max_turns
    )
limit :limit;

-- name: extend_lease system
-- No row comes back when the lease was lost.
update jobs set lease_until = :lease_until, updated_at = :now
where user_id = :user_id and id = :id and lease_owner = :owner and attempts = :attempts
    and state = 'running'
returning id;

-- name: finish_job system
update jobs
set state = :state, last_error = :last_error, lease_owner = null, lease_until = null,
    updated_at = :now
where user_id = :user_id and id = :id and lease_owner = :owner and attempts = :attempts
    and state = 'running'
returning id;

-- name: postpone_job system
-- Back to waiting, unless the same work is waiting already.
update jobs
set state = 'waiting', run_at = :run_at, last_error = :last_error, lease_owner = null,
    lease_until = null, updated_at = :now
where user_id = :user_id and id = :id and lease_owner = :owner and attempts = :attempts
    and state = 'running'
    and not exists (
        select 1 from jobs as rival
        where rival.user_id = jobs.user_id and rival.kind = jobs.kind
            and rival.dedupe_key = jobs.dedupe_key and rival.state = 'waiting'
    )
returning id;

-- name: give_back_job system
-- As if it had not been claimed, unless the same work is waiting already.
update jobs
set state = 'waiting', attempts = attempts - 1, run_at = :now, lease_owner = null,
    lease_until = null, updated_at = :now
where user_id = :user_id and id = :id and lease_owner = :owner and attempts = :attempts
    and state = 'running'
    and not exists (
        select 1 from jobs as rival
        where rival.user_id = jobs.user_id and rival.kind = jobs.kind
            and rival.dedupe_key = jobs.dedupe_key and rival.state = 'waiting'
    );

-- name: delete_finished_jobs system
delete from jobs where state = 'done' and updated_at < :before;

-- name: next_job_at system
-- When there is something to claim: a job that waits, or one whose worker may be gone.
select min(at) as at from (
    select min(run_at) as at from jobs where state = 'waiting'
    union all
    select min(lease_until) as at from jobs where state = 'running'
) as times;

-- name: list_owed_digests system
-- Conversations whose backlog has outgrown their policy, with no job waiting or running for it,
-- and none that has ended since anything was said: what it could not fold, the next cannot either.
select conversations.user_id, conversations.id from conversations
where policy = :policy
    and (
        (
            :over_tokens >= 0
            and summary_tokens + token_count - digested_tokens > :over_tokens
            and last_turn - digested_turn > :keep_turns
        )
        or (
            :over_messages >= 0
            and message_count - digested_messages
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
-- What providers reported against what we had counted.
select model, sum(tokens_in) as reported, sum(estimated_in) as estimated from model_calls
where error is null and estimated_in > 0 and created_at > :since
group by model;
