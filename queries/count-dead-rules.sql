-- How many rules can never decide anything: before any group, a path that cannot match, empty,
-- duplicate, or after an equal allow?
--
-- Tables:  rules, hosts
-- Variables: crawl, html
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
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
),
-- Equal patterns of a group are joined once; most rules have none.
-- Equal rules of a group are one row: of each kind only the first is not said twice.
equal AS MATERIALIZED (
    SELECT
        capture_id,
        CASE
            WHEN group_index IS NULL THEN '1 before any group'
            WHEN pattern <> '' AND pattern[1] NOT IN ('/', '*') THEN '2 cannot match'
            WHEN pattern = '' THEN '3 empty'
        END AS dead,
        count(*) AS rules,
        if(bool_and(rule_kind = 'allow') OR bool_and(rule_kind = 'disallow'), 1, 2) AS kinds
    FROM rules
    GROUP BY capture_id, group_index, pattern
),
reasons AS (
    SELECT capture_id, dead AS reason, sum(rules) AS rules FROM equal WHERE dead IS NOT NULL GROUP BY capture_id, dead
    UNION ALL
    SELECT capture_id, '4 said twice', sum(rules - kinds) FROM equal WHERE dead IS NULL AND rules > kinds GROUP BY capture_id
    UNION ALL
    SELECT capture_id, '5 behind an equal allow', count(*) FROM equal WHERE dead IS NULL AND kinds = 2 GROUP BY capture_id
    UNION ALL
    SELECT capture_id, '6 alive', count(*) FROM equal WHERE dead IS NULL GROUP BY capture_id
)
SELECT
    reason,
    sum(rules)::BIGINT AS rules,
    share_of(sum(rules), sum(sum(rules)) OVER ()) AS share_of_rules,
    count(*) AS hosts,
    share_of(count(*), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    min(url_host_name) AS example_host
FROM read
JOIN reasons USING (capture_id)
GROUP BY reason
ORDER BY reason;
