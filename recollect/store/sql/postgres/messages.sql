-- name: copy_messages
-- :ids is a JSON list with a new id for each message. A streaming answer is copied as interrupted. If
-- it was to replace messages that are still active, its copy is superseded instead. Messages that
-- were superseded at :as_of or later are active in the copy: their replacement is not copied.
insert into messages (
    user_id, conversation_id, seq, id, turn, role, content, thinking, status, tool_calls,
    suggested_values, suggested_actions, custom_payload, model_variant, metadata, tokens,
    is_pinned, created_at, event_at, superseded_at
)
select
    m.user_id, cast(:target_id as uuid), m.position, cast(n.value as uuid), m.turn, m.role,
    m.content, m.thinking,
    case when m.status = 'streaming' then 'interrupted' else m.status end, m.tool_calls,
    m.suggested_values, m.suggested_actions, m.custom_payload, m.model_variant, m.metadata,
    m.tokens, m.is_pinned, cast(:now as timestamptz), m.event_at,
    case
        when m.superseded_at is null and m.status = 'streaming' and exists (
            select 1 from messages as replaced
            where replaced.user_id = :user_id and replaced.conversation_id = :source_id
                and replaced.seq >= cast(m.metadata ->> 'replaces_from' as integer)
                and replaced.seq < m.seq and replaced.superseded_at is null
        ) then cast(:now as timestamptz)
        when m.superseded_at >= cast(:as_of as timestamptz) then null
        else m.superseded_at
    end
from (
    select *, row_number() over (order by seq) as position from messages
    where user_id = :user_id and conversation_id = :source_id and seq <= :through_seq
) as m
join json_array_elements_text(cast(:ids as json)) with ordinality as n (value, position)
    on n.position = m.position;
