-- How many redirects precede a robots.txt, and what is at their end?
--
-- Tables:  hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is all hosts that were asked, by their primary origin. As many redirects
--          are followed as the reference dialect says (dialects.max_hops; RFC 9309, 2.3.1.2). A
--          target that is not in the dataset is unknown. A registered domain counts once, by one of
--          its host names (see domains in views.sql).
-- Shape:   one row for each depth and each way to end nowhere: redirects (NULL: nowhere), outcome,
--          hosts, hosts_read (a robots.txt was read at the end), share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1); by depth
-- Chart:   bars label="{redirects}, {outcome}" axis="redirects, end"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that were asked for a robots.txt"
--          n=asked
SELECT
    CASE WHEN redirect_outcome IS NULL THEN 0 WHEN redirect_outcome = 'resolved' THEN redirect_hops END AS redirects,
    coalesce(redirect_outcome, 'no_redirect') AS outcome,
    count(*) AS hosts,
    count(*) FILTER (has_robots_txt) AS hosts_read,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, sum(domains) OVER ()) AS share_of_domains,
    wilson_low(domains, sum(domains) OVER ()) AS share_of_domains_low,
    wilson_high(domains, sum(domains) OVER ()) AS share_of_domains_high
FROM hosts
WHERE is_primary
GROUP BY redirects, outcome
ORDER BY redirects NULLS LAST, hosts DESC, outcome;
