-- Export: all of a user's rows, page by page and in a fixed order.

-- part: conversation_fields
id, kind, title, title_source, policy, remember, topic, metadata, is_archived, forked_from,
created_at, updated_at, last_activity_at, last_seq, last_turn, last_role, removals,
extracted_through_seq, extracted_turn, summary_version, last_summary_version, external_id, project_id,
recall_scope

-- name: export_conversations
select {conversation_fields} from conversations
where user_id = :user_id and id > :after_id and id <= :through_id
order by id;

-- name: export_conversation_sizes
-- Sizes are in bytes.
select id as position, octet_length(concat(title, topic, metadata)) as size
from conversations
where user_id = :user_id and id > :after_id
order by id
limit :limit;

-- name: export_messages
select {message_fields}, superseded_at from messages
where user_id = :user_id and conversation_id = :conversation_id
    and seq > :after_seq and seq <= :through_seq
order by seq;

-- name: export_message_sizes
-- With receipt and feedback.
select
    messages.seq as position,
    octet_length(concat(
        content, thinking, tool_calls, suggested_values, suggested_actions, custom_payload, metadata,
        receipt, note
    )) as size
from messages
left join receipts on receipts.user_id = messages.user_id and receipts.message_id = messages.id
left join feedback on feedback.user_id = messages.user_id and feedback.message_id = messages.id
where messages.user_id = :user_id and messages.conversation_id = :conversation_id
    and messages.seq > :after_seq and messages.seq <= :through_seq
order by messages.seq
limit :limit;

-- name: export_receipts
select messages.conversation_id, receipts.message_id, receipts.receipt, receipts.created_at
from messages
join receipts on receipts.user_id = messages.user_id and receipts.message_id = messages.id
where messages.user_id = :user_id and messages.conversation_id = :conversation_id
    and messages.seq between :first_seq and :last_seq
order by messages.seq;

-- name: export_feedback
select
    messages.conversation_id, feedback.message_id, feedback.rating, feedback.note, feedback.mode,
    feedback.created_at
from messages
join feedback on feedback.user_id = messages.user_id and feedback.message_id = messages.id
where messages.user_id = :user_id and messages.conversation_id = :conversation_id
    and messages.seq between :first_seq and :last_seq
order by messages.seq;

-- name: export_summaries
select {summary_fields} from summaries
where user_id = :user_id and conversation_id = :conversation_id
    and version > :after_version and version <= :through_version
order by version;

-- name: export_summary_sizes
select version as position, octet_length(concat(text, ledger, kept)) as size
from summaries
where user_id = :user_id and conversation_id = :conversation_id
    and version > :after_version and version <= :through_version
order by version
limit :limit;

-- name: export_memories
select {memory_columns} from memories
where user_id = :user_id and id > :after_id
order by id
limit :limit;

-- name: export_memory_sources
select message_id, created_at from memory_sources
where user_id = :user_id and memory_id = :memory_id
order by message_id;

-- name: export_memory_events
select {memory_event_columns} from memory_events
where user_id = :user_id and memory_id = :memory_id and id > :after_id
order by id
limit :limit;

-- name: export_tombstones
select {tombstone_columns} from memory_tombstones
where user_id = :user_id and id > :after_id
order by id
limit :limit;

-- name: export_conversation_tombstones
select id, created_at from conversation_tombstones
where user_id = :user_id and id > :after_id
order by id
limit :limit;

-- name: export_model_calls
-- Without `estimated_in`: it calibrates this deployment's token counter.
select {model_call_columns} from model_calls
where user_id = :user_id and id > :after_id and id <= :through_id
order by id;

-- name: export_model_call_sizes
select id as position, octet_length(concat(purpose, model, variant, error)) as size
from model_calls
where user_id = :user_id and id > :after_id
order by id
limit :limit;

-- Import: rows with all columns. Existing rows are kept.

-- name: restore_conversation
insert into conversations (
    user_id, {conversation_fields}, search_text, message_count, token_count, superseded_messages,
    superseded_tokens
) values (:*)
on conflict (user_id, id) do nothing
returning id;

-- name: restore_message
insert into messages (user_id, {message_fields}, superseded_at) values (:*);

-- name: get_last_numbers
-- The last numbers of a conversation, and its number of messages.
select
    kind, policy, last_seq, last_turn, last_role, message_count, last_activity_at
from conversations
where user_id = :user_id and id = :id;

-- name: list_message_numbers
select id, seq, turn, role, tokens, superseded_at from messages
where user_id = :user_id and conversation_id = :conversation_id
order by seq;

-- name: extend_conversation
-- Counts messages that were inserted with their numbers, and messages that were reinstated.
update conversations
set message_count = message_count + :messages,
    token_count = token_count + :tokens,
    superseded_messages = superseded_messages + :superseded_messages,
    superseded_tokens = superseded_tokens + :superseded_tokens,
    last_seq = :last_seq, last_turn = :last_turn, last_role = :last_role,
    extracted_turn = case when :is_read then :last_turn else extracted_turn end,
    updated_at = case when :updated_at > updated_at then :updated_at else updated_at end,
    last_activity_at = case
        when :last_activity_at > last_activity_at then :last_activity_at else last_activity_at
    end
where user_id = :user_id and id = :id;

-- name: reinstate_message
update messages set superseded_at = null, stop_asked_at = null
where user_id = :user_id and id = :id
returning id;
