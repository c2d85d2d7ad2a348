-- What share of hosts answers the request for robots.txt with 200, a redirect, 4xx, 5xx or nothing,
-- at first and after redirects?
--
-- Tables:  hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that were asked and are in the archives; an archive rarely has
--          a host that never answered, so "nothing" is an answer that is not HTTP. After redirects,
--          3xx is a chain without an end: a loop, too many hops, a target that is not in the
--          dataset. The origins of a host name may answer differently; one of them counts (see
--          hosts in views.sql): one with a file before one without, then https before http. So a
--          host whose http answers 301 and https 200 is 2xx at first, and shares of 3xx and 4xx are
--          lower than those of fetches: count-captures-by-status.sql has these. A registered domain
--          counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each class: status_class (2xx to 5xx, nothing), hosts_at_first,
--          share_at_first (0 to 1), hosts_at_last, share_at_last, domains_at_first,
--          share_of_domains_at_first, share_of_domains_at_first_low,
--          share_of_domains_at_first_high, domains_at_last, share_of_domains_at_last,
--          share_of_domains_at_last_low, share_of_domains_at_last_high (0 to 1, with 95 % intervals
--          by Wilson)
-- Chart:   bars label={status_class} axis="status at the end of redirects"
--          value="registered domains: share_of_domains_at_last (domains_at_last)"
--          value="hosts: share_at_last (hosts_at_last)" of="those that were asked for a robots.txt"
--          n=asked
WITH answers AS (
    SELECT
        coalesce(fetch_status // 100 || 'xx', 'nothing') AS at_first,
        is_primary_of_domain,
        CASE WHEN redirect_outcome NOT IN ('resolved', 'not_followed') THEN '3xx' ELSE coalesce(end_status // 100 || 'xx', 'nothing') END AS at_last
    FROM hosts
    WHERE is_primary
),
classes AS (
    SELECT at_first AS status_class, 1 AS is_first, 0 AS is_last, is_primary_of_domain FROM answers
    UNION ALL
    SELECT at_last, 0, 1, is_primary_of_domain FROM answers
)
SELECT
    status_class,
    sum(is_first)::BIGINT AS hosts_at_first,
    share_of(sum(is_first), sum(sum(is_first)) OVER ()) AS share_at_first,
    sum(is_last)::BIGINT AS hosts_at_last,
    share_of(sum(is_last), sum(sum(is_last)) OVER ()) AS share_at_last,
    coalesce(sum(is_first) FILTER (is_primary_of_domain), 0)::BIGINT AS domains_at_first,
    share_of(domains_at_first, sum(domains_at_first) OVER ()) AS share_of_domains_at_first,
    wilson_low(domains_at_first, sum(domains_at_first) OVER ()) AS share_of_domains_at_first_low,
    wilson_high(domains_at_first, sum(domains_at_first) OVER ()) AS share_of_domains_at_first_high,
    coalesce(sum(is_last) FILTER (is_primary_of_domain), 0)::BIGINT AS domains_at_last,
    share_of(domains_at_last, sum(domains_at_last) OVER ()) AS share_of_domains_at_last,
    wilson_low(domains_at_last, sum(domains_at_last) OVER ()) AS share_of_domains_at_last_low,
    wilson_high(domains_at_last, sum(domains_at_last) OVER ()) AS share_of_domains_at_last_high
FROM classes
GROUP BY status_class
ORDER BY status_class;
