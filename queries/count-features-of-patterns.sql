-- How are *, $, ?, percent-escapes and letters outside ASCII used in path-patterns, and how costly
-- can a match become?
--
-- Tables:  rules, files_of_hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominators are the rules of hosts with a robots.txt, and these hosts, redirects
--          followed. A pattern may have several features. A match costs at most the pattern's
--          octets times the path's; a matcher that backtracks takes time exponential in
--          most_wildcards. A registered domain counts once, by one of its host names (see domains
--          in views.sql).
-- Shape:   one row for each feature: feature, rules, share_of_rules (0 to 1), hosts,
--          share_of_hosts, domains, share_of_domains, share_of_domains_low, share_of_domains_high
--          (0 to 1), most_octets, most_wildcards, example_pattern
-- Chart:   bars label={feature} axis="rules with"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS MATERIALIZED (
    FROM files_of_hosts
),
-- Rules of a file that are alike are one row.
alike AS MATERIALIZED (
    SELECT
        capture_id,
        has_wildcard,
        has_anchor,
        pattern = '' AS is_empty,
        if(contains(pattern, '*'), strlen(pattern) - strlen(replace(pattern, '*', '')), 0) AS wildcards,
        ends_with(pattern, '*') AS ends_with_wildcard,
        contains(pattern, '?') AS has_query,
        contains(written, '%') AND regexp_matches(written, '%[0-9A-Fa-f]{2}') AS has_escape,
        strlen(written) > length(written) AS is_outside_ascii,
        pattern <> '' AND pattern[1] NOT IN ('/', '*') AS begins_otherwise,
        count(*) AS rules,
        max(strlen(pattern)) AS octets,
        min(written) AS example_pattern
    FROM (SELECT *, coalesce(pattern_raw, pattern) AS written FROM rules)
    SEMI JOIN read USING (capture_id)
    GROUP BY ALL
),
features AS (
    SELECT '1 any' AS feature, * FROM alike
    UNION ALL
    SELECT '2 empty', * FROM alike WHERE is_empty
    UNION ALL
    SELECT '3 wildcard *', * FROM alike WHERE has_wildcard
    UNION ALL
    SELECT '4 wildcard at the end only', * FROM alike WHERE wildcards = 1 AND ends_with_wildcard
    UNION ALL
    SELECT '5 anchor $', * FROM alike WHERE has_anchor
    UNION ALL
    SELECT '6 query ?', * FROM alike WHERE has_query
    UNION ALL
    SELECT '7 percent-escape as written', * FROM alike WHERE has_escape
    UNION ALL
    SELECT '8 outside ASCII as written', * FROM alike WHERE is_outside_ascii
    UNION ALL
    SELECT '9 begins with neither / nor *', * FROM alike WHERE begins_otherwise
),
of_files AS (
    SELECT
        feature,
        capture_id,
        sum(rules) AS rules,
        max(octets) AS octets,
        max(wildcards) AS wildcards,
        min(example_pattern) AS example_pattern
    FROM features
    GROUP BY feature, capture_id
)
SELECT
    feature,
    sum(rules * hosts)::BIGINT AS rules,
    share_of(sum(rules * hosts), (SELECT sum(rules * hosts) FROM read JOIN alike USING (capture_id))) AS share_of_rules,
    sum(hosts)::BIGINT AS hosts,
    share_of(sum(hosts), (SELECT sum(hosts) FROM read)) AS share_of_hosts,
    sum(domains)::BIGINT AS domains,
    share_of(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains,
    wilson_low(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_low,
    wilson_high(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_high,
    max(octets) AS most_octets,
    max(wildcards) AS most_wildcards,
    left(min(example_pattern), 80) AS example_pattern
FROM read
JOIN of_files USING (capture_id)
GROUP BY feature
ORDER BY feature;
