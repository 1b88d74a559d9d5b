-- Without a scope, a key of an earlier release: `admin` or `write`.
alter table api_keys add column name text;
alter table api_keys add column scope text check (scope in ('read', 'write', 'admin'));
alter table api_keys add column expires_at text;
alter table api_keys add column last_used_at text;

-- Who read, changed, exported or deleted what. Ids, no texts. Rows are only added, and deleted when
-- they are old; they stay when their user is deleted.
create table audit_log (
    user_id text not null,
    id text not null,
    created_at text not null,
    actor text not null,
    action text not null check (action in ('read', 'change', 'export', 'delete')),
    operation text not null,
    target text not null,
    status integer not null,
    count integer not null,
    primary key (user_id, id)
) strict;

create index audit_log_by_time on audit_log (created_at, id);

create trigger audit_log_is_append_only before update on audit_log
begin
    select raise(abort, 'the audit log is append-only');
end;
