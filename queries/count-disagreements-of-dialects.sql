-- On how many hosts, agents and URLs do two dialects decide differently, and by what does each
-- decide?
--
-- Tables:  verdict_sets, host_pairs, hosts
-- Variables: agent, base, candidate, crawl, html, ranks, stratum
-- Caveats: Needs a run with both dialects (--dialects google,rfc9309): the variables base (default:
--          the dataset's reference) and candidate (default: its second dialect). A cell is one
--          agent and URL of the matrix at one host name, redirects followed. Dialects also differ
--          in what a status means (basis access). A registered domain counts once, by one of its
--          host names (see domains in views.sql).
-- Shape:   one row for each pair of verdicts and pair of bases: dialect (the candidate),
--          base_verdict, verdict, base_basis, basis, cells, share_of_cells (0 to 1), hosts,
--          share_of_hosts (that were asked for a robots.txt), domains, share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), example_host; most domains first
-- Chart:   bars label="{base_verdict}, {base_basis} → {verdict}, {basis}"
--          axis="verdict and basis of the one, of the other"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those asked for a robots.txt" n=asked
--          states=dialect
WITH hosts_alike AS MATERIALIZED (
    SELECT
        base_key,
        base_by,
        candidate_key,
        candidate_by,
        count(*) AS hosts,
        count(*) FILTER (is_primary_of_domain) AS domains,
        min(url_host_name) AS example_host
    FROM host_pairs(asked_base(), asked_candidate())
    GROUP BY ALL
),
-- Hosts that share their vectors of answers disagree in the same cells: these are compared once,
-- and count for all of them. (A host of two vectors, after a redirect, disagrees by one of them
-- only: the other one is undefined in every dialect.) The cells of the base are joined first: each
-- has one of the candidate, but without their hosts the cells would be joined by agent and URL
-- alone.
base_cells AS MATERIALIZED (
    SELECT alike.*, cells.agent, cells.url, cells.verdict, cells.basis
    FROM hosts_alike AS alike
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
        effective_verdict(base.base_by, base.verdict) AS base_verdict,
        effective_verdict(base.candidate_by, candidate.verdict) AS verdict,
        base.basis AS base_basis,
        candidate.basis
    FROM base_cells AS base
    JOIN verdict_sets AS candidate
        ON candidate.verdict_set_id = base.candidate_key
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
-- Every cell of the base has one of the candidate, so these are all compared cells.
asked AS (
    SELECT sum(hosts) AS cells
    FROM base_cells
),
whole AS (
    SELECT count(*) AS hosts, count(*) FILTER (is_primary_of_domain) AS domains
    FROM hosts
    WHERE is_primary
)
SELECT
    asked_candidate() AS dialect,
    base_verdict,
    verdict,
    base_basis,
    basis,
    sum(hosts_alike.hosts * differing.cells)::BIGINT AS cells,
    round(sum(hosts_alike.hosts * differing.cells) / (SELECT asked.cells FROM asked), 6) AS share_of_cells,
    sum(hosts_alike.hosts)::BIGINT AS hosts,
    share_of(sum(hosts_alike.hosts), any_value(whole.hosts)) AS share_of_hosts,
    sum(hosts_alike.domains)::BIGINT AS domains,
    share_of(sum(hosts_alike.domains), any_value(whole.domains)) AS share_of_domains,
    wilson_low(sum(hosts_alike.domains), any_value(whole.domains)) AS share_of_domains_low,
    wilson_high(sum(hosts_alike.domains), any_value(whole.domains)) AS share_of_domains_high,
    min(example_host) AS example_host
FROM differing
JOIN hosts_alike USING (base_key, base_by, candidate_key, candidate_by)
CROSS JOIN whole
GROUP BY base_verdict, verdict, base_basis, basis
ORDER BY sum(hosts_alike.domains) DESC, sum(hosts_alike.hosts * differing.cells) DESC, base_verdict, verdict, base_basis, basis;
