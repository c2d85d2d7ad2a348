-- The causes, the one with most hosts first.
FROM causes
ORDER BY hosts DESC, cells DESC, cause_id;
