-- What share of the sites of a cohort restricts an agent, by a column of its list, such as the
-- category of a site?
--
-- Tables:  cohort, host_policies
-- Variables: agent (GPTBot), attribute (category), crawl, dialect, html, ranks, stratum
-- Caveats: The cohort is that of the dataset (run --cohort), and the column of its list is the
--          variable attribute (default: category). The denominator of each share is registered
--          domains that have a robots.txt (has_robots_txt), redirects followed; a member that was
--          not captured or has no file is one of members and of no share. A registered domain
--          counts once, by one of its host names (see domains in views.sql), with what the list
--          says of that host name, else of the domain. Sites of which the list says nothing in
--          that column are in one row, whose value is NULL; a dataset without a cohort, and a
--          column that no site has, are refused. The intervals are as if the sites were a random
--          sample of their kind; of many values some differ by chance.
--          The agent is the variable agent (default: GPTBot), the dialect is the variable dialect
--          (default: the dataset's reference).
-- Shape:   one row for each value: value, agent, members, domains_read, domains_named,
--          domains_full, domains_partial, share_of_domains_named, share_of_domains_named_low,
--          share_of_domains_named_high, share_of_domains_full, share_of_domains_full_low,
--          share_of_domains_full_high, share_of_domains_partial, share_of_domains_partial_low,
--          share_of_domains_partial_high (0 to 1); by share_of_domains_full, highest first, then by
--          value
-- Chart:   bars label={value} null="not stated" value="shut out: share_of_domains_full (domains_full)"
--          value="shut out partly: share_of_domains_partial (domains_partial)"
--          of="registered domains that have a robots.txt" each=domains_read
--          n="each: registered domains that have a robots.txt" states=agent
WITH listed AS (
    SELECT member, attributes ->> coalesce(getvariable('attribute'), 'category') AS value
    FROM cohort
    UNION ALL
    SELECT NULL, error(coalesce(
        'expected the variable attribute to be a column of the list of the cohort, but found ' || coalesce(getvariable('attribute'), 'category') || '; it has '
            || (SELECT string_agg(DISTINCT name, ', ' ORDER BY name) FROM (SELECT unnest(json_keys(attributes)) AS name FROM cohort)),
        'expected a dataset of a cohort whose list has a column with ' || coalesce(getvariable('attribute'), 'category') || ' (robocensus run --cohort), but it has no such list'
    ))
    WHERE NOT EXISTS (FROM cohort WHERE attributes ->> coalesce(getvariable('attribute'), 'category') IS NOT NULL)
),
read AS (
    SELECT if(by_host.member IS NULL, by_domain.value, by_host.value) AS value, policies.group_kind, policies.restriction
    FROM host_policies AS policies
    LEFT JOIN listed AS by_host ON by_host.member = policies.url_host_name
    LEFT JOIN listed AS by_domain ON by_domain.member = policies.domain
    WHERE policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
        AND policies.has_robots_txt
        AND policies.is_primary_of_domain
),
counted AS (
    SELECT value, 1 AS members, NULL AS group_kind, NULL AS restriction
    FROM listed
    UNION ALL
    SELECT value, 0, group_kind, restriction
    FROM read
)
SELECT
    value,
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    sum(members)::BIGINT AS members,
    count(restriction) AS domains_read,
    count(*) FILTER (group_kind = 'named') AS domains_named,
    count(*) FILTER (restriction = 'full') AS domains_full,
    count(*) FILTER (restriction = 'partial') AS domains_partial,
    share_of(domains_named, domains_read) AS share_of_domains_named,
    wilson_low(domains_named, domains_read) AS share_of_domains_named_low,
    wilson_high(domains_named, domains_read) AS share_of_domains_named_high,
    share_of(domains_full, domains_read) AS share_of_domains_full,
    wilson_low(domains_full, domains_read) AS share_of_domains_full_low,
    wilson_high(domains_full, domains_read) AS share_of_domains_full_high,
    share_of(domains_partial, domains_read) AS share_of_domains_partial,
    wilson_low(domains_partial, domains_read) AS share_of_domains_partial_low,
    wilson_high(domains_partial, domains_read) AS share_of_domains_partial_high
FROM counted
GROUP BY value
ORDER BY share_of_domains_full DESC NULLS LAST, value;
