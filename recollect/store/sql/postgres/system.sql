-- name: vector_version system
select extversion as version from pg_extension where extname = 'vector';
