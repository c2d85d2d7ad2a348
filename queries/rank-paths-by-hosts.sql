-- Question: Which paths are disallowed by the most hosts?
-- Tables:   agents, rules, hosts
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. Any group counts, also that of a single crawler;
--           in_everybodys_group tells. Patterns are compared as the reference dialect compares them: /a and /a/ are two, /a and /a* as well. An empty
--           pattern disallows nothing.
-- Shape:    the 50 patterns of most hosts: pattern, hosts, share_of_hosts (0 to 1), in_everybodys_group (hosts), lines; most hosts first
WITH read AS (
    SELECT url_host_name, effective_capture_id AS capture_id
    FROM hosts
    WHERE is_primary AND access = 'conditional'
),
everybodys AS (
    SELECT DISTINCT capture_id, group_index
    FROM agents
    WHERE is_wildcard
),
patterns AS (
    SELECT
        read.url_host_name,
        rules.pattern,
        count(*) AS lines,
        bool_or(everybodys.capture_id IS NOT NULL) AS is_everybodys
    FROM read
    JOIN rules USING (capture_id)
    LEFT JOIN everybodys ON everybodys.capture_id = rules.capture_id AND everybodys.group_index = rules.group_index
    WHERE rules.rule_kind = 'disallow' AND rules.group_index IS NOT NULL
    GROUP BY read.url_host_name, rules.pattern
)
SELECT
    pattern,
    count(*) AS hosts,
    round(count(*) / (SELECT count(*) FROM read), 4) AS share_of_hosts,
    count(*) FILTER (is_everybodys) AS in_everybodys_group,
    sum(lines)::BIGINT AS lines
FROM patterns
GROUP BY pattern
ORDER BY hosts DESC, pattern
LIMIT 50;
