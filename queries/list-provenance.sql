-- Which archives, crawls, times, runs and versions does the dataset come from, and how many hosts
-- does it have?
--
-- Tables:  archives, captures, hosts
-- Caveats: Times are those of the fetches as the archives state them. Only the first five run
--          identifiers are listed. archives_digest is the MD5 of name, bytes, records and captures
--          of each archive, 16 digits: equal for datasets of the same archives. hosts_html and
--          domains_read are parts of hosts_read: those whose file is a page of HTML, and one for
--          each registered domain. A registered domain counts once, by one of its host names (see
--          domains in views.sql). With the variable crawl all of it is that of one crawl.
-- Shape:   one row: archives, captures, hosts, hosts_read, hosts_html, domains, domains_read,
--          first_fetch, last_fetch, fetch_days (from the first to the last), crawls,
--          archives_digest, tool_versions, run_count, run_ids
WITH asked_archives AS (
    FROM archives
    WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl')
),
asked_captures AS (
    FROM captures
    WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl')
),
host AS (
    SELECT
        count(*) FILTER (is_primary) AS hosts,
        count(*) FILTER (is_primary AND access = 'conditional') AS hosts_read,
        count(*) FILTER (is_primary AND access = 'conditional' AND end_is_html) AS hosts_html,
        count(*) FILTER (is_primary_of_domain) AS domains,
        count(*) FILTER (is_primary_of_domain AND access = 'conditional') AS domains_read
    FROM hosts
)
SELECT
    (SELECT count(*) FROM asked_archives) AS archives,
    count(*) AS captures,
    (SELECT hosts FROM host) AS hosts,
    (SELECT hosts_read FROM host) AS hosts_read,
    (SELECT hosts_html FROM host) AS hosts_html,
    (SELECT domains FROM host) AS domains,
    (SELECT domains_read FROM host) AS domains_read,
    strftime(min(fetch_time)::TIMESTAMP, '%Y-%m-%d %H:%M:%S') AS first_fetch,
    strftime(max(fetch_time)::TIMESTAMP, '%Y-%m-%d %H:%M:%S') AS last_fetch,
    date_diff('day', min(fetch_time), max(fetch_time)) AS fetch_days,
    (SELECT string_agg(DISTINCT crawl, ', ' ORDER BY crawl) FROM asked_captures) AS crawls,
    (
        SELECT left(md5(string_agg(concat_ws(' ', warc_filename, bytes, record_count, capture_count), chr(10) ORDER BY warc_filename)), 16)
        FROM asked_archives
    ) AS archives_digest,
    (SELECT string_agg(DISTINCT tool_version, ', ' ORDER BY tool_version) FROM asked_archives) AS tool_versions,
    (SELECT count(DISTINCT run_id) FROM asked_archives) AS run_count,
    (SELECT string_agg(run_id, ', ' ORDER BY run_id) FROM (SELECT DISTINCT run_id FROM asked_archives ORDER BY run_id LIMIT 5)) AS run_ids
FROM asked_captures;
