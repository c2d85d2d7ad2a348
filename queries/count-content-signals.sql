-- How many hosts state which Content-Signals with which values, in a group or before any?
--
-- Tables:  signals, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Whether a signal applies to its group or to the whole file is disputed, so both are
--          counted: in_group are hosts that state it after a user-agent line. A registered domain
--          counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each key and value: key, value, parse_ok, hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), in_group
--          (hosts), before_any_group (hosts); most domains first
-- Chart:   bars label="{key} = {value}{parse_ok?: (not parsed)}" axis=signal
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
)
SELECT
    signals.key,
    signals.value,
    signals.parse_ok,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(DISTINCT read.url_host_name) FILTER (signals.group_index IS NOT NULL) AS in_group,
    count(DISTINCT read.url_host_name) FILTER (signals.group_index IS NULL) AS before_any_group
FROM read
JOIN signals USING (capture_id)
WHERE signals.vocabulary = 'content-signal'
GROUP BY signals.key, signals.value, signals.parse_ok
ORDER BY domains DESC, hosts DESC, signals.key, signals.value;
