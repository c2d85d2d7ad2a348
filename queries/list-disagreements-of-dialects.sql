-- Question: Where exactly do two dialects answer differently, and which lines did they decide by?
-- Tables:   host_verdicts
-- Caveats:  Needs a run with both dialects: the variables base (google) and candidate (rfc9309). Redirects are followed, so the lines may stand in the file of
--           another host: that of capture_id. Where a line is NULL no rule decided; the basis says what did. robocensus check --dialect all explains one. The variable agent, if it
--           is set, leaves one agent.
-- Shape:    one row for each cell of a host: url_host_name, agent, url, base_verdict, verdict, base_basis, basis, base_line, line, capture_id; by host, agent
--           and URL
SELECT
    base.url_host_name,
    base.agent,
    base.url,
    base.verdict AS base_verdict,
    candidate.verdict,
    base.basis AS base_basis,
    candidate.basis,
    base.rule_line AS base_line,
    candidate.rule_line AS line,
    base.effective_capture_id AS capture_id
FROM host_verdicts AS base
JOIN host_verdicts AS candidate USING (capture_id, agent, url)
WHERE base.dialect = coalesce(getvariable('base'), 'google')
    AND candidate.dialect = coalesce(getvariable('candidate'), 'rfc9309')
    AND (getvariable('agent') IS NULL OR candidate.agent = getvariable('agent'))
    AND base.verdict <> candidate.verdict
ORDER BY base.url_host_name, base.agent, base.url;
