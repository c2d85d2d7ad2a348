-- Question: Which delays do hosts ask for, how many are no number, and how many so long that nobody will wait?
-- Tables:   directives, hosts
-- Caveats:  The denominator is hosts whose file was read and that have a crawl-delay, redirects followed; a host with several falls into several
--           classes. Seconds. Some crawlers skip a site that asks for more than 300 seconds (crawler-commons); Google reads no delay at all.
-- Shape:    one row for each class: class (0 not a number, 1 zero, 2 up to 1 s, ..), hosts, share_of_hosts (0 to 1), lines, before_any_group (lines),
--           example_value
WITH delays AS (
    SELECT
        hosts.url_host_name,
        directives.group_index,
        directives.value_raw,
        CASE
            WHEN value_number IS NULL THEN '0 not a number'
            WHEN value_number = 0 THEN '1 zero'
            WHEN value_number <= 1 THEN '2 up to 1 s'
            WHEN value_number <= 10 THEN '3 up to 10 s'
            WHEN value_number <= 60 THEN '4 up to 1 min'
            WHEN value_number <= 300 THEN '5 up to 5 min'
            ELSE '6 more than 5 min'
        END AS class
    FROM hosts
    JOIN directives ON directives.capture_id = hosts.effective_capture_id
    WHERE hosts.is_primary AND directives.key = 'crawl-delay'
)
SELECT
    class,
    count(DISTINCT url_host_name) AS hosts,
    round(count(DISTINCT url_host_name) / (SELECT count(DISTINCT url_host_name) FROM delays), 4) AS share_of_hosts,
    count(*) AS lines,
    count(*) FILTER (group_index IS NULL) AS before_any_group,
    left(min(value_raw), 80) AS example_value
FROM delays
GROUP BY class
ORDER BY class;
