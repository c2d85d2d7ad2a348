-- By the popularity of the site, how does the restriction of an agent change from crawl to crawl?
--
-- Tables:  crawl_answers, policy_sets, ranked_names
-- Variables: agent (GPTBot), before, crawl, dialect, html, ranks, stratum
-- Caveats: Ranks are those of the dataset's cohort (run --cohort), or of a list of ranks and
--          registered domains (--set ranks=FILE.csv), for all crawls the same: a site that became
--          popular later has its rank from the beginning. Registered domains without a rank are
--          left out. A registered domain counts in a crawl by the origin that represents it (see
--          crawl_answers in views.sql), if that has a robots.txt there (has_robots_txt), redirects
--          followed; so crawls contain different domains, but those of a cohort that answered. The
--          strata exclude each other. The agent is the variable agent (default: GPTBot), the
--          dialect is the variable dialect (default: the dataset's reference).
-- Shape:   one row for each crawl and stratum: crawl, first_fetch, stratum (upper bound of the
--          rank), ranks (both bounds, as text), agent, announced (NULL: unknown), domains, named,
--          full_by_rules, partial_by_rules, share_of_domains_named, share_of_domains_named_low,
--          share_of_domains_named_high, share_of_domains_full, share_of_domains_full_low,
--          share_of_domains_full_high, share_of_domains_partial, share_of_domains_partial_low,
--          share_of_domains_partial_high (0 to 1); by time, then by stratum
-- Chart:   lines label={crawl} null="not named" time=first_fetch mark=announced series=ranks
--          axis="first fetch of those counted (UTC)" value="share_of_domains_full (full_by_rules)"
--          of="registered domains of the stratum that have a robots.txt in the crawl" each=domains
--          n="each: registered domains with a robots.txt" states=agent
WITH ranked AS (
    SELECT
        answers.crawl,
        answers.nth,
        answers.fetch_time,
        answers.dataset,
        answers.policy_set_id,
        least(by_domain.rank, by_host.rank) AS rank
    FROM crawl_answers AS answers
    LEFT JOIN ranked_names() AS by_domain ON by_domain.name = answers.domain
    LEFT JOIN ranked_names() AS by_host ON by_host.name = answers.url_host_name
    WHERE answers.represents_domain AND answers.has_robots_txt
),
asked AS (
    SELECT ranked.crawl, ranked.nth, ranked.fetch_time, stratum_of(ranked.rank) AS stratum, policies.group_kind, policies.restriction
    FROM ranked
    JOIN both_of('policy_sets') AS policies
        ON policies.dataset = ranked.dataset
        AND policies.policy_set_id = ranked.policy_set_id
        AND policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
)
SELECT
    crawl,
    min(min(fetch_time)) OVER (PARTITION BY nth) AS first_fetch,
    stratum,
    format('{:,} to {:,}', coalesce(list_filter(strata(), lambda bound: bound < stratum)[-1], 0) + 1, stratum) AS ranks,
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    announced_of(coalesce(getvariable('agent'), 'GPTBot')) AS announced,
    count(*) AS domains,
    count(*) FILTER (group_kind = 'named') AS named,
    count(*) FILTER (restriction = 'full') AS full_by_rules,
    count(*) FILTER (restriction = 'partial') AS partial_by_rules,
    share_of(named, domains) AS share_of_domains_named,
    wilson_low(named, domains) AS share_of_domains_named_low,
    wilson_high(named, domains) AS share_of_domains_named_high,
    share_of(full_by_rules, domains) AS share_of_domains_full,
    wilson_low(full_by_rules, domains) AS share_of_domains_full_low,
    wilson_high(full_by_rules, domains) AS share_of_domains_full_high,
    share_of(partial_by_rules, domains) AS share_of_domains_partial,
    wilson_low(partial_by_rules, domains) AS share_of_domains_partial_low,
    wilson_high(partial_by_rules, domains) AS share_of_domains_partial_high
FROM asked
WHERE stratum IS NOT NULL
GROUP BY crawl, nth, stratum
ORDER BY nth, stratum;
