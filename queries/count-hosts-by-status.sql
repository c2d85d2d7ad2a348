-- Question: What share of hosts answers the request for robots.txt with 200, a redirect, 4xx, 5xx or nothing, at first and behind redirects?
-- Tables:   hosts
-- Caveats:  The denominator is hosts that were asked and are in the archives; an archive rarely holds a host that never answered, so "nothing" is an
--           answer that is not HTTP. Behind redirects, 3xx is what ends nowhere: a loop, too many hops, a target that is not in the dataset.
-- Shape:    one row for each class: status_class (2xx to 5xx, nothing), hosts_at_first, share_at_first (0 to 1), hosts_at_last, share_at_last
WITH answers AS (
    SELECT
        coalesce(fetch_status // 100 || 'xx', 'nothing') AS at_first,
        CASE WHEN effective_capture_id IS NULL THEN '3xx' ELSE coalesce(end_status // 100 || 'xx', 'nothing') END AS at_last
    FROM hosts
    WHERE is_primary
),
classes AS (
    SELECT at_first AS status_class, 1 AS is_first, 0 AS is_last FROM answers
    UNION ALL
    SELECT at_last, 0, 1 FROM answers
)
SELECT
    status_class,
    sum(is_first)::BIGINT AS hosts_at_first,
    round(sum(is_first) / sum(sum(is_first)) OVER (), 4) AS share_at_first,
    sum(is_last)::BIGINT AS hosts_at_last,
    round(sum(is_last) / sum(sum(is_last)) OVER (), 4) AS share_at_last
FROM classes
GROUP BY status_class
ORDER BY status_class;
