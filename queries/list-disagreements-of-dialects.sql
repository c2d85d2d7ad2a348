-- Question: Where exactly do two dialects answer differently, and which lines did they decide by?
-- Tables:   answer_cells, host_pairs
-- Caveats:  Needs a run with both dialects: the variables base (the dataset's reference
--           unless it is set) and candidate (its second dialect). Redirects are followed, so the lines may stand in the file of
--           another host: that of capture_id (where the redirects end under the base, or else under the candidate). Where a line is NULL no rule decided; the basis says what did. robocensus check --dialect all explains one. The variable agent, if it
--           is set, leaves one agent.
-- Shape:    one row for each cell of a host: url_host_name, agent, url, base_verdict, verdict, base_basis, basis, base_line, line, capture_id; by host, agent
--           and URL
WITH asked AS (
    SELECT *
    FROM host_pairs(asked_base(), asked_candidate())
),
-- Cells are compared once for each pair of vectors of answers; hosts that share it are joined to those that differ.
compared AS (
    SELECT
        alike.base_key,
        alike.base_by,
        alike.candidate_key,
        alike.candidate_by,
        base.agent,
        base.url,
        effective_verdict(alike.base_by, base.verdict) AS base_verdict,
        effective_verdict(alike.candidate_by, candidate.verdict) AS verdict,
        base.basis AS base_basis,
        candidate.basis,
        base.rule_line AS base_line,
        candidate.rule_line AS line
    FROM (SELECT DISTINCT base_key, base_by, candidate_key, candidate_by FROM asked) AS alike
    JOIN answer_cells AS base ON base.answer_key = alike.base_key
    JOIN answer_cells AS candidate
        ON candidate.answer_key = alike.candidate_key
        AND candidate.agent = base.agent
        AND candidate.url = base.url
    WHERE base.dialect = asked_base()
        AND candidate.dialect = asked_candidate()
        AND (getvariable('agent') IS NULL OR candidate.agent = getvariable('agent'))
        AND is_answered(alike.base_by, base.url)
        AND is_answered(alike.candidate_by, base.url)
)
SELECT
    url_host_name,
    agent,
    url,
    base_verdict,
    verdict,
    base_basis,
    basis,
    base_line,
    line,
    coalesce(base_capture_id, candidate_capture_id) AS capture_id
FROM asked
JOIN compared USING (base_key, base_by, candidate_key, candidate_by)
WHERE base_verdict <> verdict
ORDER BY url_host_name, agent, url;
