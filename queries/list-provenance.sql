-- Which archives, crawls, times, runs and versions does the dataset come from, and how many hosts
-- does it have?
--
-- Tables:  archives, captures, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: Times are those of the fetches as the archives state them. archives_digest follows from
--          the bytes of all archives, not from their names, sizes or order: another archive, or one
--          other byte, makes another. It is the SHA-1 of the sorted column archive_sha1 with a line
--          feed between two of them, and run_id that of options and archives_digest, of both the
--          first 16 digits: they tell by accident alike from equal, not forged from true.
--          hosts_read have a robots.txt (has_robots_txt), and domains_read are one of them for each
--          registered domain; hosts_html answer with a page of HTML in its place. A registered
--          domain counts once, by one of its host names (see domains in views.sql). Hosts and
--          domains are those of one crawl, the latest, and with the variable crawl so is all else.
-- Shape:   one row: archives, captures, hosts, hosts_read, hosts_html, domains, domains_read,
--          first_fetch, last_fetch, fetch_days (from the first to the last), crawls,
--          hosts_crawl (whose hosts are counted; NULL: there is no other crawl),
--          archives_digest, tool_versions, run_id
WITH asked_archives AS (
    FROM archives
    WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl')
),
asked_captures AS (
    FROM captures
    WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl')
),
contents AS (
    SELECT
        string_agg(DISTINCT options_digest, chr(10) ORDER BY options_digest) AS options_digest,
        sha1(coalesce(string_agg(archive_sha1, chr(10) ORDER BY archive_sha1), '')) AS digest
    FROM asked_archives
),
host AS (
    SELECT
        count(*) FILTER (is_primary) AS hosts,
        count(*) FILTER (is_primary AND has_robots_txt) AS hosts_read,
        count(*) FILTER (is_primary AND access = 'conditional' AND end_is_html) AS hosts_html,
        count(*) FILTER (is_primary_of_domain) AS domains,
        count(*) FILTER (is_primary_of_domain AND has_robots_txt) AS domains_read
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
    if(count(DISTINCT coalesce(crawl, '')) > 1, asked_crawl(), NULL) AS hosts_crawl,
    (SELECT left(digest, 16) FROM contents) AS archives_digest,
    (SELECT string_agg(DISTINCT tool_version, ', ' ORDER BY tool_version) FROM asked_archives) AS tool_versions,
    (SELECT left(sha1(options_digest || chr(10) || digest), 16) FROM contents) AS run_id
FROM asked_captures;
