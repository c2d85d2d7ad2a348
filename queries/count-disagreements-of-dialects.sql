-- Question: On how many hosts, agents and URLs do two dialects answer differently, and what did each of them decide by?
-- Tables:   answer_cells, host_pairs
-- Caveats:  Needs a run with both dialects (--dialects google,rfc9309): the variables base (the dataset's reference
--           unless it is set) and candidate (its second dialect). A cell is one agent and URL of the
--           matrix at one host name, redirects followed. What two dialects make of a status differs as well (basis access). In the form
--           rows each cell meets its other: of a hundred million cells and more, ask one agent by the variable agent, or make sets.
-- Shape:    one row for each pair of verdicts and pair of bases: dialect (the candidate), base_verdict, verdict, base_basis, basis, cells, share_of_cells (0 to 1), hosts,
--           example_host; most cells first
WITH hosts_alike AS MATERIALIZED (
    SELECT base_key, base_by, candidate_key, candidate_by, count(*) AS hosts, min(url_host_name) AS example_host
    FROM host_pairs(asked_base(), asked_candidate())
    GROUP BY ALL
),
-- Hosts that share their vectors of answers disagree alike: the cells are compared once, and count for all of them. (A host of two vectors, behind a
-- redirect, disagrees by one of them only: the other one is undefined in every dialect.) The cells of the base are joined first: each has one of the
-- candidate, but cells of the two without their hosts would meet by agent and URL alone.
base_cells AS MATERIALIZED (
    SELECT alike.*, cells.agent, cells.url, cells.verdict, cells.basis
    FROM hosts_alike AS alike
    JOIN answer_cells AS cells ON cells.answer_key = alike.base_key
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
        effective_verdict(base.base_by, base.verdict) AS base_verdict,
        effective_verdict(base.candidate_by, candidate.verdict) AS verdict,
        base.basis AS base_basis,
        candidate.basis
    FROM base_cells AS base
    JOIN answer_cells AS candidate
        ON candidate.answer_key = base.candidate_key
        AND candidate.agent = base.agent
        AND candidate.url = base.url
    WHERE candidate.dialect = asked_candidate()
),
differing AS (
    SELECT *, count(*) AS cells
    FROM compared
    WHERE base_verdict <> verdict
    GROUP BY ALL
),
-- Every cell of the base has one of the candidate, so that these are all that were compared.
asked AS (
    SELECT sum(hosts) AS cells
    FROM base_cells
)
SELECT
    asked_candidate() AS dialect,
    base_verdict,
    verdict,
    base_basis,
    basis,
    sum(hosts * differing.cells)::BIGINT AS cells,
    round(sum(hosts * differing.cells) / (SELECT asked.cells FROM asked), 6) AS share_of_cells,
    sum(hosts)::BIGINT AS hosts,
    min(example_host) AS example_host
FROM differing
JOIN hosts_alike USING (base_key, base_by, candidate_key, candidate_by)
GROUP BY base_verdict, verdict, base_basis, basis
ORDER BY sum(hosts * differing.cells) DESC, base_verdict, verdict, base_basis, basis;
