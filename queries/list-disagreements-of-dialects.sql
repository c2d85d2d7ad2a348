-- Where do two dialects decide differently, and by which lines?
--
-- Tables:  verdict_sets, host_pairs
-- Variables: agent, base, candidate, crawl, html, ranks, stratum
-- Caveats: Needs a run with both dialects: the variables base (default: the dataset's reference)
--          and candidate (default: its second dialect). Redirects are followed, so the lines may be
--          in the file of another host: that of capture_id (where the redirects end under the base,
--          or else under the candidate). Where a line is NULL no rule decided, but the basis.
--          robocensus check --dialect all explains a case. The variable agent, if it is set,
--          selects one agent.
-- Shape:   one row for each cell of a host: url_host_name, agent, url, base_verdict, verdict,
--          base_basis, basis, base_line, line, capture_id; by host, agent and URL
WITH asked AS (
    SELECT *
    FROM host_pairs(asked_base(), asked_candidate())
),
-- Cells are compared once for each pair of vectors of answers; hosts that share the pair are joined
-- to those that differ. The cells of the base are joined first: each has one of the candidate, but
-- without their hosts the cells would be joined by agent and URL alone.
base_cells AS MATERIALIZED (
    SELECT alike.*, cells.agent, cells.url, cells.verdict, cells.basis, cells.rule_line
    FROM (SELECT DISTINCT base_key, base_by, candidate_key, candidate_by FROM asked) AS alike
    JOIN verdict_sets AS cells ON cells.verdict_set_id = alike.base_key
    WHERE cells.dialect = asked_base()
        AND (getvariable('agent') IS NULL OR cells.agent = getvariable('agent'))
        AND is_answered(alike.base_by, cells.url)
        AND is_answered(alike.candidate_by, cells.url)
),
compared AS (
    SELECT
        base.base_key,
        base.base_by,
        base.candidate_key,
        base.candidate_by,
        base.agent,
        base.url,
        effective_verdict(base.base_by, base.verdict) AS base_verdict,
        effective_verdict(base.candidate_by, candidate.verdict) AS verdict,
        base.basis AS base_basis,
        candidate.basis,
        base.rule_line AS base_line,
        candidate.rule_line AS line
    FROM base_cells AS base
    JOIN verdict_sets AS candidate
        ON candidate.verdict_set_id = base.candidate_key
        AND candidate.agent = base.agent
        AND candidate.url = base.url
    WHERE candidate.dialect = asked_candidate()
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
