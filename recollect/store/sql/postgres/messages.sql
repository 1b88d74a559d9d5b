-- part: copied_id
cast(n.value as uuid)

-- part: numbered_ids
json_array_elements_text(cast(:ids as json)) with ordinality as n (value, position)
    on n.position = m.position
