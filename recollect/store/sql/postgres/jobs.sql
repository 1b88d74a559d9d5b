-- part: job_kinds
select json_array_elements_text(cast(:kinds as json))

-- part: skip_locked
for update skip locked
