-- part: vector
cast(:vector as vector)

-- part: now
cast(:now as timestamptz)

-- name: vector_version system
select extversion as version from pg_extension where extname = 'vector';
