-- part: conversation_columns
user_id, id, title, title_source, policy, remember, topic, metadata, is_archived, message_count,
token_count, forked_from, created_at, updated_at, last_activity_at, external_id, project_id, recall_scope,
false as is_answering

-- part: backlog_columns
-- The messages that no summary covers.
message_count - superseded_messages - digested_messages as messages,
token_count - superseded_tokens - digested_tokens as tokens,
last_turn - digested_turn as turns, summary_tokens

-- part: progress_columns
last_seq, last_turn, kind, policy,
case when remember then last_turn - extracted_turn end as unread_turns, {backlog_columns}

-- name: insert_user
-- A user row is created by the first write.
insert into users (user_id, created_at) values (:user_id, :now) on conflict do nothing;

-- name: insert_conversation
insert into conversations (
    user_id, id, kind, title, title_source, policy, remember, topic, search_text, metadata,
    is_archived, message_count, token_count, last_seq, last_turn, summary_version,
    last_summary_version, extracted_through_seq, forked_from, created_at, updated_at,
    last_activity_at, external_id, project_id, recall_scope
) values (
    :user_id, :id, :kind, :title, :title_source, :policy, :remember, :topic, :search_text, :metadata,
    false, 0, 0, 0, 0, 0,
    0, 0, :forked_from, :created_at, :updated_at,
    :last_activity_at, :external_id, :project_id, :recall_scope
);

-- name: get_conversation
select {conversation_columns} from conversations
where user_id = :user_id and id = :id;

-- name: find_conversation_by_key
select id from conversations where user_id = :user_id and external_id = :external_id;

-- name: get_summary_state
-- The progress of compaction, and the values that must not have changed when a compaction commits.
select
    id, policy, summary_version, last_summary_version, through_seq, removals,
    message_count - superseded_messages as message_count,
    token_count - superseded_tokens as token_count, remember, project_id, recall_scope,
    {backlog_columns}
from conversations
where user_id = :user_id and id = :id;

-- name: set_topic
update conversations
set topic = :topic, title = :title, search_text = :search_text, updated_at = :now
where user_id = :user_id and id = :id
returning id;

-- part: one_page
-- The first page starts after all times, so that one statement and one index serve all pages.
kind = 'chat' and is_archived = :archived
    and (last_activity_at, id) < (:before_at, :before_id)
    and search_text like :pattern escape '\'
order by last_activity_at desc, id desc
limit :limit offset :offset

-- name: list_conversations
select {conversation_columns} from conversations
where user_id = :user_id and {one_page};

-- name: list_project_conversations
select {conversation_columns} from conversations
where user_id = :user_id and project_id = :project_id and {one_page};

-- name: find_history
-- The conversation that holds a user's turn history.
select id from conversations where user_id = :user_id and kind = 'history';

-- name: update_conversation
update conversations
set title = :title, title_source = :title_source, policy = :policy, remember = :remember,
    search_text = :search_text, metadata = :metadata, is_archived = :is_archived,
    project_id = :project_id, recall_scope = :recall_scope, updated_at = :now
where user_id = :user_id and id = :id
returning id;

-- name: advance_conversation
-- Reserves the next :count seqs. A batch that starts with a user message starts a turn, unless it
-- follows another user message.
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
returning {progress_columns};

-- name: update_fork_counters
-- Sets the counters of a fork from its copied messages.
update conversations
set last_seq = :count,
    message_count = :count,
    extracted_through_seq = :read,
    (
        token_count, superseded_messages, superseded_tokens, last_turn, last_role, extracted_turn
    ) = (
        select
            coalesce(sum(tokens), 0), count(superseded_at),
            coalesce(sum(case when superseded_at is not null then tokens end), 0),
            coalesce(max(turn), 0), max(case when seq = :count then role end),
            coalesce(max(case when seq <= :read then turn end), 0)
        from messages
        where user_id = :user_id and conversation_id = :id
    )
where user_id = :user_id and id = :id;

-- name: count_conversation_rows
-- The counts for the receipt of a deletion.
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
-- Foreign keys cascade to messages, summaries, embeddings, jobs, receipts and idempotency keys.
delete from conversations where user_id = :user_id and id = :id returning id;

-- name: insert_conversation_tombstone
insert into conversation_tombstones (user_id, id, created_at)
select :user_id, :id, :created_at
where not exists (select 1 from conversations where user_id = :user_id and id = :id)
on conflict (user_id, id) do nothing
returning id;

-- name: get_conversation_tombstone
select created_at from conversation_tombstones where user_id = :user_id and id = :id;

-- name: delete_conversation_tombstone
delete from conversation_tombstones where user_id = :user_id and id = :id;
