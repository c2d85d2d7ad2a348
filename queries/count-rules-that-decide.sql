-- How many rules decide at least one cell of the matrix, and how many decide none?
--
-- Tables:  verdict_sets, captures, rules
-- Variables: dialect
-- Caveats: The denominator is rules of captures that were read, not of hosts. A rule may decide
--          other agents and URLs than those of this run in the variable dialect (default: the
--          dataset's reference): run with the URLs of a corpus (--urls) to find the rules that
--          matter to it. count-dead-rules.sql has those that can never decide. The table rules is
--          that of the reference dialect; other dialects may have other rules.
-- Shape:   one row for each kind: rule_kind, rules, deciding, share_deciding (0 to 1),
--          captures_without_a_deciding_rule
-- Chart:   bars label={rule_kind} axis="kind of rule" value="deciding: share_deciding (deciding)"
--          of="rules of the kind" each=rules n="sum of rules: rules"
WITH deciding_lines AS (
    SELECT DISTINCT verdict_set_id, rule_line AS line
    FROM verdict_sets
    WHERE dialect = asked_dialect() AND basis = 'rule'
),
deciding AS (
    SELECT capture_id, line
    FROM captures
    JOIN deciding_lines USING (verdict_set_id)
),
-- IN instead of a join: DuckDB would estimate deciding to be larger than rules, and hold all rules
-- in memory.
captures_of_kind AS (
    SELECT
        rule_kind,
        capture_id,
        count(*) AS rules,
        count(*) FILTER ((capture_id, line) IN (FROM deciding)) AS deciding
    FROM rules
    GROUP BY rule_kind, capture_id
)
SELECT
    rule_kind,
    sum(rules)::BIGINT AS rules,
    sum(deciding)::BIGINT AS deciding,
    share_of(sum(deciding), sum(rules)) AS share_deciding,
    count(*) FILTER (deciding = 0) AS captures_without_a_deciding_rule
FROM captures_of_kind
GROUP BY rule_kind
ORDER BY rule_kind;
