-- How much does the share of hosts that restrict an agent depend on the definition (of earlier
-- studies, and of this program), on the dialect, and on whether pages of HTML count?
--
-- Tables:  captures, host_policies, matrix_agents
-- Variables: agent (GPTBot), crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt, redirects followed: with html =
--          excluded a text (captures.is_robots_txt, as has_robots_txt in other queries), with html
--          = included every answer with 2xx, also a page of HTML; the studies themselves differ in
--          their denominators as well. All dialects of the dataset are rows, whatever html is set
--          to. The agent is the variable agent (default: GPTBot). The classes of a definition
--          exclude each other. How each differs from its study is described by robocensus tables. A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each dialect, html (excluded, included), definition and class: dialect,
--          html, definition (restriction, class_dpi, class_cc, class_probe), class, hosts,
--          share_of_hosts, domains, of_domains (all that have a robots.txt), share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), can_be_named (whether a user-agent
--          line can name the agent in this dialect)
-- Chart:   bars label="{definition}, {class}, {dialect}, HTML {html}"
--          axis="definition, class, dialect, pages of HTML"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
--          each=of_domains n="each: registered domains that have a robots.txt"
WITH classes AS (
    SELECT dialect, is_primary_of_domain, is_robots_txt, restriction, class_dpi, class_cc, class_probe
    FROM host_policies
    JOIN captures USING (capture_id)
    WHERE host_policies.access = 'conditional' AND agent = coalesce(getvariable('agent'), 'GPTBot')
),
asked AS (
    SELECT 'excluded' AS html, * FROM classes WHERE is_robots_txt
    UNION ALL
    SELECT 'included' AS html, * FROM classes
),
counted AS (
    SELECT dialect, html, definition, class, count(*) AS hosts, count(*) FILTER (is_primary_of_domain) AS domains
    FROM asked
    UNPIVOT (class FOR definition IN (restriction, class_dpi, class_cc, class_probe))
    GROUP BY dialect, html, definition, class
),
wholes AS (
    SELECT *, sum(hosts) OVER of_definition AS of_hosts, sum(domains) OVER of_definition AS of_domains
    FROM counted
    WINDOW of_definition AS (PARTITION BY dialect, html, definition)
)
SELECT
    dialect,
    html,
    definition,
    class,
    hosts,
    share_of(hosts, of_hosts) AS share_of_hosts,
    domains,
    of_domains::BIGINT AS of_domains,
    share_of(domains, of_domains) AS share_of_domains,
    wilson_low(domains, of_domains) AS share_of_domains_low,
    wilson_high(domains, of_domains) AS share_of_domains_high,
    (SELECT any_value(matrix_agents.can_be_named) FROM matrix_agents WHERE matrix_agents.agent = coalesce(getvariable('agent'), 'GPTBot') AND matrix_agents.dialect = wholes.dialect) AS can_be_named
FROM wholes
ORDER BY definition, class, dialect, html;
