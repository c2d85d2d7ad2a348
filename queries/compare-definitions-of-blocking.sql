-- How many hosts restrict an agent by the definitions of earlier studies, and by that of this
-- program?
--
-- Tables:  host_policies
-- Variables: agent (GPTBot), crawl, dialect, html
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed;
--          the studies themselves differ in their denominators as well. The agent is the variable
--          agent (default: GPTBot). The classes of a definition exclude each other. How each
--          differs from its study is described by robocensus tables. The dialect is the variable
--          dialect (default: the dataset's reference). A registered domain counts once, by one of
--          its host names (see domains in views.sql).
-- Shape:   one row for each definition and class: definition (restriction, class_dpi, class_cc,
--          class_probe), class, hosts, share_of_hosts, domains, share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), can_be_named (whether a user-agent
--          line can name the agent in this dialect)
-- Chart:   bars label="{definition}, {class}" axis="definition, class"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH classes AS (
    SELECT is_primary_of_domain, restriction, class_dpi, class_cc, class_probe
    FROM host_policies
    WHERE dialect = asked_dialect()
        AND has_robots_txt
        AND agent = coalesce(getvariable('agent'), 'GPTBot')
)
SELECT
    definition,
    class,
    count(*) AS hosts,
    share_of(count(*), (SELECT count(*) FROM classes)) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM classes WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM classes WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM classes WHERE is_primary_of_domain)) AS share_of_domains_high,
    can_be_named(coalesce(getvariable('agent'), 'GPTBot')) AS can_be_named
FROM classes
UNPIVOT (class FOR definition IN (restriction, class_dpi, class_cc, class_probe))
GROUP BY definition, class
ORDER BY definition, hosts DESC, class;
