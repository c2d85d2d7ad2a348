-- The rows of the table hosts that are missing and those that are wrong: of all fetches, as the view
-- has them, the one that counts for each origin, and of these the primary ones.
WITH answered AS (
    SELECT fetches.*, verdict_set_id, coalesce(url_host_registered_domain, url_host_name) AS domain
    FROM fetches
    JOIN (SELECT capture_id, verdict_set_id FROM captures) USING (capture_id)
),
counting AS (
    FROM answered
    QUALIFY row_number() OVER (
        PARTITION BY crawl, origin
        ORDER BY is_answer DESC, fetch_time DESC NULLS LAST, fetch_capture_id DESC
    ) = 1
),
of_hosts AS (
    SELECT *, row_number() OVER (
        PARTITION BY crawl, url_host_name
        ORDER BY
            has_robots_txt DESC,
            url_protocol <> 'https',
            coalesce(url_port <> default_port(url_protocol), url_port IS NOT NULL),
            origin
    ) = 1 AS is_primary
    FROM counting
),
of_domains AS (
    SELECT *, row_number() OVER (
        PARTITION BY crawl, domain
        ORDER BY
            is_primary DESC,
            has_robots_txt DESC,
            url_host_name <> domain,
            url_host_name <> 'www.' || domain,
            length(url_host_name),
            url_host_name
    ) = 1 AS is_primary_of_domain
    FROM of_hosts
),
wanted AS (
    SELECT
        capture_id, nullif(fetch_capture_id, capture_id) AS fetch_capture_id,
        url_host_name, url_host_tld, url_host_registered_domain, url_protocol, url_port,
        crawl, fetch_time, fetch_status, redirect_outcome, redirect_hops,
        end_status, end_is_html, has_robots_txt, access,
        is_primary, is_primary_of_domain, verdict_set_id, policy_set_id
    FROM of_domains
)
SELECT 'missing' AS difference, *
FROM (FROM wanted EXCEPT ALL FROM table_of(getvariable('data'), 'hosts'))
UNION ALL
SELECT 'wrong' AS difference, *
FROM (FROM table_of(getvariable('data'), 'hosts') EXCEPT ALL FROM wanted)
