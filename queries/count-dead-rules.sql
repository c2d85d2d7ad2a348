-- Question: How many rules can never decide anything: before any group, shadowed, said twice, empty, or a path that cannot match?
-- Tables:   rules, errors, hosts
-- Caveats:  The denominators are the rules of hosts whose file was read, and these hosts, redirects followed. The reasons are tried in the order of their
--           numbers, so each rule has one. Twice means the same kind and pattern in the same group. Shadowed means that the reference dialect finds
--           another rule of the group that always decides in its place; other dialects may differ (see accepted_by in errors).
-- Shape:    one row for each reason: reason (1 before any group, 2 cannot match, 3 empty, 4 said twice, 5 shadowed, 6 alive), rules, share_of_rules (0 to
--           1), hosts, share_of_hosts (0 to 1), example_host
WITH read AS (
    SELECT url_host_name, effective_capture_id AS capture_id
    FROM hosts
    WHERE is_primary AND access = 'conditional'
),
-- A rule that is said twice is shadowed as well, so only files with a shadowed rule are searched.
twice AS (
    SELECT capture_id, line
    FROM rules
    SEMI JOIN (FROM errors WHERE code = 'shadowed_rule') USING (capture_id)
    QUALIFY row_number() OVER (PARTITION BY capture_id, group_index, rule_kind, pattern ORDER BY line) > 1
),
odd AS (
    SELECT capture_id, line, min(reason) AS reason
    FROM (
        SELECT capture_id, line, if(code = 'path_without_slash', '2 cannot match', '5 shadowed') AS reason
        FROM errors
        WHERE code IN ('path_without_slash', 'shadowed_rule')
        UNION ALL
        SELECT capture_id, line, '4 said twice'
        FROM twice
    )
    GROUP BY capture_id, line
),
-- Rules are counted for each file before hosts are joined: files have dozens of them.
reasons AS (
    SELECT
        rules.capture_id,
        CASE
            WHEN rules.group_index IS NULL THEN '1 before any group'
            WHEN odd.reason = '2 cannot match' THEN odd.reason
            WHEN rules.pattern = '' THEN '3 empty'
            ELSE coalesce(odd.reason, '6 alive')
        END AS reason,
        count(*) AS rules
    FROM rules
    LEFT JOIN odd USING (capture_id, line)
    GROUP BY ALL
)
SELECT
    reason,
    sum(rules)::BIGINT AS rules,
    round(sum(rules) / sum(sum(rules)) OVER (), 4) AS share_of_rules,
    count(*) AS hosts,
    round(count(*) / (SELECT count(*) FROM read), 4) AS share_of_hosts,
    min(url_host_name) AS example_host
FROM read
JOIN reasons USING (capture_id)
GROUP BY reason
ORDER BY reason;
