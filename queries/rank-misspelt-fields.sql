-- Which misspellings of which field are most common, and which dialects accept them anyway?
--
-- Tables:  errors, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Only allow, disallow, user-agent, sitemap and the like have known misspellings; a line
--          without a colon is one as well (has_colon is false). To find the verdicts that change if
--          a misspelling is accepted, run with a dialect of your own and use
--          count-flips-between-dialects.sql. A registered domain counts once, by one of its host
--          names (see domains in views.sql).
-- Shape:   the 50 spellings of most hosts: written, meant, has_colon, hosts, share_of_hosts,
--          domains, share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), lines,
--          accepted_by (of most lines; NULL: no dialect), example_host; most domains first
-- Chart:   bars label="{written} → {meant}{has_colon?: (no colon)}" axis="written → meant"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
-- DuckDB would copy what is read twice, and take a path with brackets for a pattern in the copy.
WITH read AS MATERIALIZED (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
)
SELECT
    lower(trim(regexp_extract(errors.text, if(errors.code = 'missing_colon', '^\s*[^\s:]*', '^[^:]*')))) AS written,
    errors.meant,
    errors.code <> 'missing_colon' AS has_colon,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(*) AS lines,
    mode(errors.accepted_by ORDER BY errors.accepted_by) AS accepted_by,
    min(read.url_host_name) AS example_host
FROM read
JOIN errors USING (capture_id)
WHERE errors.code IN ('misspelt_field', 'missing_colon')
GROUP BY written, errors.meant, has_colon
ORDER BY domains DESC, hosts DESC, lines DESC, written
LIMIT 50;
