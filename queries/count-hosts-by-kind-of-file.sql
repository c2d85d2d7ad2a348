-- Of the hosts that answer with success, how many have a real robots.txt, and how many a page of
-- HTML, an empty body, or comments only?
--
-- Tables:  captures, directives, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts whose file was read (access is conditional), redirects
--          followed. The classes exclude each other and are tried in the order of their numbers, so
--          a page that happens to have a valid rule is a page. The detected type counts, not
--          Content-Type. A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each class: kind (1 empty, 2 page of HTML, 3 no text: archive, image, other,
--          4 rules, 5 groups without rules, 6 other records only, 7 comments or nothing readable),
--          hosts, share_of_hosts, domains, share_of_domains, share_of_domains_low,
--          share_of_domains_high (0 to 1)
-- Chart:   bars label={kind} axis="kind of file"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that answer with success"
--          n="sum of domains: registered domains that answer with success"
WITH files AS (
    SELECT captures.*, hosts.is_primary_of_domain
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE hosts.is_primary AND hosts.access = 'conditional'
)
SELECT
    CASE
        WHEN is_empty THEN '1 empty'
        WHEN is_html THEN '2 page of HTML'
        WHEN content_mime_detected NOT LIKE 'text/%' THEN '3 no text'
        WHEN rule_count > 0 THEN '4 rules'
        WHEN group_count > 0 THEN '5 groups without rules'
        WHEN capture_id IN (SELECT capture_id FROM directives WHERE is_known) THEN '6 other records only'
        ELSE '7 comments or nothing readable'
    END AS kind,
    count(*) AS hosts,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, sum(domains) OVER ()) AS share_of_domains,
    wilson_low(domains, sum(domains) OVER ()) AS share_of_domains_low,
    wilson_high(domains, sum(domains) OVER ()) AS share_of_domains_high
FROM files
GROUP BY kind
ORDER BY kind;
