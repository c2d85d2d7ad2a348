-- Which hosts allow AI agents everything by name, since when, and until when?
--
-- Tables:  agents, rules, policy_sets, captures, fetches
-- Variables: before, html
-- Caveats: An invitation is a line "Allow: /" (or /*, *) in a group that names an agent of the
--          matrix whose category begins with ai-, where nothing is disallowed to that agent
--          (restriction none in the reference dialect): with rules that close a part it is no
--          invitation to everything. The time is bounded by the fetches in the datasets (set the
--          variable before for earlier ones): first_seen is the first fetch with the line, and
--          last_seen_without the last earlier fetch with a file that did not have it (NULL: none).
--          A file that has been replaced is listed, and is_current is false. Origins are listed
--          separately.
-- Shape:   one row for each origin and agent: url_host_name, origin, agent, line (in the latest
--          file that has it), first_seen, last_seen_without, last_seen, is_current (the latest
--          answer of the origin has it); by host, origin and agent
WITH open_to AS (
    SELECT dataset, capture_id, agent, agent AS agent_token
    FROM both_of('captures')
    JOIN both_of('policy_sets') AS policies USING (dataset, policy_set_id)
    WHERE dialect = reference_dialect()
        AND agent_category LIKE 'ai-%'
        AND group_kind = 'named'
        AND restriction = 'none'
),
invitations AS (
    SELECT dataset, capture_id, open_to.agent, min(rules.line) AS line
    FROM open_to
    JOIN both_of('agents') AS agents USING (dataset, capture_id, agent_token)
    JOIN both_of('rules') AS rules USING (dataset, capture_id, group_index)
    WHERE rules.rule_kind = 'allow' AND rules.pattern IN ('/', '/*', '*')
    GROUP BY dataset, capture_id, open_to.agent
),
seen AS (
    SELECT
        fetches.origin,
        fetches.url_host_name,
        invitations.agent,
        min(fetches.fetch_time) AS first_seen,
        max(fetches.fetch_time) AS last_seen,
        max_by(invitations.line, fetches.fetch_time) AS line
    FROM fetches
    JOIN invitations ON invitations.dataset = fetches.dataset AND invitations.capture_id = fetches.capture_id
    GROUP BY fetches.origin, fetches.url_host_name, invitations.agent
)
SELECT
    seen.url_host_name,
    seen.origin,
    seen.agent,
    seen.line,
    seen.first_seen,
    max(fetches.fetch_time) FILTER (fetches.access = 'conditional' AND fetches.fetch_time < seen.first_seen) AS last_seen_without,
    seen.last_seen,
    max(fetches.fetch_time) = seen.last_seen AS is_current
FROM seen
JOIN fetches USING (origin)
WHERE fetches.is_answer
GROUP BY seen.url_host_name, seen.origin, seen.agent, seen.line, seen.first_seen, seen.last_seen
ORDER BY seen.url_host_name, seen.origin, seen.agent;
