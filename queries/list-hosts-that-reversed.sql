-- Which hosts closed to an agent, or named it, and took that back?
--
-- Tables:  agent_events
-- Variables: agent (GPTBot), before, crawl, dialect, html, ranks, stratum
-- Caveats: Each origin is followed through all crawls. What happened is known to lie between two
--          answers that follow each other: last_without and first_with; it ended between last_with
--          and first_without. An origin may have several rows. closed ends when the restriction is
--          no longer full (partly_closed, opened), named when the origin has no group for the agent.
--          The agent is the variable agent (default: GPTBot), the dialect is the variable dialect
--          (default: the dataset's reference).
-- Shape:   one row for each reversal: url_host_name, origin, event (closed, named), last_without
--          (NULL: it was so in the first answer), first_with, last_with, first_without, ended_as
--          (opened, partly_closed, unnamed), capture_id_with, capture_id_without; by host, origin
--          and time
WITH followed AS (
    SELECT *, event IN ('named', 'unnamed') AS is_of_naming
    FROM agent_events
    WHERE agent = coalesce(getvariable('agent'), 'GPTBot')
),
ended AS (
    SELECT
        *,
        lead(event) OVER in_time AS ended_as,
        lead(last_without) OVER in_time AS last_with,
        lead(first_with) OVER in_time AS first_without,
        lead(capture_id) OVER in_time AS capture_id_without
    FROM followed
    WINDOW in_time AS (PARTITION BY origin, is_of_naming ORDER BY nth)
)
SELECT
    url_host_name,
    origin,
    event,
    last_without,
    first_with,
    last_with,
    first_without,
    ended_as,
    capture_id AS capture_id_with,
    capture_id_without
FROM ended
WHERE event IN ('closed', 'named') AND ended_as IS NOT NULL
ORDER BY url_host_name, origin, first_with, event;
