-- part: model_call_columns
id, conversation_id, message_id, purpose, model, variant, tokens_in, tokens_out, tokens_cached,
duration_ms, error, created_at

-- name: insert_model_call
insert into model_calls (user_id, {model_call_columns}, estimated_in) values (:*)
on conflict (user_id, id) do nothing
returning id;

-- name: put_receipt
insert into receipts (
    user_id, message_id, conversation_id, receipt, mode, tokens, full_history_tokens, prefix,
    unchanged_tokens, cached_tokens, created_at
) values (:*)
on conflict (user_id, message_id)
do update set receipt = excluded.receipt, mode = excluded.mode, tokens = excluded.tokens,
    full_history_tokens = excluded.full_history_tokens, prefix = excluded.prefix,
    unchanged_tokens = excluded.unchanged_tokens, cached_tokens = excluded.cached_tokens,
    created_at = excluded.created_at;

-- name: get_receipt
select receipt from receipts where user_id = :user_id and message_id = :message_id;

-- name: get_last_prefix
select prefix from receipts
where user_id = :user_id and conversation_id = :conversation_id
order by created_at desc, message_id desc
limit 1;

-- Analytics of one conversation or of all, as a range of ids.

-- name: list_message_sizes
-- Each message, with the sizes in its receipt.
select
    m.conversation_id, m.seq, m.turn, m.role, m.tokens, m.created_at,
    r.mode, r.tokens as context_tokens, r.full_history_tokens, r.unchanged_tokens,
    r.cached_tokens
from messages as m
left join receipts as r on r.user_id = :user_id and r.message_id = m.id
where m.user_id = :user_id
    and m.conversation_id between :first_id and :last_id
order by m.conversation_id, m.seq;

-- name: list_summary_versions
select
    s.conversation_id, s.version, s.through_seq, s.tokens, s.author, s.facts_found, s.facts_kept,
    s.created_at, c.policy, c.summary_version,
    case when s.text = b.text and s.through_seq = b.through_seq then 1 else 0 end as is_copy
from summaries as s
join conversations as c on c.user_id = :user_id and c.id = s.conversation_id
left join summaries as b
    on b.user_id = :user_id and b.conversation_id = s.conversation_id and b.version = s.base_version
where s.user_id = :user_id
    and s.conversation_id between :first_id and :last_id
order by s.conversation_id, s.version;

-- name: sum_feedback
select coalesce(f.mode, 'compressed') as mode, f.rating, count(*) as count
from feedback as f
join messages as m on m.user_id = :user_id and m.id = f.message_id
where f.user_id = :user_id
    and m.conversation_id between :first_id and :last_id
group by coalesce(f.mode, 'compressed'), f.rating;

-- name: list_calls_by_day
select
    purpose, substr(cast(created_at as text), 1, 10) as day, count(*) as calls,
    sum(case when error is null then 0 else 1 end) as failed,
    sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out,
    sum(tokens_cached) as tokens_cached, sum(duration_ms) as duration_ms
from model_calls
where user_id = :user_id
    and (conversation_id between :first_id and :last_id or conversation_id is null and :include_unassigned)
group by purpose, substr(cast(created_at as text), 1, 10)
order by 2, 1;
