-- How many hosts state terms of use or licenses: License (RSL), DisallowAITraining, LLM-Policy,
-- Content-Signal, Content-Usage, Noindex?
--
-- Tables:  signals, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed. A
--          host that states several is in several rows. A statement of a path without a value is
--          counted by the path. A statement that does not parse (a License that is no URL) counts
--          in not_parsed and hosts_not_parsed only. A registered domain counts once, by one of its
--          host names (see domains in views.sql).
-- Shape:   one row for each vocabulary: vocabulary, hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), statements,
--          not_parsed (statements), hosts_not_parsed, different_values, example_value; most domains
--          first
-- Chart:   bars label={vocabulary} axis=vocabulary
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
)
SELECT
    signals.vocabulary,
    count(DISTINCT read.url_host_name) FILTER (signals.parse_ok) AS hosts,
    share_of(hosts, (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (signals.parse_ok AND read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(*) FILTER (signals.parse_ok) AS statements,
    count(*) FILTER (NOT signals.parse_ok) AS not_parsed,
    count(DISTINCT read.url_host_name) FILTER (NOT signals.parse_ok) AS hosts_not_parsed,
    count(DISTINCT coalesce(signals.value, signals.path)) FILTER (signals.parse_ok) AS different_values,
    min(coalesce(signals.value, signals.path)) FILTER (signals.parse_ok) AS example_value
FROM read
JOIN signals USING (capture_id)
GROUP BY signals.vocabulary
ORDER BY domains DESC, hosts DESC, signals.vocabulary;
