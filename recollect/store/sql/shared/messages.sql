-- part: message_fields
conversation_id, seq, turn, id, role, content, thinking, status, tool_calls, suggested_values,
suggested_actions, custom_payload, model_variant, metadata, tokens, is_pinned, created_at, event_at

-- part: message_columns
{message_fields}, superseded_at,
(
    select rating from feedback
    where feedback.user_id = :user_id and feedback.message_id = messages.id
) as rating

-- name: insert_message
insert into messages (user_id, {message_fields}) values (:*);

-- name: copy_messages
-- :ids is a JSON list with a new id for each message. A streaming answer is copied as interrupted. If
-- it was to replace messages that are still active, its copy is superseded instead. Messages that
-- were superseded at :as_of or later are active in the copy: their replacement is not copied.
insert into messages (user_id, {message_fields}, superseded_at)
select
    m.user_id, :target_id, m.position, m.turn, {copied_id}, m.role, m.content, m.thinking,
    case when m.status = 'streaming' then 'interrupted' else m.status end, m.tool_calls,
    m.suggested_values, m.suggested_actions, m.custom_payload, m.model_variant, m.metadata,
    m.tokens, m.is_pinned, {now}, m.event_at,
    case
        when m.superseded_at is null and m.status = 'streaming' and exists (
            select 1 from messages as replaced
            where replaced.user_id = :user_id and replaced.conversation_id = :source_id
                and replaced.seq >= cast(m.metadata ->> 'replaces_from' as integer)
                and replaced.seq < m.seq and replaced.superseded_at is null
        ) then {now}
        when m.superseded_at >= :as_of then null
        else m.superseded_at
    end
from (
    select *, row_number() over (order by seq) as position from messages
    where user_id = :user_id and conversation_id = :source_id and seq <= :through_seq
) as m
join {numbered_ids};

-- name: get_message
select {message_columns} from messages
where user_id = :user_id and id = :id;

-- name: list_messages_asc
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id and seq > :seq
order by seq
limit :limit offset :offset;

-- name: list_messages_desc
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id and seq < :seq
order by seq desc
limit :limit offset :offset;

-- name: list_backlog
-- Active messages that no summary covers, newest first.
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq > :through_seq and superseded_at is null
order by seq desc
limit :limit;

-- name: list_messages_between
-- Active messages, oldest first.
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq > :through_seq and seq < :before_seq and superseded_at is null
order by seq
limit :limit;

-- name: find_tail_start
-- The first seq of the newest :keep turns of the backlog; no row if there are fewer.
select min(seq) as seq from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq > :through_seq and superseded_at is null
group by turn
order by turn desc
limit 1 offset :keep - 1;

-- name: list_pinned_messages
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq < :before_seq and is_pinned and superseded_at is null
order by seq;

-- name: sum_pinned_tokens
select coalesce(sum(tokens), 0) as tokens from messages
where user_id = :user_id and conversation_id = :conversation_id
    and is_pinned and superseded_at is null;

-- name: count_messages_through
select count(*) as count from messages
where user_id = :user_id and conversation_id = :conversation_id and seq <= :seq;

-- name: pin_message
update messages set is_pinned = :is_pinned where user_id = :user_id and id = :id;

-- name: list_expired_messages
-- Whole turns before the newest :max_turns active ones, and turns without a recent message. Turns with
-- a streaming answer are kept. Same rule as `list_conversations_over_retention`.
select id, turn from messages
where user_id = :user_id and conversation_id = :conversation_id
    and turn in (
        select turn from messages
        where user_id = :user_id and conversation_id = :conversation_id
        group by turn
        having count(*) filter (where status = 'streaming') = 0
            and (
                max(created_at) < :before
                or turn < (
                    select turn from messages
                    where user_id = :user_id and conversation_id = :conversation_id
                        and superseded_at is null
                    group by turn
                    order by turn desc
                    limit 1 offset :max_turns - 1
                )
            )
    )
order by seq;

-- name: count_covering_summaries
select count(*) as summaries from summaries
where user_id = :user_id and conversation_id = :conversation_id and through_seq >= :seq;

-- name: delete_message
-- Foreign keys cascade to its receipt and feedback. Seqs are not reused.
delete from messages where user_id = :user_id and id = :id;

-- name: subtract_message
update conversations
set message_count = message_count - 1, token_count = token_count - :tokens,
    superseded_messages = superseded_messages - case when :is_superseded then 1 else 0 end,
    superseded_tokens = superseded_tokens - case when :is_superseded then :tokens else 0 end,
    removals = removals + 1, updated_at = :now
where user_id = :user_id and id = :conversation_id;

-- name: put_feedback
insert into feedback (user_id, message_id, rating, note, mode, created_at)
values (:user_id, :message_id, :rating, :note, :mode, :created_at)
on conflict (user_id, message_id)
do update set rating = excluded.rating, note = excluded.note, mode = excluded.mode,
    created_at = excluded.created_at;

-- name: delete_feedback
delete from feedback where user_id = :user_id and message_id = :message_id;

-- name: list_turn
-- All messages of the turn of message :seq. Turns do not interleave.
-- A `coalesce` around both subqueries would keep PostgreSQL from using an index under row-level
-- security.
select {message_columns} from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq > (
        select coalesce(max(seq), 0) from messages
        where user_id = :user_id and conversation_id = :conversation_id
            and seq < :seq and turn < :turn and superseded_at is null
    )
    and seq < (
        select coalesce(min(seq), 2147483647) from messages
        where user_id = :user_id and conversation_id = :conversation_id
            and seq > :seq and turn > :turn and superseded_at is null
    )
    and seq < :before_seq and superseded_at is null
order by seq;

-- name: find_turn_after
-- The first message of the next turn after message :seq.
select seq, turn from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq > :seq and turn > :turn and superseded_at is null
order by seq
limit 1;

-- name: find_turn_before
-- The last message of the turn before message :seq. Turn 0 does not count.
select seq, turn from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq < :seq and turn < :turn and turn > 0 and superseded_at is null
order by seq desc
limit 1;

-- name: list_system_texts
-- The contents of system messages, newest first.
select content from messages
where user_id = :user_id and conversation_id = :conversation_id and role = 'system'
order by seq desc
limit :limit;

-- name: find_last_message
-- The newest active message of a role.
select id, seq from messages
where user_id = :user_id and conversation_id = :conversation_id and role = :role
    and seq < :before_seq and superseded_at is null
order by seq desc
limit 1;
