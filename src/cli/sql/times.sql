SELECT
    date_diff('day', min(fetch_time), max(fetch_time))::VARCHAR AS days,
    strftime(min(fetch_time)::TIMESTAMP, '%Y-%m-%d') AS earliest,
    strftime(max(fetch_time)::TIMESTAMP, '%Y-%m-%d') AS latest
FROM hosts
WHERE is_primary;
