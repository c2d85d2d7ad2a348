-- Question: How many rules decide at least one cell of the matrix, and how many are never reached by what was asked?
-- Tables:   answer_cells, capture_answers, rules
-- Caveats:  The denominator is rules of captures that were read, not of hosts. Idle means idle for the agents and URLs of this run in the variable dialect
--           (the dataset's reference unless it is set): ask the URLs of a corpus (run --urls) to learn which rules matter to it. count-dead-rules.sql has those that can
--           never decide. In a dialect other than the reference the lines of the table rules may be others.
-- Shape:    one row for each kind: rule_kind, rules, deciding, share_deciding (0 to 1), captures_without_a_deciding_rule
WITH deciding_lines AS (
    SELECT DISTINCT answer_key, rule_line AS line
    FROM answer_cells
    WHERE dialect = asked_dialect() AND basis = 'rule'
),
deciding AS (
    SELECT capture_id, line
    FROM capture_answers
    JOIN deciding_lines USING (answer_key)
),
-- IN, and not a join: DuckDB would take deciding for larger than rules, and keep all rules in memory.
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
