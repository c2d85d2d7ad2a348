-- Which publishing systems and services wrote the robots.txt files (WordPress, Shopify, Cloudflare,
-- ..), and how many files were edited since?
--
-- Tables:  hosts, captures, templates
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed. A
--          template is recognized by its marks in a file (template_marks in views.sql), so the
--          figures are lower bounds; a file may be of several. Files of one template that mean the
--          same count once in different_meanings: more of them indicate more edited files. A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each template (NULL: none is recognized): template, hosts, share_of_hosts,
--          domains, share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1),
--          different_meanings
-- Chart:   bars label={template} axis=template
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
--          null="none recognized"
WITH read AS (
    SELECT hosts.is_primary_of_domain, hosts.capture_id, captures.semantic_digest
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE hosts.is_primary AND hosts.has_robots_txt
)
SELECT
    templates.template,
    count(*) AS hosts,
    share_of(count(*), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(DISTINCT semantic_digest) AS different_meanings
FROM read
LEFT JOIN templates USING (capture_id)
GROUP BY templates.template
ORDER BY domains DESC, hosts DESC, templates.template;
