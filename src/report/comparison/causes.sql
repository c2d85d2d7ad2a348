-- The causes, the one with most hosts first.
--
-- Chart:   bars label={changes} axis=cause value=hosts count="hosts with a flip of the cause" n=rows
FROM causes
ORDER BY hosts DESC, cells DESC, cause_id;
