-- Which hosts changed their robots.txt, when, in form only or in meaning, and from which to which
-- restriction of an agent?
--
-- Tables:  agent_changes
-- Variables: agent (GPTBot), before, dialect, html
-- Caveats: Consecutive answers of the same origin are compared, in the dataset and, if the variable
--          before is set, in that one: the change happened after previous_fetch_time, and at
--          fetch_time at the latest. Fetches that are no answer (429, 5xx, a redirect to a target
--          that is not in the dataset) are left out. Form: every verdict of the reference dialect
--          is the same; meaning: this is not proven. Redirects are followed, so a change may be
--          that of a target. The agent is the variable agent (default: GPTBot); the dialect of its
--          restriction is the variable dialect (default: the dataset's reference).
-- Shape:   one row for each change: url_host_name, origin, change (form, meaning, appeared, gone,
--          access), previous_fetch_time, fetch_time, previous_crawl, crawl, previous_restriction,
--          restriction (of the agent; NULL: not in the dataset), previous_capture_id, capture_id
--          (of the files); by host, origin and time
SELECT
    url_host_name,
    origin,
    change,
    previous_fetch_time,
    fetch_time,
    previous_crawl,
    crawl,
    previous_restriction,
    restriction,
    previous_capture_id,
    capture_id
FROM agent_changes(coalesce(getvariable('agent'), 'GPTBot')) AS changes
WHERE change <> 'none'
ORDER BY url_host_name, origin, fetch_time, fetch_capture_id;
