-- name: insert_user
-- Users are known from the first thing they do.
insert into users (user_id, created_at) values (:user_id, :now) on conflict do nothing;

-- name: insert_conversation
insert into conversations (
    user_id, id, kind, title, title_source, policy, remember, topic, search_text, metadata,
    is_archived, message_count, token_count, last_seq, last_turn, summary_version,
    last_summary_version, extracted_through_seq, forked_from, created_at, updated_at,
    last_activity_at, external_id
) values (
    :user_id, :id, :kind, :title, :title_source, :policy, :remember, :topic, :search_text, :metadata,
    false, 0, 0, 0, 0, 0,
    0, 0, :forked_from, :created_at, :updated_at,
    :last_activity_at, :external_id
);

-- name: get_conversation
select
    user_id, id, kind, title, title_source, policy, remember, topic, metadata, is_archived,
    message_count, token_count, forked_from, created_at, updated_at, last_activity_at, external_id
from conversations
where user_id = :user_id and id = :id;

-- name: find_conversation_by_key
select id from conversations where user_id = :user_id and external_id = :external_id;

-- name: get_summary_state
-- How far a conversation is digested, and what a digest must find unchanged when it ends.
select
    id, policy, summary_version, last_summary_version, through_seq, removals,
    message_count - superseded_messages - digested_messages as backlog_messages,
    token_count - superseded_tokens - digested_tokens as backlog_tokens,
    last_turn - digested_turn as backlog_turns,
    summary_tokens, message_count - superseded_messages as message_count,
    token_count - superseded_tokens as token_count
from conversations
where user_id = :user_id and id = :id;

-- name: set_topic
update conversations
set topic = :topic, title = :title, search_text = :search_text, updated_at = :now
where user_id = :user_id and id = :id
returning id;

-- name: list_conversations
-- The first page starts from a moment after all others, so one statement and one index serve all.
select
    user_id, id, kind, title, title_source, policy, remember, topic, metadata, is_archived,
    message_count, token_count, forked_from, created_at, updated_at, last_activity_at, external_id
from conversations
where user_id = :user_id and kind = 'chat' and is_archived = :archived
    and (last_activity_at, id) < (:before_at, :before_id)
    and search_text like :pattern escape '\'
order by last_activity_at desc, id desc
limit :limit offset :offset;

-- name: find_history
-- The one conversation that holds a user's turn history.
select id from conversations where user_id = :user_id and kind = 'history';

-- name: update_conversation
update conversations
set title = :title, title_source = :title_source, policy = :policy, remember = :remember,
    search_text = :search_text, metadata = :metadata, is_archived = :is_archived, updated_at = :now
where user_id = :user_id and id = :id
returning id;

-- name: advance_conversation
-- Claims the next :count numbers. A batch that opens with a user message starts a turn of its own,
-- unless it follows another user message.
update conversations
set last_seq = last_seq + :count,
    last_turn = last_turn + :inner_starts
        + case when :opens_with_user and coalesce(last_role, '') <> 'user' then 1 else 0 end,
    last_role = :last_role,
    message_count = message_count + :count,
    token_count = token_count + :tokens,
    updated_at = :now,
    last_activity_at = :now
where user_id = :user_id and id = :id
returning
    last_seq, last_turn, kind, policy, remember, last_turn - extracted_turn as unread_turns,
    message_count - superseded_messages - digested_messages as backlog_messages,
    token_count - superseded_tokens - digested_tokens as backlog_tokens,
    last_turn - digested_turn as backlog_turns, summary_tokens;

-- name: update_fork_counters
-- A fork goes on where its copied messages end.
update conversations
set last_seq = :count,
    message_count = :count,
    token_count = (
        select coalesce(sum(tokens), 0) from messages
        where user_id = :user_id and conversation_id = :id
    ),
    superseded_messages = (
        select count(*) from messages
        where user_id = :user_id and conversation_id = :id and superseded_at is not null
    ),
    superseded_tokens = (
        select coalesce(sum(tokens), 0) from messages
        where user_id = :user_id and conversation_id = :id and superseded_at is not null
    ),
    last_turn = (
        select coalesce(max(turn), 0) from messages
        where user_id = :user_id and conversation_id = :id
    ),
    last_role = (
        select role from messages
        where user_id = :user_id and conversation_id = :id and seq = :count
    ),
    extracted_through_seq = :read,
    extracted_turn = (
        select coalesce(max(turn), 0) from messages
        where user_id = :user_id and conversation_id = :id and seq <= :read
    )
where user_id = :user_id and id = :id;

-- name: count_conversation_rows
-- What a deletion is about to remove, for its receipt.
select
    (select count(*) from messages
        where user_id = :user_id and conversation_id = :id) as messages,
    (select count(*) from summaries
        where user_id = :user_id and conversation_id = :id) as summaries,
    (select count(*) from embeddings
        where user_id = :user_id and conversation_id = :id) as embeddings,
    (select count(*) from jobs
        where user_id = :user_id and conversation_id = :id) as jobs;

-- name: delete_conversation
-- Messages, summaries, embeddings, jobs, receipts and keys go with it by their foreign keys.
delete from conversations where user_id = :user_id and id = :id;
