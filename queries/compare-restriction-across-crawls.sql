-- How does the restriction of an agent change from crawl to crawl on the same hosts (a fixed
-- cohort)?
--
-- Tables:  policy_sets, captures, crawl_hosts, listed_members
-- Variables: agent (GPTBot), before, cohort, cohort_crawl, crawl, dialect, html, ranks, stratum
-- Caveats: The cohort is that of the dataset (run --cohort), or the host names and registered
--          domains on the lines of a file (--set cohort=FILE), of which a domain stands for all its
--          hosts; without either, or if the variable cohort_crawl is set, the host names that have
--          a robots.txt (has_robots_txt), redirects followed, in the crawl that it names (default:
--          the first crawl). A crawl that is added changes no row of the others,
--          unless it becomes the first: then name the crawl of the cohort. A member without a
--          robots.txt in a crawl is missing there, and no share includes it: some answered that
--          they have none (no_file), of the others nothing is known. If the variable before
--          is set, crawls of both datasets are rows, one that both have once. Where archives name
--          no crawl, the dataset is one crawl (NULL). The agent is the variable agent (default:
--          GPTBot), the dialect is the variable dialect (default: the dataset's reference), and
--          both datasets must have it. A registered domain counts once in each crawl, by one of its
--          host names in the cohort.
-- Shape:   one row for each crawl: dataset (before, data), crawl, first_fetch, agent, announced
--          (NULL: unknown), members (of the cohort), missing (of them), no_file (of those), hosts,
--          named, full_by_rules, partial_by_rules, share_named, share_full, share_partial (0 to 1),
--          tighter, looser (hosts that are in the crawl before too, than there; NULL: there is
--          none), domains, domains_full, share_of_domains_named, share_of_domains_named_low,
--          share_of_domains_named_high, share_of_domains_full, share_of_domains_full_low,
--          share_of_domains_full_high, share_of_domains_partial, share_of_domains_partial_low,
--          share_of_domains_partial_high (0 to 1); by time
-- Chart:   lines label={crawl} null="not named" time=first_fetch mark=announced
--          axis="first fetch of those counted (UTC)" value="named: share_of_domains_named"
--          value="shut out: share_of_domains_full (domains_full)"
--          value="shut out partly: share_of_domains_partial"
--          of="those of the cohort that have a robots.txt in the crawl" each=domains
--          n="members: members of the cohort" states=agent
WITH read AS (
    SELECT dataset, crawl, url_host_name, domain, fetch_time, capture_id, has_robots_txt, determines(redirect_outcome, end_status) AS is_answer
    FROM crawl_hosts
    WHERE is_primary
    -- A crawl that both datasets have is one point.
    QUALIFY crawl IS NULL OR dataset = max(dataset) OVER (PARTITION BY crawl)
),
crawls AS (
    SELECT dataset, crawl, min(fetch_time) AS first_fetch, row_number() OVER (ORDER BY min(fetch_time), dataset DESC, crawl) AS place
    FROM read
    WHERE has_robots_txt
    GROUP BY dataset, crawl
),
placed AS (
    SELECT read.*, crawls.place
    FROM read
    JOIN crawls ON crawls.dataset = read.dataset AND crawls.crawl IS NOT DISTINCT FROM read.crawl
),
listed AS (
    SELECT member
    FROM listed_members(getvariable('cohort'))
    WHERE getvariable('cohort') IS NOT NULL OR getvariable('cohort_crawl') IS NULL
),
followed AS (
    SELECT member
    FROM listed
    UNION ALL
    SELECT url_host_name
    FROM placed
    WHERE
        NOT EXISTS (FROM listed)
        AND has_robots_txt
        AND place = coalesce(
            (SELECT min(place) FROM crawls WHERE crawl = getvariable('cohort_crawl')),
            if(getvariable('cohort_crawl') IS NULL, 1, error('expected the variable cohort_crawl to name a crawl with robots.txt files'))
        )
),
whole AS (
    SELECT count(*) AS members
    FROM followed
),
found AS (
    SELECT followed.member, placed.*
    FROM placed
    JOIN followed ON followed.member = placed.url_host_name
    UNION ALL
    SELECT listed.member, placed.*
    FROM placed
    JOIN listed ON listed.member = placed.domain AND placed.domain <> placed.url_host_name
),
counted AS (
    SELECT
        place,
        count(DISTINCT member) FILTER (has_robots_txt) AS members_found,
        count(DISTINCT member) FILTER (is_answer) - members_found AS no_file
    FROM found
    GROUP BY place
),
chosen AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY place, domain
            ORDER BY url_host_name = domain DESC, url_host_name = 'www.' || domain DESC, length(url_host_name), url_host_name
        ) = 1 AS is_of_domain
    FROM (SELECT DISTINCT place, dataset, url_host_name, domain, capture_id FROM found WHERE has_robots_txt)
),
asked AS (
    SELECT
        chosen.place,
        chosen.is_of_domain,
        policies.group_kind,
        policies.restriction,
        list_position(['none', 'partial', 'full'], policies.restriction) AS degree,
        if(lag(chosen.place) OVER by_host = chosen.place - 1, lag(degree) OVER by_host, NULL) AS previous_degree
    FROM chosen
    JOIN both_of('captures') AS captures USING (dataset, capture_id)
    JOIN both_of('policy_sets') AS policies
        ON policies.dataset = captures.dataset
        AND policies.policy_set_id = captures.policy_set_id
        AND policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
    WINDOW by_host AS (PARTITION BY chosen.url_host_name ORDER BY chosen.place)
)
SELECT
    crawls.dataset,
    crawls.crawl,
    crawls.first_fetch,
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    announced_of(coalesce(getvariable('agent'), 'GPTBot')) AS announced,
    whole.members,
    whole.members - coalesce(any_value(counted.members_found), 0) AS missing,
    coalesce(any_value(counted.no_file), 0) AS no_file,
    count(asked.place) AS hosts,
    count(*) FILTER (group_kind = 'named') AS named,
    count(*) FILTER (restriction = 'full') AS full_by_rules,
    count(*) FILTER (restriction = 'partial') AS partial_by_rules,
    share_of(named, hosts) AS share_named,
    share_of(full_by_rules, hosts) AS share_full,
    share_of(partial_by_rules, hosts) AS share_partial,
    if(crawls.place > 1, count(*) FILTER (degree > previous_degree), NULL) AS tighter,
    if(crawls.place > 1, count(*) FILTER (degree < previous_degree), NULL) AS looser,
    count(*) FILTER (is_of_domain) AS domains,
    count(*) FILTER (is_of_domain AND restriction = 'full') AS domains_full,
    share_of(count(*) FILTER (is_of_domain AND group_kind = 'named'), domains) AS share_of_domains_named,
    wilson_low(count(*) FILTER (is_of_domain AND group_kind = 'named'), domains) AS share_of_domains_named_low,
    wilson_high(count(*) FILTER (is_of_domain AND group_kind = 'named'), domains) AS share_of_domains_named_high,
    share_of(domains_full, domains) AS share_of_domains_full,
    wilson_low(domains_full, domains) AS share_of_domains_full_low,
    wilson_high(domains_full, domains) AS share_of_domains_full_high,
    share_of(count(*) FILTER (is_of_domain AND restriction = 'partial'), domains) AS share_of_domains_partial,
    wilson_low(count(*) FILTER (is_of_domain AND restriction = 'partial'), domains) AS share_of_domains_partial_low,
    wilson_high(count(*) FILTER (is_of_domain AND restriction = 'partial'), domains) AS share_of_domains_partial_high
FROM crawls
CROSS JOIN whole
LEFT JOIN counted ON counted.place = crawls.place
LEFT JOIN asked ON asked.place = crawls.place
GROUP BY crawls.dataset, crawls.crawl, crawls.first_fetch, crawls.place, whole.members
ORDER BY crawls.place;
