-- Which hosts have no robots.txt in any crawl, and why not?
--
-- Tables:  hosts_of_members, listed_members
-- Variables: before, cohort, crawl, html, ranks, stratum
-- Caveats: A host name is listed if no fetch that counts found a robots.txt in any crawl of either
--          dataset, redirects followed. In a dataset of a cohort (run --cohort), or with a list
--          (--set cohort=FILE, a host name or registered domain on each line), its members are
--          listed, each once, also those that no crawl has; a domain stands for all its hosts, and
--          has a robots.txt if one of them has.
--          Of several reasons the first of the order below counts: html (a page of HTML), no_known_line
--          (another answer with 2xx), no_file (4xx but 429), no_target (redirects without an end in
--          the crawl), no_answer (429, 5xx, or no readable answer), not_captured.
-- Shape:   one row for each host name, or member of the list: host, reason, crawls (that fetched
--          it), last_time, last_status (of the latest fetch that counts); by reason and host
WITH fetched AS (
    FROM hosts_of_members(getvariable('cohort'))
),
without AS (
    SELECT
        member AS host,
        min(CASE
            WHEN end_is_html AND access = 'conditional' THEN '1 html'
            WHEN access = 'conditional' THEN '2 no_known_line'
            WHEN end_status BETWEEN 400 AND 499 AND end_status <> 429 THEN '3 no_file'
            WHEN redirect_outcome IS NOT NULL AND end_status IS NULL THEN '4 no_target'
            ELSE '5 no_answer'
        END) AS reason,
        count(DISTINCT coalesce(crawl, '')) AS crawls,
        max(fetch_time) AS last_time,
        arg_max(coalesce(end_status, fetch_status), fetch_time) AS last_status
    FROM fetched
    GROUP BY member
    HAVING NOT bool_or(has_robots_txt)
    UNION ALL
    SELECT member, '6 not_captured', 0, NULL, NULL
    FROM listed_members(getvariable('cohort'))
    WHERE member NOT IN (SELECT member FROM fetched)
)
SELECT host, reason[3:] AS reason, crawls, last_time, last_status
FROM without
ORDER BY without.reason, host;
