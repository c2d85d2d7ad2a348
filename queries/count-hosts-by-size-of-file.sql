-- How large are robots.txt files, and how many exceed the limit of the reference dialect?
--
-- Tables:  captures, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Bytes are those of the body without codings; hosts_cut exceed the limit of the reference
--          dialect (google: 512,000 bytes). To find the verdicts that the limit changes, run with a
--          dialect of your own (byte_limit = "none") and use count-flips-between-dialects.sql. A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each class: bytes_up_to (NULL: more), hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), hosts_cut,
--          largest
-- Chart:   bars label="up to {bytes_up_to:bytes}" axis=size
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt" null=more
SELECT
    CASE
        WHEN content_length = 0 THEN 0
        WHEN content_length <= 100 THEN 100
        WHEN content_length <= 1024 THEN 1024
        WHEN content_length <= 10 * 1024 THEN 10 * 1024
        WHEN content_length <= 100 * 1024 THEN 100 * 1024
        WHEN content_length <= 500 * 1024 THEN 500 * 1024
    END AS bytes_up_to,
    count(*) AS hosts,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, sum(domains) OVER ()) AS share_of_domains,
    wilson_low(domains, sum(domains) OVER ()) AS share_of_domains_low,
    wilson_high(domains, sum(domains) OVER ()) AS share_of_domains_high,
    count(*) FILTER (over_limit_bytes > 0) AS hosts_cut,
    max(content_length) AS largest
FROM hosts
JOIN captures USING (capture_id)
WHERE hosts.is_primary AND hosts.has_robots_txt
GROUP BY bytes_up_to
ORDER BY bytes_up_to NULLS LAST;
