-- If a parser changed from one dialect to another, how many verdicts would flip between allow and
-- disallow, for each agent?
--
-- Tables:  verdict_sets, host_pairs
-- Variables: base, candidate, crawl, html, ranks, stratum
-- Caveats: Needs a run with both dialects, built in or of your own (--dialects
--          google,changed.toml): the variables base (default: the dataset's reference) and
--          candidate (default: its second dialect). The denominator is host names of the dataset,
--          redirects followed, and the paths of the matrix. A flip to disallow costs a crawler
--          pages, one to allow may cost it trust. A cell with an undefined verdict is no flip.
-- Shape:   one row for each agent: agent, cells, to_disallow, to_allow (cells), hosts_to_disallow,
--          hosts_to_allow, share_of_cells (flips, 0 to 1), example_to_disallow, example_to_allow
--          (hosts; NULL: none); most flips first
-- Chart:   bars label={agent} value="to disallow: to_disallow/cells"
--          value="to allow: to_allow/cells" of=verdicts n="cells: verdicts for each agent"
WITH hosts_alike AS MATERIALIZED (
    SELECT base_key, base_by, candidate_key, candidate_by, count(*) AS hosts, min(url_host_name) AS example_host
    FROM host_pairs(asked_base(), asked_candidate())
    GROUP BY ALL
),
-- Hosts that share their vectors of answers flip in the same cells: these are compared once, and
-- count for all of them. (A host of two vectors, after a redirect, flips by one of them only: the
-- other one is undefined in every dialect.)
base_cells AS MATERIALIZED (
    SELECT alike.*, cells.agent, cells.url, cells.verdict
    FROM hosts_alike AS alike
    JOIN verdict_sets AS cells ON cells.verdict_set_id = alike.base_key
    WHERE cells.dialect = asked_base()
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
        effective_verdict(base.base_by, base.verdict) AS base_verdict,
        effective_verdict(base.candidate_by, candidate.verdict) AS verdict
    FROM base_cells AS base
    JOIN verdict_sets AS candidate
        ON candidate.verdict_set_id = base.candidate_key
        AND candidate.agent = base.agent
        AND candidate.url = base.url
    WHERE candidate.dialect = asked_candidate()
),
flips AS (
    SELECT
        base_key,
        base_by,
        candidate_key,
        candidate_by,
        agent,
        count(*) AS cells,
        count(*) FILTER (base_verdict = 'allow' AND verdict = 'disallow') AS to_disallow,
        count(*) FILTER (base_verdict = 'disallow' AND verdict = 'allow') AS to_allow
    FROM compared
    GROUP BY base_key, base_by, candidate_key, candidate_by, agent
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
JOIN hosts_alike USING (base_key, base_by, candidate_key, candidate_by)
GROUP BY agent
ORDER BY sum(hosts * (flips.to_disallow + flips.to_allow)) DESC, agent;
