-- What was read, and what is missing?
--
-- Tables:  archives, archive_skips, captures, hosts, fetches
-- Variables: before, crawl, html, ranks, stratum
-- Caveats: Archives, records and bytes are those of the run; captures and hosts those of the
--          dataset. A host name counts once, by its primary origin, redirects followed. Rows of 0
--          are left out, except in the section Missing. A registered domain counts once, by one of
--          its host names (see domains in views.sql).
-- Shape:   one row for each fact: section, item, n, whole (the denominator; NULL: none), unit
--          (bytes or NULL)
WITH skipped AS (
    SELECT reason, sum(records)::BIGINT AS n
    FROM archive_skips
    GROUP BY reason
),
archive AS (
    SELECT
        count(*) AS archives,
        count(*) FILTER (NOT is_complete) AS incomplete,
        coalesce(sum(bytes), 0)::BIGINT AS bytes,
        coalesce(sum(bytes_skipped), 0)::BIGINT AS bytes_skipped,
        coalesce(sum(record_count), 0)::BIGINT AS records,
        coalesce(sum(capture_count), 0)::BIGINT AS captures
    FROM archives
),
capture AS (
    SELECT
        count(*) AS captures,
        count(DISTINCT url_host_name) FILTER (crawl IS NOT DISTINCT FROM asked_crawl()) AS host_names,
        count(*) FILTER (content_truncated IS NOT NULL) AS truncated,
        count(*) FILTER (over_limit_bytes > 0) AS over_limit
    FROM captures
),
host AS (
    SELECT
        count(*) AS origins,
        count(*) FILTER (is_primary) AS hosts,
        count(*) FILTER (is_primary AND has_robots_txt) AS hosts_read,
        count(*) FILTER (is_primary_of_domain) AS domains,
        count(*) FILTER (is_primary_of_domain AND has_robots_txt) AS domains_read
    FROM hosts
),
not_read AS (
    SELECT
        CASE
            WHEN redirect_outcome = 'not_in_corpus' THEN 'redirect to a target that was not captured'
            WHEN redirect_outcome = 'loop' THEN 'redirect in a loop'
            WHEN redirect_outcome = 'too_many_hops' THEN 'more redirects than the dialect follows'
            WHEN redirect_outcome = 'not_followed' THEN 'redirect that the dialect does not follow'
            WHEN redirect_outcome = 'not_modified' THEN 'status 304 without the file that it confirms'
            WHEN redirect_outcome = 'not_followable' THEN 'redirect that cannot be followed'
            WHEN access = 'conditional' AND end_is_html THEN 'a page of HTML'
            WHEN access = 'conditional' THEN 'no text, or no line with a known field'
            WHEN end_status IS NULL THEN 'no status'
            ELSE 'status ' || end_status // 100 || 'xx'
        END AS reason,
        count(*) AS n
    FROM hosts
    WHERE is_primary AND NOT has_robots_txt
    GROUP BY reason
),
fetched AS (
    SELECT count(*) AS fetches, count(*) FILTER (redirect_outcome = 'not_in_corpus') AS not_in_corpus
    FROM fetches
    WHERE dataset = 'data'
),
facts AS (
    SELECT 1 AS place, 'Archives' AS section, 'read' AS item, archives AS n, NULL::BIGINT AS whole, NULL AS unit FROM archive
    UNION ALL SELECT 2, 'Archives', 'bytes read', bytes, NULL, 'bytes' FROM archive
    UNION ALL SELECT 3, 'Records', 'in the archives', records, NULL, NULL FROM archive
    UNION ALL SELECT 4, 'Records', 'became captures', captures, records, NULL FROM archive
    UNION ALL SELECT 5, 'Records', 'skipped: ' || replace(reason, '_', ' '), n, records, NULL FROM skipped, archive
    UNION ALL SELECT 6, 'Captures', 'in the dataset', captures, NULL, NULL FROM capture
    UNION ALL SELECT 7, 'Captures', 'that ask for a robots.txt', fetches, captures, NULL FROM fetched, capture
    UNION ALL SELECT 8, 'Hosts', 'origins (scheme, host and port)', origins, NULL, NULL FROM host
    UNION ALL SELECT 9, 'Hosts', 'host names', hosts, NULL, NULL FROM host
    UNION ALL SELECT 10, 'Hosts', 'with a robots.txt', hosts_read, hosts, NULL FROM host
    UNION ALL SELECT 12, 'Hosts', 'without a robots.txt: ' || reason, n, hosts, NULL FROM not_read, host
    UNION ALL SELECT 13, 'Hosts', 'registered domains', domains, NULL, NULL FROM host
    UNION ALL SELECT 14, 'Hosts', 'registered domains with a robots.txt', domains_read, domains, NULL FROM host
    UNION ALL SELECT 15, 'Missing', 'archives that are incomplete', incomplete, archives, NULL FROM archive
    UNION ALL SELECT 16, 'Missing', 'bytes of archives skipped', bytes_skipped, bytes, 'bytes' FROM archive
    UNION ALL SELECT 17, 'Missing', 'fetches that redirect to a target that was not captured', not_in_corpus, fetches, NULL FROM fetched
    UNION ALL SELECT 18, 'Missing', 'captures whose body is cut in the archive', truncated, captures, NULL FROM capture
    UNION ALL SELECT 19, 'Missing', 'captures longer than the reference dialect reads', over_limit, captures, NULL FROM capture
    UNION ALL SELECT 20, 'Missing', 'host names that only hops of redirects have', host_names - hosts, host_names, NULL FROM capture, host
)
SELECT section, item, n, whole, unit
FROM facts
ORDER BY place, n DESC, item;
