-- Question: How many domains and hosts shut AI agents out, by the year of the fetch?
-- Tables:   fetches, policies
-- Caveats:  A year has the hosts that were fetched in it, each by the fetch of that year that counts (as in hosts), so a host may be in several years and
--           another in one: years differ in whom they hold, not only in time. The denominators are registered domains and host names whose file was
--           read (access is conditional), redirects followed. AI agents are those of the matrix whose category begins with ai-; they are shut out when
--           at least one has restriction full under the reference dialect, by name or with everybody. Intervals are those of Wilson, 95 %.
-- Shape:    one row for each year (NULL: unknown): year, fetches, hosts_read, hosts_any_ai, share_of_hosts (0 to 1), domains_read, domains_any_ai,
--           share_of_domains, share_of_domains_low, share_of_domains_high; oldest first
WITH counted AS (
    SELECT *, year(fetch_time) AS year, coalesce(url_host_registered_domain, url_host_name) AS of_domain
    FROM fetches
    WHERE dataset = 'data'
    QUALIFY row_number() OVER (
        PARTITION BY year, origin
        ORDER BY is_answer DESC, fetch_time DESC NULLS LAST, capture_id DESC
    ) = 1
),
of_hosts AS (
    SELECT *
    FROM counted
    QUALIFY row_number() OVER (
        PARTITION BY year, url_host_name
        ORDER BY access = 'conditional' DESC, url_protocol = 'https' DESC, url_port IS NULL DESC, origin
    ) = 1
),
chosen AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY year, of_domain
            ORDER BY
                access = 'conditional' DESC,
                url_host_name = of_domain DESC,
                url_host_name = 'www.' || of_domain DESC,
                length(url_host_name),
                url_host_name
        ) = 1 AS is_of_domain
    FROM of_hosts
),
shut_out AS (
    SELECT capture_id
    FROM policies
    WHERE agent_category LIKE 'ai-%'
    GROUP BY capture_id
    HAVING bool_or(restriction = 'full')
),
fetched AS (
    SELECT year(fetch_time) AS year, count(*) AS fetches
    FROM fetches
    WHERE dataset = 'data'
    GROUP BY ALL
)
SELECT
    chosen.year,
    any_value(fetched.fetches) AS fetches,
    count(*) FILTER (chosen.access = 'conditional') AS hosts_read,
    count(*) FILTER (chosen.access = 'conditional' AND shut_out.capture_id IS NOT NULL) AS hosts_any_ai,
    share_of(hosts_any_ai, hosts_read) AS share_of_hosts,
    count(*) FILTER (chosen.access = 'conditional' AND chosen.is_of_domain) AS domains_read,
    count(*) FILTER (chosen.access = 'conditional' AND chosen.is_of_domain AND shut_out.capture_id IS NOT NULL) AS domains_any_ai,
    share_of(domains_any_ai, domains_read) AS share_of_domains,
    wilson_low(domains_any_ai, domains_read) AS share_of_domains_low,
    wilson_high(domains_any_ai, domains_read) AS share_of_domains_high
FROM chosen
JOIN fetched ON fetched.year IS NOT DISTINCT FROM chosen.year
LEFT JOIN shut_out ON shut_out.capture_id = chosen.effective_capture_id
GROUP BY chosen.year
ORDER BY chosen.year NULLS LAST;
