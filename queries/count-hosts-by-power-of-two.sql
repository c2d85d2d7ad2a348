-- How large are robots.txt files, and how many are longer than crawlers must read?
--
-- Tables:  hosts, captures
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Bytes are those of the body without codings. RFC 9309, 2.5, asks crawlers to read at
--          least 500 KiB (512,000 bytes); hosts_over_500_kib have more. A registered domain counts
--          once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each power of two that occurs: bytes_from, bytes_below, hosts,
--          share_of_hosts, domains, share_of_domains, share_of_domains_low, share_of_domains_high
--          (0 to 1), hosts_over_500_kib; smallest first
-- Chart:   bars label={bytes_from:bytes} axis="size from"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH sizes AS (
    SELECT
        hosts.is_primary_of_domain,
        captures.content_length,
        if(captures.content_length = 0, -1, floor(log2(greatest(captures.content_length, 1))))::INTEGER AS power
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE hosts.is_primary AND hosts.has_robots_txt
)
SELECT
    if(power < 0, 0, pow(2, power))::BIGINT AS bytes_from,
    pow(2, power + 1)::BIGINT AS bytes_below,
    count(*) AS hosts,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, sum(domains) OVER ()) AS share_of_domains,
    wilson_low(domains, sum(domains) OVER ()) AS share_of_domains_low,
    wilson_high(domains, sum(domains) OVER ()) AS share_of_domains_high,
    count(*) FILTER (content_length > 500 * 1024) AS hosts_over_500_kib
FROM sizes
GROUP BY power
ORDER BY power;
