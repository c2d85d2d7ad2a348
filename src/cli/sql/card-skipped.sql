SELECT
    'Records' AS section,
    'skipped: ' || replace(reason, '_', ' ') AS item,
    sum(records)::BIGINT AS n,
    (SELECT sum(record_count)::BIGINT FROM archives) AS whole
FROM archive_skips
GROUP BY reason
ORDER BY n DESC, item;
