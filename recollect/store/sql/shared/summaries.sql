-- part: summary_fields
conversation_id, version, base_version, text, ledger, kept, through_seq, author, model,
prompt_version, tokens, tokens_in, tokens_out, duration_ms, facts_found, facts_kept, created_at

-- part: summary_columns
{summary_fields}, kept as user_text

-- name: get_summary
select {summary_columns} from summaries
where user_id = :user_id and conversation_id = :conversation_id and version = :version;

-- name: get_current_summary
select {summary_columns} from summaries
where user_id = :user_id and conversation_id = :conversation_id and version = (
    select summary_version from conversations
    where user_id = :user_id and id = :conversation_id
);

-- name: list_summaries
select {summary_columns} from summaries
where user_id = :user_id and conversation_id = :conversation_id and version < :before_version
order by version desc
limit :limit;

-- name: insert_summary
insert into summaries (user_id, {summary_fields}) values (:*);

-- name: set_current_summary
-- Makes a version the current summary and updates the counters of covered messages. :version is 0 if
-- no summary is left. Version numbers are not reused.
update conversations
set summary_version = :version,
    last_summary_version = case
        when :version > last_summary_version then :version else last_summary_version end,
    through_seq = :through_seq,
    summary_tokens = :tokens,
    digested_turn = (
        select coalesce(max(turn), 0) from messages
        where user_id = :user_id and conversation_id = :conversation_id
            and seq = (
                select max(seq) from messages
                where user_id = :user_id and conversation_id = :conversation_id
                    and seq <= :through_seq
            )
    ),
    (digested_messages, digested_tokens) = (
        select
            case when :through_seq >= conversations.through_seq
                then conversations.digested_messages else 0 end + count(*),
            case when :through_seq >= conversations.through_seq
                then conversations.digested_tokens else 0 end + coalesce(sum(tokens), 0)
        from messages
        where user_id = :user_id and conversation_id = :conversation_id
            and seq <= :through_seq and superseded_at is null
            and seq > case when :through_seq >= conversations.through_seq
                then conversations.through_seq else 0 end
    )
where user_id = :user_id and id = :conversation_id;

-- name: delete_covering_summaries
delete from summaries
where user_id = :user_id and conversation_id = :conversation_id and through_seq >= :seq;

-- name: find_last_covered
-- The last message and the last answer that a summary covers.
select
    (select id from messages
        where user_id = :user_id and conversation_id = :conversation_id and seq <= :through_seq
        order by seq desc limit 1) as message_id,
    (select id from messages
        where user_id = :user_id and conversation_id = :conversation_id and seq <= :through_seq
            and role = 'assistant'
        order by seq desc limit 1) as answer_id;
