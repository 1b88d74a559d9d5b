-- part: vector
vec_f32(:vector)

-- part: now
:now

-- name: vector_version system
select vec_version() as version;
