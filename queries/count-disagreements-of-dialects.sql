-- Question: On how many hosts, agents and URLs do two dialects answer differently, and what did each of them decide by?
-- Tables:   answer_cells, host_pairs
-- Caveats:  Needs a run with both dialects (--dialects google,rfc9309): the variables base (the dataset's reference
--           unless it is set) and candidate (its second dialect). A cell is one agent and URL of the
--           matrix at one host name, redirects followed. What two dialects make of a status differs as well (basis access). In the form
--           rows each cell meets its other: of a hundred million cells and more, ask one agent by the variable agent, or make sets.
-- Shape:    one row for each pair of verdicts and pair of bases: dialect (the candidate), base_verdict, verdict, base_basis, basis, cells, share_of_cells (0 to 1), hosts,
--           example_host; most cells first
WITH hosts_alike AS (
    SELECT base_key, base_by, candidate_key, candidate_by, count(*) AS hosts, min(url_host_name) AS example_host
    FROM host_pairs(asked_base(), asked_candidate())
    GROUP BY ALL
),
-- Hosts that share their vectors of answers disagree alike: the cells are compared once, and count for all of them. (A host of two vectors, behind a
-- redirect, disagrees by one of them only: the other one is undefined in every dialect.)
compared AS (
    SELECT
        alike.base_key,
        alike.base_by,
        alike.candidate_key,
        alike.candidate_by,
        effective_verdict(alike.base_by, base.verdict) AS base_verdict,
        effective_verdict(alike.candidate_by, candidate.verdict) AS verdict,
        base.basis AS base_basis,
        candidate.basis
    FROM hosts_alike AS alike
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
    FROM hosts_alike
    JOIN answer_cells ON answer_key = base_key
    WHERE dialect = asked_base()
        AND (getvariable('agent') IS NULL OR agent = getvariable('agent'))
        AND is_answered(base_by, url)
        AND is_answered(candidate_by, url)
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
