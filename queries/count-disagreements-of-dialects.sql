-- Question: On how many hosts, agents and URLs do two dialects answer differently, and what did each of them decide by?
-- Tables:   host_verdicts
-- Caveats:  Needs a run with both dialects (--dialects google,rfc9309): the variables base (google) and candidate (rfc9309). A cell is one agent and URL of the
--           matrix at one host name, redirects followed. What two dialects make of a status differs as well (basis access). Each cell meets its
--           other: of a hundred million cells and more, ask one agent by the variable agent.
-- Shape:    one row for each pair of verdicts and pair of bases: dialect (the candidate), base_verdict, verdict, base_basis, basis, cells, share_of_cells (0 to 1), hosts,
--           example_host; most cells first
-- DuckDB keeps the narrower side of the join in memory, so the host is taken from the base: the side of a candidate that the run lacks is empty.
WITH compared AS (
    SELECT
        base.verdict AS base_verdict,
        other.verdict,
        base.basis AS base_basis,
        other.basis,
        count(*) AS cells,
        count(DISTINCT base.url_host_name) AS hosts,
        min(base.url_host_name) AS example_host
    FROM host_verdicts AS base
    JOIN host_verdicts AS other USING (capture_id, agent, url)
    WHERE base.dialect = coalesce(getvariable('base'), 'google')
        AND other.dialect = coalesce(getvariable('candidate'), 'rfc9309')
        AND (getvariable('agent') IS NULL OR other.agent = getvariable('agent'))
    GROUP BY ALL
),
shares AS (
    SELECT *, round(cells / sum(cells) OVER (), 6) AS share_of_cells
    FROM compared
)
SELECT coalesce(getvariable('candidate'), 'rfc9309') AS dialect, base_verdict, verdict, base_basis, basis, cells, share_of_cells, hosts, example_host
FROM shares
WHERE base_verdict <> verdict
ORDER BY cells DESC, base_verdict, verdict, base_basis, basis;
