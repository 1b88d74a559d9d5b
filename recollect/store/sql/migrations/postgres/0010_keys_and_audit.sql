-- Without a scope, a key of an earlier release: `admin` or `write`.
alter table api_keys add column name text;
alter table api_keys add column scope text check (scope in ('read', 'write', 'admin'));
alter table api_keys add column expires_at timestamptz;
alter table api_keys add column last_used_at timestamptz;

-- Who read, changed, exported or deleted what. Ids, no texts. Rows are only added, and deleted when
-- they are old, by the system role; they stay when their user is deleted.
create table audit_log (
    user_id text not null,
    id uuid not null,
    created_at timestamptz not null,
    actor text not null,
    action text not null check (action in ('read', 'change', 'export', 'delete')),
    operation text not null,
    target text not null,
    status integer not null,
    count integer not null,
    primary key (user_id, id)
);

create index audit_log_by_time on audit_log (created_at, id);

alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy own_rows on audit_log to recollect_app
    using (user_id = current_setting('recollect.user_id', true));
create policy all_rows on audit_log to recollect_system using (true);
grant select on audit_log to recollect_app;
grant select, insert, delete on audit_log to recollect_system;
