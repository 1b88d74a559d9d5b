-- part: job_columns
id, kind, conversation_id, state, attempts, last_error, run_at

-- part: claimed_job
user_id = :user_id and id = :id and lease_owner = :owner and attempts = :attempts
    and state = 'running'

-- part: no_duplicate
not exists (
        select 1 from jobs as rival
        where rival.user_id = :user_id and rival.kind = jobs.kind
            and rival.dedupe_key = jobs.dedupe_key and rival.state = 'waiting'
    )

-- name: enqueue_job
-- At most one waiting job per kind and dedupe key. The update of an existing job changes nothing, but
-- locks its row: a worker cannot claim it before this transaction is visible.
insert into jobs (
    user_id, id, kind, conversation_id, dedupe_key, payload, state, attempts, run_at,
    created_at, updated_at
) values (
    :user_id, :id, :kind, :conversation_id, :dedupe_key, :payload, 'waiting', 0, :run_at, :now, :now
)
on conflict (user_id, kind, dedupe_key) where state = 'waiting'
do update set updated_at = jobs.updated_at;

-- name: expedite_job
update jobs set run_at = :now, payload = :payload, updated_at = :now
where user_id = :user_id and kind = :kind and dedupe_key = :dedupe_key and state = 'waiting'
    and (attempts = 0 or :at_once);

-- name: get_waiting_job
select {job_columns} from jobs
where user_id = :user_id and kind = :kind and dedupe_key = :dedupe_key and state = 'waiting';

-- name: delete_waiting_job
delete from jobs
where user_id = :user_id and kind = :kind and dedupe_key = :dedupe_key and state = 'waiting';

-- name: get_job
select {job_columns} from jobs
where user_id = :user_id and id = :id;

-- name: list_jobs
-- Newest first, in one state or in all.
select {job_columns} from jobs
where user_id = :user_id and (state = :state or :state = '') and id < :before_id
order by id desc
limit :limit;

-- name: retry_job
-- Does nothing if the same work is waiting already.
update jobs set state = 'waiting', attempts = 0, run_at = :now, updated_at = :now
where user_id = :user_id and id = :id and state = 'failed' and {no_duplicate};
