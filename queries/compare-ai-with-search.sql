-- How many hosts shut out AI agents of each purpose, and do they shut out search engines as well?
--
-- Tables:  host_files, policy_sets
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed. A
--          host shuts a category out when at least one of its agents has restriction full; search
--          engines are the agents of category search-engine. The figures depend on the agents of
--          the matrix. The dialect is the variable dialect (default: the dataset's reference). A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each category other than search-engine and wildcard: agent_category, agents
--          (of the matrix), hosts_read, only_these (search engines let in), both_shut_out,
--          only_search, neither (hosts), domains_read, domains_only_these, domains_both_shut_out,
--          domains_only_search; most often shut out first, AI before the rest
-- Chart:   bars label="{agent_category}, {agents}" axis="category, number of its agents"
--          value="these shut out, search let in: domains_only_these/domains_read"
--          value="both shut out: domains_both_shut_out/domains_read"
--          value="only search shut out: domains_only_search/domains_read"
--          of="registered domains that have a robots.txt"
-- Files with the same policies are alike, so each vector of them is read once.
WITH by_set AS (
    SELECT policy_set_id, agent_category, bool_or(restriction = 'full') AS is_shut_out, count(*) AS agents
    FROM policy_sets
    WHERE dialect = asked_dialect() AND group_kind <> 'access'
    GROUP BY policy_set_id, agent_category
)
SELECT
    by_set.agent_category,
    max(by_set.agents) AS agents,
    count(*) AS hosts_read,
    count(*) FILTER (by_set.is_shut_out AND NOT search.is_shut_out) AS only_these,
    count(*) FILTER (by_set.is_shut_out AND search.is_shut_out) AS both_shut_out,
    count(*) FILTER (NOT by_set.is_shut_out AND search.is_shut_out) AS only_search,
    count(*) FILTER (NOT by_set.is_shut_out AND NOT search.is_shut_out) AS neither,
    count(*) FILTER (host_files.is_primary_of_domain) AS domains_read,
    count(*) FILTER (host_files.is_primary_of_domain AND by_set.is_shut_out AND NOT search.is_shut_out) AS domains_only_these,
    count(*) FILTER (host_files.is_primary_of_domain AND by_set.is_shut_out AND search.is_shut_out) AS domains_both_shut_out,
    count(*) FILTER (host_files.is_primary_of_domain AND NOT by_set.is_shut_out AND search.is_shut_out) AS domains_only_search
FROM host_files
JOIN by_set USING (policy_set_id)
JOIN by_set AS search USING (policy_set_id)
WHERE host_files.dialect = asked_dialect()
    AND host_files.is_robots_txt
    AND search.agent_category = 'search-engine'
    AND by_set.agent_category NOT IN ('search-engine', 'wildcard')
GROUP BY by_set.agent_category
ORDER BY starts_with(by_set.agent_category, 'ai-') DESC, only_these + both_shut_out DESC, by_set.agent_category;
