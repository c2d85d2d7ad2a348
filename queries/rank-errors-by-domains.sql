-- Which findings do robots.txt files have, on how many hosts, and which dialects accept the line
-- anyway?
--
-- Tables:  errors, response_errors, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          The codes are described by robocensus errors. Codes that are reported once for a file
--          count as one line; places has all occurrences. Findings on the response that carried a
--          file (codes http_* and record_cut) count too, each as one line. Of a page of HTML only
--          findings on the whole file count, not those on lines. A registered domain counts once,
--          by one of its host names (see domains in views.sql).
-- Shape:   one row for each code: code, severity, hosts, share_of_hosts, domains, share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), lines, places, accepted_by (of
--          most lines; NULL: no dialect), example_host, example_text; most domains first
-- Chart:   bars label="{code}, {severity}" axis=finding
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
),
findings AS (
    SELECT capture_id, line, code, severity, text, accepted_by, place_count
    FROM errors
    UNION ALL BY NAME
    SELECT capture_id, code, severity, text, 1 AS place_count
    FROM response_errors
)
SELECT
    findings.code,
    findings.severity,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(*) AS lines,
    sum(findings.place_count)::BIGINT AS places,
    mode(findings.accepted_by ORDER BY findings.accepted_by) AS accepted_by,
    min(read.url_host_name) AS example_host,
    left(min_by(findings.text, row(read.url_host_name, findings.line, findings.text)), 80) AS example_text
FROM read
JOIN findings USING (capture_id)
GROUP BY findings.code, findings.severity
ORDER BY domains DESC, hosts DESC, findings.code;
