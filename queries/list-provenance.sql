-- Question: Which crawls, times, runs and versions does the dataset come from, and how many hosts does it speak of?
-- Tables:   archives, captures, hosts, domains
-- Caveats:  Times are those of the fetches as the archives state them. Of run identifiers the first five are named.
--           A registered domain counts as the host name
--           that stands for it: the bare domain if it has a file, else www, else another one (see hosts in views.sql).
-- Shape:    one row: captures, hosts, hosts_read, hosts_html (of hosts_read, pages of HTML), domains, domains_read, first_fetch, last_fetch, crawls, tool_versions, run_count, run_ids
SELECT
    count(*) AS captures,
    (SELECT count(*) FROM hosts WHERE is_primary) AS hosts,
    (SELECT count(*) FROM hosts WHERE is_primary AND access = 'conditional') AS hosts_read,
    (SELECT count(*) FROM hosts WHERE is_primary AND access = 'conditional' AND end_is_html) AS hosts_html,
    (SELECT count(*) FROM domains) AS domains,
    (SELECT count(*) FROM domains WHERE access = 'conditional') AS domains_read,
    strftime(min(fetch_time)::TIMESTAMP, '%Y-%m-%d %H:%M:%S') AS first_fetch,
    strftime(max(fetch_time)::TIMESTAMP, '%Y-%m-%d %H:%M:%S') AS last_fetch,
    (SELECT string_agg(DISTINCT crawl, ', ' ORDER BY crawl) FROM captures) AS crawls,
    (SELECT string_agg(DISTINCT tool_version, ', ' ORDER BY tool_version) FROM archives) AS tool_versions,
    (SELECT count(DISTINCT run_id) FROM archives) AS run_count,
    (SELECT string_agg(run_id, ', ' ORDER BY run_id) FROM (SELECT DISTINCT run_id FROM archives ORDER BY run_id LIMIT 5)) AS run_ids
FROM captures;
