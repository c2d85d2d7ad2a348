-- How many hosts state Content-Usage (IETF AIPREF), which preferences, for which paths, and how
-- many statements do not parse?
--
-- Tables:  signals, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed. A
--          statement that is no dictionary of RFC 9651 has no effect: parse_ok is false, and value
--          is its text. A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each preference: parse_ok, key, value, hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), statements,
--          with_path; most domains first
-- Chart:   bars label="{key} = {value}{parse_ok?: (not parsed)}" axis=preference
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
)
SELECT
    signals.parse_ok,
    signals.key,
    signals.value,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(*) AS statements,
    count(signals.path) AS with_path
FROM read
JOIN signals USING (capture_id)
WHERE signals.vocabulary = 'content-usage'
GROUP BY signals.parse_ok, signals.key, signals.value
ORDER BY domains DESC, hosts DESC, signals.parse_ok DESC, signals.key, signals.value;
