-- How many hosts shut out AI agents of each purpose, and do they shut out search engines as well?
--
-- Tables:  host_policies
-- Variables: crawl, dialect, html
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
WITH by_host AS (
    SELECT fetch_capture_id, is_primary_of_domain, agent_category, bool_or(coalesce(restriction = 'full', false)) AS is_shut_out, count(*) AS agents
    FROM host_policies
    WHERE dialect = asked_dialect() AND has_robots_txt
    GROUP BY fetch_capture_id, is_primary_of_domain, agent_category
),
search AS (
    SELECT fetch_capture_id, is_shut_out
    FROM by_host
    WHERE agent_category = 'search-engine'
)
SELECT
    by_host.agent_category,
    max(by_host.agents) AS agents,
    count(*) AS hosts_read,
    count(*) FILTER (by_host.is_shut_out AND NOT search.is_shut_out) AS only_these,
    count(*) FILTER (by_host.is_shut_out AND search.is_shut_out) AS both_shut_out,
    count(*) FILTER (NOT by_host.is_shut_out AND search.is_shut_out) AS only_search,
    count(*) FILTER (NOT by_host.is_shut_out AND NOT search.is_shut_out) AS neither,
    count(*) FILTER (by_host.is_primary_of_domain) AS domains_read,
    count(*) FILTER (by_host.is_primary_of_domain AND by_host.is_shut_out AND NOT search.is_shut_out) AS domains_only_these,
    count(*) FILTER (by_host.is_primary_of_domain AND by_host.is_shut_out AND search.is_shut_out) AS domains_both_shut_out,
    count(*) FILTER (by_host.is_primary_of_domain AND NOT by_host.is_shut_out AND search.is_shut_out) AS domains_only_search
FROM by_host
JOIN search USING (fetch_capture_id)
WHERE by_host.agent_category NOT IN ('search-engine', 'wildcard')
GROUP BY by_host.agent_category
ORDER BY starts_with(by_host.agent_category, 'ai-') DESC, only_these + both_shut_out DESC, by_host.agent_category;
