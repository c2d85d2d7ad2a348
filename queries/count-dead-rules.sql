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
said AS (
    SELECT
        read.url_host_name,
        rules.capture_id,
        rules.line,
        rules.group_index,
        rules.pattern,
        row_number() OVER (
            PARTITION BY read.url_host_name, rules.group_index, rules.rule_kind, rules.pattern
            ORDER BY rules.line
        ) AS time_said
    FROM read
    JOIN rules USING (capture_id)
),
odd AS (
    SELECT
        capture_id,
        line,
        bool_or(code = 'path_without_slash') AS is_path_without_slash,
        bool_or(code = 'shadowed_rule') AS is_shadowed
    FROM errors
    WHERE code IN ('path_without_slash', 'shadowed_rule')
    GROUP BY capture_id, line
),
reasons AS (
    SELECT
        said.url_host_name,
        CASE
            WHEN said.group_index IS NULL THEN '1 before any group'
            WHEN odd.is_path_without_slash THEN '2 cannot match'
            WHEN said.pattern = '' THEN '3 empty'
            WHEN said.time_said > 1 THEN '4 said twice'
            WHEN odd.is_shadowed THEN '5 shadowed'
            ELSE '6 alive'
        END AS reason
    FROM said
    LEFT JOIN odd USING (capture_id, line)
)
SELECT
    reason,
    count(*) AS rules,
    round(count(*) / sum(count(*)) OVER (), 4) AS share_of_rules,
    count(DISTINCT url_host_name) AS hosts,
    round(count(DISTINCT url_host_name) / (SELECT count(*) FROM read), 4) AS share_of_hosts,
    min(url_host_name) AS example_host
FROM reasons
GROUP BY reason
ORDER BY reason;
