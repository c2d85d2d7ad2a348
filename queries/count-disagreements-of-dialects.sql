-- Question: On how many hosts, agents and URLs do dialects answer differently, and what did each of them decide by?
-- Tables:   effective_verdicts
-- Caveats:  Needs a run with several dialects (--dialects google,rfc9309); each is compared with the variable base, google unless it is set. A cell is one
--           agent and URL of the matrix at one capture, so a host fetched twice has its cells twice, but counts once in hosts. What two dialects make of
--           a status differs as well (basis access).
-- Shape:    one row for each other dialect, pair of verdicts and pair of bases: dialect, base_verdict, verdict, base_basis, basis, cells, share_of_cells (of
--           that dialect, 0 to 1), hosts, example_host; most cells first
WITH compared AS (
    SELECT
        other.dialect,
        base.verdict AS base_verdict,
        other.verdict,
        base.basis AS base_basis,
        other.basis,
        count(*) AS cells,
        count(DISTINCT other.url_host_name) AS hosts,
        min(other.url_host_name) AS example_host
    FROM effective_verdicts AS base
    JOIN effective_verdicts AS other USING (capture_id, agent, url)
    WHERE base.dialect = coalesce(getvariable('base'), 'google')
        AND other.dialect <> coalesce(getvariable('base'), 'google')
    GROUP BY ALL
),
shares AS (
    SELECT *, round(cells / sum(cells) OVER (PARTITION BY dialect), 6) AS share_of_cells
    FROM compared
)
SELECT dialect, base_verdict, verdict, base_basis, basis, cells, share_of_cells, hosts, example_host
FROM shares
WHERE base_verdict <> verdict
ORDER BY cells DESC, dialect, base_verdict, verdict, base_basis, basis;
