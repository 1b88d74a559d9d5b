-- part: audit_columns
user_id, id, created_at, actor, action, operation, target, status, count

-- name: insert_audit_entry system
insert into audit_log ({audit_columns}) values (:*);

-- name: list_audit_entries
-- The first page starts after all times.
select {audit_columns} from audit_log
where user_id = :user_id and (created_at, id) < (:before_at, :before_id)
order by created_at desc, id desc
limit :limit;

-- name: list_all_audit_entries system
select {audit_columns} from audit_log
where (created_at, id) < (:before_at, :before_id)
order by created_at desc, id desc
limit :limit;

-- name: delete_audit_entries system
delete from audit_log where created_at < :before;
