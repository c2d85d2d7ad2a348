-- How does the restriction of an agent change from crawl to crawl on the same hosts (a fixed
-- cohort)?
--
-- Tables:  policies, crawl_hosts
-- Caveats: The cohort is host names that have a robots.txt (has_robots_txt), redirects followed, in
--          every crawl of the dataset and, if the variable before is set, of that one: a change is
--          not due to the choice of hosts. Hosts that lost or gained their file are not in it;
--          count-changes.sql has them. Where archives name no crawl, the dataset is one crawl
--          (NULL). The agent is the variable agent (default: GPTBot), the dialect is the variable
--          dialect (default: the dataset's reference), and both datasets must have it. A registered
--          domain counts by the host name that represents it in that crawl (see domains in
--          views.sql), if that is one of the cohort.
-- Shape:   one row for each crawl: dataset (before, data), crawl, first_fetch, hosts (of the
--          cohort), named, full_by_rules, partial_by_rules, share_named, share_full, share_partial
--          (0 to 1), tighter, looser (hosts, than in the crawl before; NULL: there is none),
--          domains, share_of_domains_full, share_of_domains_full_low, share_of_domains_full_high;
--          by time
WITH read AS (
    SELECT dataset, crawl, url_host_name, is_primary_of_domain, fetch_time, capture_id
    FROM crawl_hosts
    WHERE is_primary AND has_robots_txt
),
crawls AS (
    SELECT dataset, crawl, min(fetch_time) AS first_fetch, row_number() OVER (ORDER BY min(fetch_time), dataset DESC, crawl) AS place
    FROM read
    GROUP BY dataset, crawl
),
cohort AS (
    SELECT url_host_name
    FROM read
    GROUP BY url_host_name
    HAVING count(*) = (SELECT count(*) FROM crawls)
),
asked AS (
    SELECT
        crawls.*,
        read.is_primary_of_domain,
        policies.group_kind,
        policies.restriction,
        list_position(['none', 'partial', 'full'], policies.restriction) AS degree,
        lag(degree) OVER (PARTITION BY read.url_host_name ORDER BY crawls.place) AS previous_degree
    FROM read
    SEMI JOIN cohort USING (url_host_name)
    JOIN crawls ON crawls.dataset = read.dataset AND crawls.crawl IS NOT DISTINCT FROM read.crawl
    JOIN both_of('policies') AS policies
        ON policies.dataset = read.dataset
        AND policies.capture_id = read.capture_id
        AND policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
)
SELECT
    dataset,
    crawl,
    first_fetch,
    count(*) AS hosts,
    count(*) FILTER (group_kind = 'named') AS named,
    count(*) FILTER (restriction = 'full') AS full_by_rules,
    count(*) FILTER (restriction = 'partial') AS partial_by_rules,
    share_of(named, hosts) AS share_named,
    share_of(full_by_rules, hosts) AS share_full,
    share_of(partial_by_rules, hosts) AS share_partial,
    if(place > 1, count(*) FILTER (degree > previous_degree), NULL) AS tighter,
    if(place > 1, count(*) FILTER (degree < previous_degree), NULL) AS looser,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(count(*) FILTER (is_primary_of_domain AND restriction = 'full'), domains) AS share_of_domains_full,
    wilson_low(count(*) FILTER (is_primary_of_domain AND restriction = 'full'), domains) AS share_of_domains_full_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND restriction = 'full'), domains) AS share_of_domains_full_high
FROM asked
GROUP BY dataset, crawl, first_fetch, place
ORDER BY place;
