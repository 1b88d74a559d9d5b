-- part: copied_id
n.value

-- part: numbered_ids
json_each(:ids) as n on n.key = m.position - 1
