-- By the popularity of the site, how many hosts have a robots.txt, name an agent, shut it out?
--
-- Tables:  hosts, host_policies, ranked_names
-- Variables: agent (GPTBot), crawl, dialect, html, ranks, stratum
-- Caveats: Ranks are those of the list of the variable ranks (--set ranks=FILE.csv), lines of rank
--          and registered domain, such as Tranco publishes, else those of the dataset's cohort. The
--          agent is the variable agent (default: GPTBot). A host has its own rank, if the list has
--          it, or that of its registered domain, the better one; a domain has several hosts. Shares
--          are of hosts_read (has_robots_txt); the strata exclude each other;
--          compare-top-ranked-domains has cumulative ones, and the domains of the list that the
--          dataset lacks. The dialect is the variable dialect (default: the dataset's reference). A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each stratum: stratum (upper bound of the rank; NULL: not in the list),
--          hosts, share_read (of hosts), hosts_read, share_named, share_full, share_partial (all 0
--          to 1), domains, domains_read, domains_named, domains_full, domains_partial,
--          share_of_domains_read (of domains), share_of_domains_read_low,
--          share_of_domains_read_high, share_of_domains_named, share_of_domains_named_low,
--          share_of_domains_named_high, share_of_domains_full, share_of_domains_full_low,
--          share_of_domains_full_high, share_of_domains_partial, share_of_domains_partial_low,
--          share_of_domains_partial_high (of domains_read; 95 % intervals by Wilson),
--          can_be_named (whether a user-agent line can name the agent in this dialect)
-- Chart:   bars label="up to {stratum:count}" axis=rank null="not in the list"
--          value="registered domains that shut it out: share_of_domains_full (domains_full)"
--          value="hosts that shut it out: share_full" of="those that have a robots.txt"
--          each=domains_read
WITH ranked AS (
    SELECT
        stratum_of(least(by_domain.rank, by_host.rank)) AS stratum,
        hosts.has_robots_txt AS is_read,
        hosts.is_primary_of_domain,
        host_policies.group_kind,
        host_policies.restriction
    FROM hosts
    LEFT JOIN host_policies
        ON host_policies.fetch_capture_id = hosts.fetch_capture_id
        AND host_policies.dialect = asked_dialect()
        AND host_policies.agent = coalesce(getvariable('agent'), 'GPTBot')
    LEFT JOIN ranked_names() AS by_domain ON by_domain.name = hosts.domain
    LEFT JOIN ranked_names() AS by_host ON by_host.name = hosts.url_host_name
    WHERE hosts.is_primary
)
SELECT
    stratum,
    count(*) AS hosts,
    share_of(count(*) FILTER (is_read), count(*)) AS share_read,
    count(*) FILTER (is_read) AS hosts_read,
    share_of(count(*) FILTER (is_read AND group_kind = 'named'), count(*) FILTER (is_read)) AS share_named,
    share_of(count(*) FILTER (is_read AND restriction = 'full'), count(*) FILTER (is_read)) AS share_full,
    share_of(count(*) FILTER (is_read AND restriction = 'partial'), count(*) FILTER (is_read)) AS share_partial,
    count(*) FILTER (is_primary_of_domain) AS domains,
    count(*) FILTER (is_primary_of_domain AND is_read) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND is_read AND group_kind = 'named') AS domains_named,
    count(*) FILTER (is_primary_of_domain AND is_read AND restriction = 'full') AS domains_full,
    count(*) FILTER (is_primary_of_domain AND is_read AND restriction = 'partial') AS domains_partial,
    share_of(domains_read, domains) AS share_of_domains_read,
    wilson_low(domains_read, domains) AS share_of_domains_read_low,
    wilson_high(domains_read, domains) AS share_of_domains_read_high,
    share_of(domains_named, domains_read) AS share_of_domains_named,
    wilson_low(domains_named, domains_read) AS share_of_domains_named_low,
    wilson_high(domains_named, domains_read) AS share_of_domains_named_high,
    share_of(domains_full, domains_read) AS share_of_domains_full,
    wilson_low(domains_full, domains_read) AS share_of_domains_full_low,
    wilson_high(domains_full, domains_read) AS share_of_domains_full_high,
    share_of(domains_partial, domains_read) AS share_of_domains_partial,
    wilson_low(domains_partial, domains_read) AS share_of_domains_partial_low,
    wilson_high(domains_partial, domains_read) AS share_of_domains_partial_high,
    can_be_named(coalesce(getvariable('agent'), 'GPTBot')) AS can_be_named
FROM ranked
GROUP BY stratum
ORDER BY stratum NULLS LAST;
