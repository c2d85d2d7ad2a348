-- For each cause the five hosts that it affects first: by rank where ranks are known, else by the
-- number of flips; each with one of its flips.
SELECT
    cause_id,
    url_host_name,
    min(host_rank) AS host_rank,
    count(*) AS flips,
    first(agent ORDER BY agent, url) AS agent,
    first(url ORDER BY agent, url) AS url,
    first(direction ORDER BY agent, url) AS direction
FROM flips
GROUP BY cause_id, url_host_name
QUALIFY row_number() OVER (PARTITION BY cause_id ORDER BY min(host_rank) NULLS LAST, count(*) DESC, url_host_name) <= 5
ORDER BY cause_id, host_rank NULLS LAST, flips DESC, url_host_name;
