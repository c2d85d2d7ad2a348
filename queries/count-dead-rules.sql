-- How many rules can never decide anything: before any group, a path that cannot match, empty,
-- duplicate, or after an equal allow?
--
-- Tables:  rules, files_of_hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominators are the rules of hosts with a robots.txt, and these hosts, redirects
--          followed. The reasons are tried in the order of their numbers, so each rule has one
--          reason. A path cannot match if it begins with neither / nor *. A duplicate has the kind
--          and pattern of an earlier rule of the group, as the reference dialect compares them. A
--          disallow never decides next to an allow of the same pattern in its group, since an allow
--          wins a tie (RFC 9309, 2.2.2); in a dialect where the first rule in the file wins, the
--          order decides instead. A rule that a longer one always overrides, or that no path of the
--          site matches, counts as alive. A registered domain counts once, by one of its host names
--          (see domains in views.sql).
-- Shape:   one row for each reason: reason (1 before any group, 2 cannot match, 3 empty, 4 said
--          twice, 5 behind an equal allow, 6 alive), rules, share_of_rules (0 to 1), hosts,
--          share_of_hosts, domains, share_of_domains, share_of_domains_low, share_of_domains_high
--          (0 to 1), example_host
-- Chart:   bars label={reason} axis="rules that are"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS MATERIALIZED (
    FROM files_of_hosts
),
-- Equal rules of a group are one row: of each kind only the first is not said twice.
equal AS (
    SELECT
        capture_id,
        CASE
            WHEN group_index IS NULL THEN '1 before any group'
            WHEN pattern <> '' AND pattern[1] NOT IN ('/', '*') THEN '2 cannot match'
            WHEN pattern = '' THEN '3 empty'
        END AS dead,
        count(*) AS rules,
        if(count(*) FILTER (rule_kind = 'allow') IN (0, count(*)), 1, 2) AS kinds
    FROM rules
    SEMI JOIN read USING (capture_id)
    GROUP BY capture_id, group_index, pattern
),
files AS (
    SELECT
        capture_id,
        coalesce(sum(rules) FILTER (dead = '1 before any group'), 0) AS "1 before any group",
        coalesce(sum(rules) FILTER (dead = '2 cannot match'), 0) AS "2 cannot match",
        coalesce(sum(rules) FILTER (dead = '3 empty'), 0) AS "3 empty",
        coalesce(sum(rules - kinds) FILTER (dead IS NULL), 0) AS "4 said twice",
        coalesce(sum(kinds - 1) FILTER (dead IS NULL), 0) AS "5 behind an equal allow",
        count(*) FILTER (dead IS NULL) AS "6 alive"
    FROM equal
    GROUP BY capture_id
),
reasons AS (
    FROM (UNPIVOT files ON COLUMNS(* EXCLUDE (capture_id)) INTO NAME reason VALUE rules)
    WHERE rules > 0
)
SELECT
    reason,
    sum(rules * hosts)::BIGINT AS rules,
    share_of(sum(rules * hosts), sum(sum(rules * hosts)) OVER ()) AS share_of_rules,
    sum(hosts)::BIGINT AS hosts,
    share_of(sum(hosts), (SELECT sum(hosts) FROM read)) AS share_of_hosts,
    sum(domains)::BIGINT AS domains,
    share_of(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains,
    wilson_low(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_low,
    wilson_high(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_high,
    min(example_host) AS example_host
FROM read
JOIN reasons USING (capture_id)
GROUP BY reason
ORDER BY reason;
