-- How many hosts name sitemaps, and where do they point: relative, the same host, another one, http
-- or https, compressed?
--
-- Tables:  directives, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed;
--          the host compared with is the one whose robots.txt was requested. The classes of place
--          exclude each other; hosts with several sitemaps may be in several. A registered domain
--          counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each place: place (all; relative, same host, same domain, another domain,
--          not a URL), hosts, share_of_hosts, domains, share_of_domains, share_of_domains_low,
--          share_of_domains_high (0 to 1), lines, https, http, compressed (lines), most_of_a_host
-- Chart:   bars label={place} axis="where sitemaps are"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
--          note="A host may be in several classes."
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, url_host_registered_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
),
sitemaps AS (
    SELECT
        read.url_host_name,
        read.is_primary_of_domain,
        read.url_host_registered_domain,
        lower(directives.value_raw) AS target,
        regexp_extract(lower(directives.value_raw), '^https?://(?:[^/?#@]*@)?([^/?#:]+)', 1) AS target_host
    FROM read
    JOIN directives USING (capture_id)
    WHERE directives.key = 'sitemap'
),
placed AS (
    SELECT
        *,
        CASE
            WHEN target_host = url_host_name THEN 'same host'
            WHEN target_host = url_host_registered_domain OR ends_with(target_host, '.' || url_host_registered_domain) THEN 'same domain'
            WHEN target_host <> '' THEN 'another domain'
            WHEN target LIKE '%:%' OR target = '' THEN 'not a URL'
            ELSE 'relative'
        END AS place
    FROM sitemaps
),
by_host AS (
    SELECT
        coalesce(place, 'all') AS place,
        url_host_name,
        is_primary_of_domain,
        count(*) AS lines,
        count(*) FILTER (target LIKE 'https:%') AS https,
        count(*) FILTER (target LIKE 'http:%') AS http,
        count(*) FILTER (target LIKE '%.gz') AS compressed
    FROM placed
    GROUP BY GROUPING SETS ((place, url_host_name, is_primary_of_domain), (url_host_name, is_primary_of_domain))
)
SELECT
    place,
    count(*) AS hosts,
    share_of(count(*), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    sum(lines)::BIGINT AS lines,
    sum(https)::BIGINT AS https,
    sum(http)::BIGINT AS http,
    sum(compressed)::BIGINT AS compressed,
    max(lines) AS most_of_a_host
FROM by_host
GROUP BY place
ORDER BY domains DESC, hosts DESC, place;
