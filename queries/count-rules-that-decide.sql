-- Question: How many rules decide at least one cell of the matrix, and how many are never reached by what was asked?
-- Tables:   rules, verdicts
-- Caveats:  The denominator is rules of captures that were read, not of hosts. Idle means idle for the agents and URLs of this run in the variable dialect
--           (google unless it is set): ask the URLs of a corpus (run --urls) to learn which rules matter to it. count-dead-rules.sql has those that can
--           never decide. In a dialect other than the reference the lines of the table rules may be others.
-- Shape:    one row for each kind: rule_kind, rules, deciding, share_deciding (0 to 1), captures_without_a_deciding_rule
WITH deciding AS (
    SELECT DISTINCT capture_id, rule_line AS line
    FROM verdicts
    WHERE dialect = coalesce(getvariable('dialect'), 'google') AND basis = 'rule'
),
captures_of_kind AS (
    SELECT
        rules.rule_kind,
        rules.capture_id,
        count(*) AS rules,
        count(deciding.line) AS deciding
    FROM rules
    LEFT JOIN deciding USING (capture_id, line)
    GROUP BY rules.rule_kind, rules.capture_id
)
SELECT
    rule_kind,
    sum(rules)::BIGINT AS rules,
    sum(deciding)::BIGINT AS deciding,
    round(sum(deciding) / sum(rules), 4) AS share_deciding,
    count(*) FILTER (deciding = 0) AS captures_without_a_deciding_rule
FROM captures_of_kind
GROUP BY rule_kind
ORDER BY rule_kind;
