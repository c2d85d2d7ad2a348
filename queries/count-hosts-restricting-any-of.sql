-- How many hosts restrict at least one, or all, of a list of agents, by groups that name them or by
-- the group of *?
--
-- Tables:  host_files, policy_sets, matrix_agents
-- Variables: agents, crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          The agents are the variable agents, separated by commas (agents=GPTBot,CCBot), each of
--          them one of the matrix; unless it is set, all of the matrix whose category begins with
--          ai-. Full and partial are those of policies.restriction in the variable dialect
--          (default: the dataset's reference). Inherited: no group of the file names the agent, so
--          the group of * applies to it. A registered domain counts once, by one of its host names
--          (see domains in views.sql).
-- Shape:   one row for each behavior: does (1 names an agent, 2 restricts fully, 3 restricts fully
--          by name, 4 restricts fully by inheritance, 5 restricts fully or partly), agents (asked),
--          agents_not_nameable (those that no user-agent line can name in this dialect),
--          hosts_read, any_of, all_of (hosts), share_any, share_all, domains_read, domains_any,
--          share_of_domains_any, share_of_domains_any_low, share_of_domains_any_high, domains_all,
--          share_of_domains_all, share_of_domains_all_low, share_of_domains_all_high (0 to 1)
-- Chart:   bars label={does} axis=behavior
--          value="at least one of the agents: share_of_domains_any (domains_any)"
--          value="all of the agents: share_of_domains_all (domains_all)"
--          of="registered domains that have a robots.txt"
--          n="domains_read: registered domains that have a robots.txt" states=agents
WITH asked AS (
    SELECT agent, can_be_named
    FROM matrix_agents
    WHERE dialect = asked_dialect()
        AND if(
            getvariable('agents') IS NULL,
            agent_category LIKE 'ai-%',
            list_contains(list_transform(string_split(getvariable('agents'), ','), lambda name: trim(name)), agent)
        )
),
-- Files with the same policies are alike, so each vector of them is read once.
by_set AS (
    SELECT
        policy_set_id,
        count(*) AS agents,
        count(*) FILTER (group_kind = 'named') AS named,
        count(*) FILTER (restriction = 'full') AS is_full,
        count(*) FILTER (restriction = 'full' AND group_kind = 'named') AS full_named,
        count(*) FILTER (restriction = 'full' AND group_kind <> 'named') AS full_inherited,
        count(*) FILTER (restriction IN ('full', 'partial')) AS restricted
    FROM policy_sets
    WHERE dialect = asked_dialect()
        AND group_kind <> 'access'
        AND agent IN (SELECT agent FROM asked)
    GROUP BY policy_set_id
),
done AS (
    UNPIVOT by_set
    ON named AS '1 names', is_full AS '2 restricts fully', full_named AS '3 restricts fully by name', full_inherited AS '4 restricts fully by inheritance',
        restricted AS '5 restricts fully or partly'
    INTO NAME does VALUE n
)
SELECT
    does,
    (SELECT string_agg(agent, ',' ORDER BY agent) FROM asked) AS agents,
    (SELECT string_agg(agent, ',' ORDER BY agent) FROM asked WHERE NOT can_be_named) AS agents_not_nameable,
    count(*) AS hosts_read,
    count(*) FILTER (n > 0) AS any_of,
    count(*) FILTER (n = agents) AS all_of,
    share_of(any_of, hosts_read) AS share_any,
    share_of(all_of, hosts_read) AS share_all,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND n > 0) AS domains_any,
    share_of(domains_any, domains_read) AS share_of_domains_any,
    wilson_low(domains_any, domains_read) AS share_of_domains_any_low,
    wilson_high(domains_any, domains_read) AS share_of_domains_any_high,
    count(*) FILTER (is_primary_of_domain AND n = done.agents) AS domains_all,
    share_of(domains_all, domains_read) AS share_of_domains_all,
    wilson_low(domains_all, domains_read) AS share_of_domains_all_low,
    wilson_high(domains_all, domains_read) AS share_of_domains_all_high
FROM host_files
JOIN done USING (policy_set_id)
WHERE dialect = asked_dialect() AND is_robots_txt
GROUP BY does
ORDER BY does;
