-- Question: What is odd in robots.txt files: which errors, on how many hosts, and who reads the line all the same?
-- Tables:   errors, hosts
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. What a code means is said by robocensus errors. Codes
--           that are reported once a file count as one line; places has all of them. Of a page of HTML only what is said of the whole file
--           counts, not its lines. A registered domain counts as the host name
--           that stands for it: the bare domain if it has a file, else www, else another one (see hosts in views.sql).
-- Shape:    one row for each code: code, severity, hosts, share_of_hosts, domains, share_of_domains (0 to 1), lines, places, accepted_by (of most lines; NULL: no dialect),
--           example_host, example_text; most hosts first
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, end_is_html, effective_capture_id AS capture_id
    FROM hosts
    WHERE is_primary AND access = 'conditional'
)
SELECT
    errors.code,
    errors.severity,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    count(*) AS lines,
    sum(errors.place_count)::BIGINT AS places,
    mode(errors.accepted_by ORDER BY errors.accepted_by) AS accepted_by,
    min(read.url_host_name) AS example_host,
    left(min_by(errors.text, row(read.url_host_name, errors.line, errors.text)), 80) AS example_text
FROM read
JOIN errors USING (capture_id)
WHERE NOT (read.end_is_html AND errors.line IS NOT NULL)
GROUP BY errors.code, errors.severity
ORDER BY hosts DESC, errors.code;
