-- What of a prompt its provider could read from its cache, and what it did read from there: copies of
-- fields of the receipt. `cached_tokens` is null if the provider reported none.
alter table receipts add column prefix text not null default '[]';
alter table receipts add column unchanged_tokens integer not null default 0;
alter table receipts add column cached_tokens integer;

-- To find the newest receipt of a conversation. It serves every query that the index it replaces did.
create index receipts_by_time on receipts (user_id, conversation_id, created_at, message_id);
drop index receipts_by_conversation;

alter table model_calls add column tokens_cached integer not null default 0;
