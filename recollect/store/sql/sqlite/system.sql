-- name: vector_version system
select vec_version() as version;
