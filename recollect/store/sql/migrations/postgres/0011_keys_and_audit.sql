-- Without a scope, a key of an earlier release: `admin` or `write`.
alter table api_keys add column name text;
alter table api_keys add column scope text check (scope in ('read', 'write', 'admin'));
alter table api_keys add column expires_at timestamptz;
alter table api_keys add column last_used_at timestamptz;
