-- Which hosts distinguish crawlers for AI training, AI search and fetches for a user?
--
-- Tables:  host_files, policy_sets
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Shut out means restriction full. A category is that of the run's list of agents: "some"
--          and "all" depend on the agents of the matrix. The dialect is the variable dialect
--          (default: the dataset's reference). A registered domain counts once, by one of its host
--          names (see domains in views.sql).
-- Shape:   one row for each combination: training, search, user_fetch (each none, some or all of
--          its agents are shut out), hosts, share_of_hosts, domains, share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), example (one host); most domains
--          first
-- Chart:   bars label="{training}, {search}, {user_fetch}"
--          axis="shut out: training, search, fetches for a user"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
-- Files with the same policies are alike, so each vector of them is read once.
WITH categories AS (
    SELECT
        policy_set_id,
        agent_category,
        CASE
            WHEN bool_and(restriction = 'full') THEN 'all'
            WHEN bool_or(restriction = 'full') THEN 'some'
            ELSE 'none'
        END AS shut_out
    FROM policy_sets
    WHERE dialect = asked_dialect()
        AND group_kind <> 'access'
        AND agent_category IN ('ai-training', 'ai-search', 'ai-user-fetch')
    GROUP BY policy_set_id, agent_category
),
combinations AS (
    SELECT
        policy_set_id,
        any_value(shut_out) FILTER (agent_category = 'ai-training') AS training,
        any_value(shut_out) FILTER (agent_category = 'ai-search') AS search,
        any_value(shut_out) FILTER (agent_category = 'ai-user-fetch') AS user_fetch
    FROM categories
    GROUP BY policy_set_id
)
SELECT
    training,
    search,
    user_fetch,
    count(*) AS hosts,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, sum(domains) OVER ()) AS share_of_domains,
    wilson_low(domains, sum(domains) OVER ()) AS share_of_domains_low,
    wilson_high(domains, sum(domains) OVER ()) AS share_of_domains_high,
    min(url_host_name) AS example
FROM host_files
JOIN combinations USING (policy_set_id)
WHERE dialect = asked_dialect() AND is_robots_txt
GROUP BY training, search, user_fetch
ORDER BY domains DESC, hosts DESC, training, search, user_fetch;
