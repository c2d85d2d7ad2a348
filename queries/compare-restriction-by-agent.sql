-- Question: What share of hosts restricts each agent fully, partly or not at all, by a group of its own or by that of everybody?
-- Tables:   host_policies
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. Full: / and every probe made from the file's own
--           patterns are disallowed; none: no probe is; partial: the rest. The agents are those of the run's matrix.
-- Shape:    one row for each agent: agent, agent_category, hosts_read, named, full_named, full_everybody, partial_named, partial_everybody (hosts),
--           share_named, share_full, share_partial, share_none (0 to 1); most often shut out first
SELECT
    agent,
    agent_category,
    count(*) AS hosts_read,
    count(*) FILTER (group_kind = 'named') AS named,
    count(*) FILTER (restriction = 'full' AND group_kind = 'named') AS full_named,
    count(*) FILTER (restriction = 'full' AND group_kind <> 'named') AS full_everybody,
    count(*) FILTER (restriction = 'partial' AND group_kind = 'named') AS partial_named,
    count(*) FILTER (restriction = 'partial' AND group_kind <> 'named') AS partial_everybody,
    round(named / hosts_read, 4) AS share_named,
    round((full_named + full_everybody) / hosts_read, 4) AS share_full,
    round((partial_named + partial_everybody) / hosts_read, 4) AS share_partial,
    round(count(*) FILTER (restriction = 'none') / hosts_read, 4) AS share_none
FROM host_policies
WHERE access = 'conditional'
GROUP BY agent, agent_category
ORDER BY full_named + full_everybody DESC, agent;
