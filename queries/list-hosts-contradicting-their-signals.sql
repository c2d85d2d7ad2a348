-- Which hosts permit a use in Content-Signal and shut out the crawlers of that use, or forbid it
-- and invite them by name?
--
-- Tables:  agents, signals, host_policies
-- Variables: crawl, html, ranks, stratum
-- Caveats: The hosts are those that have a robots.txt, redirects followed. Whether a signal applies
--          to its group or to the whole file is disputed, so a host is listed only if it
--          contradicts itself either way: agents are those of the signal's own group (all, for a
--          signal before any group), agents_by_file those if it applied to the whole file. ai-train
--          is compared with the agents of the category ai-training, ai-input with ai-search and
--          ai-user-fetch, search with search-engine. A yes contradicts restriction full; a no
--          contradicts only a group that names the agent and restricts nothing. The dialect is the
--          dataset's reference, as in the tables of lines.
-- Shape:   one row for each host and signal: url_host_name, key, value, line, agents (that
--          contradict it), agents_by_file, capture_id; by host, then line
WITH uses AS (
    FROM (VALUES
        ('ai-train', 'ai-training'),
        ('ai-input', 'ai-search'),
        ('ai-input', 'ai-user-fetch'),
        ('search', 'search-engine')
    ) AS uses (key, agent_category)
),
-- To an agent that a file names, its groups of that name apply; to all others those of *.
contradictions AS (
    SELECT
        host_policies.url_host_name,
        host_policies.agent,
        signals.key,
        signals.value,
        signals.line,
        signals.capture_id,
        signals.group_index IS NULL OR (signals.capture_id, signals.group_index, if(host_policies.group_kind = 'named', host_policies.agent, '*')) IN (
            SELECT (capture_id, group_index, if(is_wildcard, '*', agent_token))
            FROM agents
        ) AS is_by_group
    FROM signals
    JOIN uses USING (key)
    JOIN host_policies
        ON host_policies.capture_id = signals.capture_id
        AND host_policies.agent_category = uses.agent_category
    WHERE signals.vocabulary = 'content-signal'
        AND signals.parse_ok
        AND host_policies.dialect = reference_dialect()
        AND (
            signals.value = 'yes' AND host_policies.restriction = 'full'
            OR signals.value = 'no' AND host_policies.restriction = 'none' AND host_policies.group_kind = 'named'
        )
)
SELECT
    url_host_name,
    key,
    value,
    line,
    string_agg(DISTINCT agent, ', ' ORDER BY agent) FILTER (is_by_group) AS agents,
    string_agg(DISTINCT agent, ', ' ORDER BY agent) AS agents_by_file,
    capture_id
FROM contradictions
GROUP BY url_host_name, key, value, line, capture_id
HAVING bool_or(is_by_group)
ORDER BY url_host_name, line, key;
