-- name: claim_due_job system
-- The oldest due job whose conversation has no running job of the same kind.
update jobs
set state = 'running', lease_owner = :owner, lease_until = :lease_until, attempts = attempts + 1,
    updated_at = :now
where (user_id, id) = (
    select due.user_id, due.id from jobs as due
    where due.state = 'waiting' and due.run_at <= :now and due.kind in (
        select value from json_each(:kinds)
    )
        and not exists (
            select 1 from jobs as rival
            where rival.user_id = due.user_id and rival.conversation_id = due.conversation_id
                and rival.kind = due.kind and rival.state = 'running'
        )
    order by due.run_at
    limit 1
)
returning user_id, id, kind, conversation_id, payload, attempts;

-- name: claim_expired_job system
-- A running job whose lease has expired.
update jobs
set lease_owner = :owner, lease_until = :lease_until, attempts = attempts + 1, updated_at = :now
where (user_id, id) = (
    select lapsed.user_id, lapsed.id from jobs as lapsed
    where lapsed.state = 'running' and lapsed.lease_until < :now and lapsed.kind in (
        select value from json_each(:kinds)
    )
    order by lapsed.lease_until
    limit 1
)
returning user_id, id, kind, conversation_id, payload, attempts;
