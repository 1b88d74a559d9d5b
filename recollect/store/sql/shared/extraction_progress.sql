-- name: get_extraction_progress
-- The progress of extraction, and the values that must not have changed when an extraction commits.
select
    id, kind = 'chat' as is_chat, policy, remember, extracted_through_seq as through_seq,
    extracted_turn as through_turn, last_seq, last_turn, removals, last_activity_at
from conversations
where user_id = :user_id and id = :id;

-- name: set_extraction_progress
update conversations
set extracted_through_seq = :through_seq, extracted_turn = :turn
where user_id = :user_id and id = :id;
