-- Question: If a parser changed from one dialect to another, how many hosts and URLs would flip from allow to disallow and back, for each agent?
-- Tables:   answer_cells, host_answers
-- Caveats:  Needs a run with both dialects, built in or of your own (--dialects google,changed.toml): the variables base (the dataset's reference
--           unless it is set) and candidate (its second dialect). The
--           denominator is host names of the dataset, redirects followed, and the paths of the matrix. A flip to disallow costs a crawler pages, one
--           to allow may cost it trust. Where one of the two is undefined it is no flip.
-- Shape:    one row for each agent: agent, cells, to_disallow, to_allow (cells), hosts_to_disallow, hosts_to_allow, share_of_cells (flips, 0 to 1),
--           example_to_disallow, example_to_allow (hosts; NULL: none); most flips first
WITH hosts_alike AS (
    SELECT answer_key, answered_by, count(*) AS hosts, min(url_host_name) AS example_host
    FROM host_answers
    GROUP BY answer_key, answered_by
),
-- Hosts that share a vector of answers flip alike: its cells are compared once, and count for all of them. (A host of two vectors, behind a redirect,
-- flips by one of them only: the other one is undefined in every dialect.)
compared AS (
    SELECT
        answer_key,
        answered_by,
        base.agent,
        effective_verdict(answered_by, base.dialect, base.verdict) AS base_verdict,
        effective_verdict(answered_by, candidate.dialect, candidate.verdict) AS verdict
    FROM hosts_alike
    JOIN answer_cells AS base USING (answer_key)
    JOIN answer_cells AS candidate USING (answer_key, agent, url)
    WHERE base.dialect = asked_base()
        AND candidate.dialect = asked_candidate()
        AND is_answered(answered_by, base.url)
),
flips AS (
    SELECT
        answer_key,
        answered_by,
        agent,
        count(*) AS cells,
        count(*) FILTER (base_verdict = 'allow' AND verdict = 'disallow') AS to_disallow,
        count(*) FILTER (base_verdict = 'disallow' AND verdict = 'allow') AS to_allow
    FROM compared
    GROUP BY answer_key, answered_by, agent
)
SELECT
    agent,
    sum(hosts * flips.cells)::BIGINT AS cells,
    sum(hosts * flips.to_disallow)::BIGINT AS to_disallow,
    sum(hosts * flips.to_allow)::BIGINT AS to_allow,
    coalesce(sum(hosts) FILTER (flips.to_disallow > 0), 0)::BIGINT AS hosts_to_disallow,
    coalesce(sum(hosts) FILTER (flips.to_allow > 0), 0)::BIGINT AS hosts_to_allow,
    round(sum(hosts * (flips.to_disallow + flips.to_allow)) / sum(hosts * flips.cells), 6) AS share_of_cells,
    min(example_host) FILTER (flips.to_disallow > 0) AS example_to_disallow,
    min(example_host) FILTER (flips.to_allow > 0) AS example_to_allow
FROM flips
JOIN hosts_alike USING (answer_key, answered_by)
GROUP BY agent
ORDER BY sum(hosts * (flips.to_disallow + flips.to_allow)) DESC, agent;
