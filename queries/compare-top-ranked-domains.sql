-- Of the 1,000, 10,000, .. most popular domains, how many are in the crawl, have a robots.txt, name
-- an agent, shut it out?
--
-- Tables:  domains, host_policies, ranked_names
-- Variables: agent (GPTBot), crawl, dialect, html, ranks, stratum
-- Caveats: Ranks are those of the list of the variable ranks (--set ranks=FILE.csv), lines of rank
--          and registered domain, such as Tranco publishes, else those of the dataset's cohort. The
--          bounds are cumulative: a domain of the first 1,000 is one of the first 10,000 as well;
--          compare-rank-strata.sql has disjoint strata. Bounds beyond the list's end are left out.
--          The denominator is domains of the list, also those that the crawl lacks (no_capture),
--          except for shares of domains_read (has_robots_txt). The agent is the variable agent
--          (default: GPTBot), the dialect is the variable dialect (default: the dataset's
--          reference). A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each bound: top (rank up to), domains (of the list), no_capture, not_read
--          (captured, no robots.txt), domains_read, share_no_capture, share_read (of domains, 0 to
--          1), named, full_by_rules, share_named, share_full, share_partial (of domains_read, 0 to
--          1), can_be_named (whether a user-agent line can name the agent in this dialect)
-- Chart:   bars label="up to {top:count}" axis=rank value="has a robots.txt: domains_read/domains"
--          value="captured, no robots.txt: not_read/domains"
--          value="not in the crawl asked: no_capture/domains" of="domains of the list" each=domains
--          n="each: domains of the list"
WITH ranks AS (
    SELECT name AS domain, rank
    FROM ranked_names()
),
bounds AS (
    FROM (VALUES (1_000), (10_000), (50_000), (100_000), (1_000_000), (2_000_000)) AS bounds (top)
    -- The first bound that includes the whole list is the last one of use.
    QUALIFY coalesce(lag(top) OVER (ORDER BY top), 0) < (SELECT max(rank) FROM ranks)
),
answers AS (
    SELECT
        ranks.rank,
        domains.capture_id IS NULL AS is_absent,
        coalesce(domains.has_robots_txt, false) AS is_read,
        policies.group_kind,
        policies.restriction
    FROM ranks
    LEFT JOIN domains ON domains.domain = ranks.domain
    LEFT JOIN host_policies AS policies
        ON policies.fetch_capture_id = domains.fetch_capture_id
        AND policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
)
SELECT
    bounds.top,
    count(*) AS domains,
    count(*) FILTER (is_absent) AS no_capture,
    count(*) FILTER (NOT is_absent AND NOT is_read) AS not_read,
    count(*) FILTER (is_read) AS domains_read,
    share_of(no_capture, count(*)) AS share_no_capture,
    share_of(domains_read, count(*)) AS share_read,
    count(*) FILTER (is_read AND group_kind = 'named') AS named,
    count(*) FILTER (is_read AND restriction = 'full') AS full_by_rules,
    share_of(named, domains_read) AS share_named,
    share_of(full_by_rules, domains_read) AS share_full,
    share_of(count(*) FILTER (is_read AND restriction = 'partial'), domains_read) AS share_partial,
    can_be_named(coalesce(getvariable('agent'), 'GPTBot')) AS can_be_named
FROM bounds
JOIN answers ON answers.rank <= bounds.top
GROUP BY bounds.top
ORDER BY bounds.top;
