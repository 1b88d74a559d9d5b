-- part: job_kinds
select value from json_each(:kinds)

-- part: skip_locked
-- SQLite has one writer at a time.
