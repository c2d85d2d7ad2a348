-- Question: Which hosts allow AI agents everything by name, and since when?
-- Tables:   agents, rules, policies, fetches
-- Caveats:  An invitation is a line "Allow: /" (or /*, *) in a group that names an agent of the matrix whose category begins with ai-. Since when is
--           bounded by the fetches in the datasets (set the variable before to look further back): it stood there at first_seen already, and
--           last_seen_without is the last earlier fetch with a file that did not have it (NULL: never seen without). Origins are told apart.
-- Shape:    one row for each origin and agent: url_host_name, origin, agent, line (in the latest file that has it), first_seen, last_seen_without; by
--           host, origin and agent
WITH known AS (
    SELECT DISTINCT agent, lower(agent) AS agent_token
    FROM policies
    WHERE agent_category LIKE 'ai-%'
),
invitations AS (
    SELECT dataset, capture_id, known.agent, min(rules.line) AS line
    FROM both_of('agents') AS agents
    JOIN known USING (agent_token)
    JOIN both_of('rules') AS rules USING (dataset, capture_id, group_index)
    WHERE rules.rule_kind = 'allow' AND rules.pattern IN ('/', '/*', '*')
    GROUP BY dataset, capture_id, known.agent
),
seen AS (
    SELECT
        fetches.origin,
        fetches.url_host_name,
        invitations.agent,
        min(fetches.fetch_time) AS first_seen,
        max_by(invitations.line, fetches.fetch_time) AS line
    FROM fetches
    JOIN invitations ON invitations.dataset = fetches.dataset AND invitations.capture_id = fetches.effective_capture_id
    GROUP BY fetches.origin, fetches.url_host_name, invitations.agent
)
SELECT
    seen.url_host_name,
    seen.origin,
    seen.agent,
    seen.line,
    seen.first_seen,
    max(fetches.fetch_time) AS last_seen_without
FROM seen
LEFT JOIN fetches
    ON fetches.origin = seen.origin
    AND fetches.access = 'conditional'
    AND fetches.fetch_time < seen.first_seen
GROUP BY ALL
ORDER BY seen.url_host_name, seen.origin, seen.agent;
