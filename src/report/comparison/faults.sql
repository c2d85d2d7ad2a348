-- The faults of external parsers by side and kind, each with the first message.
SELECT
    side,
    kind,
    count(*) AS files,
    count(DISTINCT url_host_name) AS hosts,
    max(milliseconds) AS longest_milliseconds,
    first(url_host_name ORDER BY capture_id) AS first_host,
    first(message ORDER BY capture_id) AS first_message
FROM parser_faults
GROUP BY side, kind
ORDER BY side, files DESC, kind;
