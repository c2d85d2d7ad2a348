-- How many distinct robots.txt files are there, and which cover the most hosts?
--
-- Tables:  hosts, captures, templates
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Files that mean the same to the reference dialect count as one, whatever their sitemaps
--          and comments; the meaning "nothing is disallowed" is usually the most frequent. A
--          template is recognized by its marks in a file, so files of one meaning may be of several
--          templates or of none: the one of more than half of the hosts is named, with their
--          number. A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   the 25 meanings that most hosts share: end_semantic_digest, hosts, share_of_hosts,
--          domains, share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1),
--          different_bytes (files), different_meanings (in all, the same in every row), template
--          and hosts_of_template (NULL: none is that of more than half), example (one host); most
--          domains first
-- Chart:   bars label="{example}, {template}" axis="one of the hosts, template"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT
        hosts.url_host_name,
        hosts.is_primary_of_domain,
        hosts.capture_id,
        captures.content_digest AS end_content_digest,
        captures.semantic_digest AS end_semantic_digest
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE hosts.is_primary AND hosts.has_robots_txt
),
most AS (
    SELECT
        end_semantic_digest,
        count(*) AS hosts,
        share_of(count(*), (SELECT count(*) FROM read)) AS share_of_hosts,
        count(*) FILTER (is_primary_of_domain) AS domains,
        share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
        wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
        wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
        count(DISTINCT end_content_digest) AS different_bytes,
        (SELECT count(DISTINCT end_semantic_digest) FROM read) AS different_meanings,
        min(url_host_name) AS example
    FROM read
    GROUP BY end_semantic_digest
    ORDER BY domains DESC, hosts DESC, end_semantic_digest
    LIMIT 25
),
names AS (
    SELECT end_semantic_digest, template, count(*) AS hosts_of_template
    FROM read
    SEMI JOIN most USING (end_semantic_digest)
    JOIN templates USING (capture_id)
    GROUP BY end_semantic_digest, template
    QUALIFY row_number() OVER (PARTITION BY end_semantic_digest ORDER BY count(*) DESC, template) = 1
)
SELECT
    most.end_semantic_digest,
    hosts,
    share_of_hosts,
    domains,
    share_of_domains,
    share_of_domains_low,
    share_of_domains_high,
    different_bytes,
    different_meanings,
    template,
    hosts_of_template,
    example
FROM most
LEFT JOIN names ON names.end_semantic_digest = most.end_semantic_digest AND names.hosts_of_template * 2 > most.hosts
ORDER BY domains DESC, hosts DESC, most.end_semantic_digest;
