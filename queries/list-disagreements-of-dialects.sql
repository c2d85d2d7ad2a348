-- Question: Where exactly do two dialects answer differently, and which lines did they decide by?
-- Tables:   answer_cells, host_answers
-- Caveats:  Needs a run with both dialects: the variables base (the dataset's reference
--           unless it is set) and candidate (its second dialect). Redirects are followed, so the lines may stand in the file of
--           another host: that of capture_id. Where a line is NULL no rule decided; the basis says what did. robocensus check --dialect all explains one. The variable agent, if it
--           is set, leaves one agent.
-- Shape:    one row for each cell of a host: url_host_name, agent, url, base_verdict, verdict, base_basis, basis, base_line, line, capture_id; by host, agent
--           and URL
WITH asked AS (
    SELECT url_host_name, effective_capture_id AS capture_id, answer_key, answered_by
    FROM host_answers
),
-- Cells are compared once for each vector of answers; hosts that share it are joined to those that differ.
compared AS (
    SELECT
        answer_key,
        answered_by,
        base.agent,
        base.url,
        effective_verdict(answered_by, base.dialect, base.verdict) AS base_verdict,
        effective_verdict(answered_by, candidate.dialect, candidate.verdict) AS verdict,
        base.basis AS base_basis,
        candidate.basis,
        base.rule_line AS base_line,
        candidate.rule_line AS line
    FROM (SELECT DISTINCT answer_key, answered_by FROM asked)
    JOIN answer_cells AS base USING (answer_key)
    JOIN answer_cells AS candidate USING (answer_key, agent, url)
    WHERE base.dialect = asked_base()
        AND candidate.dialect = asked_candidate()
        AND (getvariable('agent') IS NULL OR candidate.agent = getvariable('agent'))
        AND is_answered(answered_by, base.url)
)
SELECT url_host_name, agent, url, base_verdict, verdict, base_basis, basis, base_line, line, capture_id
FROM asked
JOIN compared USING (answer_key, answered_by)
WHERE base_verdict <> verdict
ORDER BY url_host_name, agent, url;
