-- Which agents are let in by robots.txt and shut out by the page, and the reverse?
--
-- Tables:  page_robots, page_policies
-- Caveats: The denominator is pages with a statement on the page as a whole and a robots.txt of
--          their origin in the dataset, nearest in time, redirects followed. A page shuts an agent
--          out if it must not be in an index (noindex, none), by Google's interpretation of pages
--          for every agent. An agent that may not fetch a page cannot read that it may be in an
--          index. Verdicts that the dialect leaves open are in undefined.
-- Shape:   one row for each agent: agent, hosts, pages, let_in_by_both, shut_out_by_page (let in by
--          robots.txt), shut_out_by_robots (let in by the page), shut_out_by_both, undefined,
--          share_shut_out_by_page, share_shut_out_by_robots, share_shut_out_by_both (of pages, 0 to
--          1); most pages shut out by the page alone first
-- Chart:   bars label={agent} value="shut out by the page alone: shut_out_by_page/pages"
--          value="by both: shut_out_by_both/pages"
--          value="by robots.txt alone: shut_out_by_robots/pages"
--          of="pages whose policy and robots.txt are known"
--          n="pages: pages whose policy and robots.txt are known" hosts=hosts
WITH page AS (
    SELECT
        page_robots.agent,
        page_robots.url_host_name,
        page_robots.robots_verdict,
        page_policies.page_id IS NULL OR page_policies.value = 'true' AS may_index
    FROM page_robots
    LEFT JOIN page_policies
        ON page_policies.page_id = page_robots.page_id
        AND page_policies.agent = page_robots.agent
        AND page_policies.dialect = 'google'
        AND page_policies.directive = 'may_index'
)
SELECT
    agent,
    count(DISTINCT url_host_name) AS hosts,
    count(*) AS pages,
    count(*) FILTER (robots_verdict = 'allow' AND may_index) AS let_in_by_both,
    count(*) FILTER (robots_verdict = 'allow' AND NOT may_index) AS shut_out_by_page,
    count(*) FILTER (robots_verdict = 'disallow' AND may_index) AS shut_out_by_robots,
    count(*) FILTER (robots_verdict = 'disallow' AND NOT may_index) AS shut_out_by_both,
    count(*) FILTER (robots_verdict = 'undefined') AS undefined,
    share_of(shut_out_by_page, count(*)) AS share_shut_out_by_page,
    share_of(shut_out_by_robots, count(*)) AS share_shut_out_by_robots,
    share_of(shut_out_by_both, count(*)) AS share_shut_out_by_both
FROM page
GROUP BY agent
ORDER BY shut_out_by_page DESC, shut_out_by_robots DESC, agent;
