-- Question: If a parser changed from one dialect to another, how many hosts and URLs would flip from allow to disallow and back, for each agent?
-- Tables:   host_verdicts
-- Caveats:  Needs a run with both dialects, built in or of your own (--dialects google,changed.toml): the variables base (google) and candidate (rfc9309). The
--           denominator is host names of the dataset, redirects followed, and the paths of the matrix. A flip to disallow costs a crawler pages, one
--           to allow may cost it trust. Where one of the two is undefined it is no flip.
-- Shape:    one row for each agent: agent, cells, to_disallow, to_allow (cells), hosts_to_disallow, hosts_to_allow, share_of_cells (flips, 0 to 1),
--           example_to_disallow, example_to_allow (hosts; NULL: none); most flips first
SELECT
    agent,
    count(*) AS cells,
    count(*) FILTER (base.verdict = 'allow' AND candidate.verdict = 'disallow') AS to_disallow,
    count(*) FILTER (base.verdict = 'disallow' AND candidate.verdict = 'allow') AS to_allow,
    count(DISTINCT base.url_host_name) FILTER (base.verdict = 'allow' AND candidate.verdict = 'disallow') AS hosts_to_disallow,
    count(DISTINCT base.url_host_name) FILTER (base.verdict = 'disallow' AND candidate.verdict = 'allow') AS hosts_to_allow,
    round((to_disallow + to_allow) / cells, 6) AS share_of_cells,
    min(base.url_host_name) FILTER (base.verdict = 'allow' AND candidate.verdict = 'disallow') AS example_to_disallow,
    min(base.url_host_name) FILTER (base.verdict = 'disallow' AND candidate.verdict = 'allow') AS example_to_allow
FROM host_verdicts AS base
JOIN host_verdicts AS candidate USING (capture_id, agent, url)
WHERE base.dialect = coalesce(getvariable('base'), 'google')
    AND candidate.dialect = coalesce(getvariable('candidate'), 'rfc9309')
GROUP BY agent
ORDER BY to_disallow + to_allow DESC, agent;
