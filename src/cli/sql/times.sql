SELECT
    date_diff('day', min(fetch_time), max(fetch_time)) AS days,
    strftime(min(fetch_time)::TIMESTAMP, '%Y-%m-%d') AS earliest,
    strftime(max(fetch_time)::TIMESTAMP, '%Y-%m-%d') AS latest,
    strftime(min(fetch_time)::TIMESTAMP, '%Y') AS first_year,
    strftime(max(fetch_time)::TIMESTAMP, '%Y') AS last_year
FROM hosts
WHERE is_primary;
