WITH sharing AS (
    SELECT verdict_set_id, answered_by, count(*) AS hosts
    FROM host_answers
    WHERE dialect = asked_dialect() AND is_robots_txt
    GROUP BY ALL
)
SELECT
    agent,
    url,
    sum(hosts)::BIGINT AS hosts,
    coalesce(sum(hosts) FILTER (effective_verdict(answered_by, verdict) = 'disallow'), 0)::BIGINT AS disallowed
FROM sharing
JOIN verdict_sets USING (verdict_set_id)
WHERE dialect = asked_dialect() AND url LIKE '/%' AND is_answered(answered_by, url)
GROUP BY agent, url
ORDER BY agent, url;
