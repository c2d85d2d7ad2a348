-- By crawl, or without crawls by the year of the fetch, how many hosts have a robots.txt, name an
-- agent, shut it out?
--
-- Tables:  crawl_hosts, effective_captures, policies
-- Variables: agent (GPTBot), before, crawl, dialect, html, ranks, stratum
-- Caveats: Each host counts once in each crawl, by the one fetch of the crawl that counts,
--          redirects followed. Where archives name no crawl, it counts once, in the year (UTC) of
--          the one fetch that counts. Crawls and years have different hosts, which may explain a
--          difference between two of them: compare-restriction-across-crawls.sql compares the same
--          hosts. Shares are of hosts_read (has_robots_txt). The agent is the variable agent
--          (default: GPTBot), the dialect is the variable dialect (default: the dataset's
--          reference). A registered domain counts once in each crawl, by one of its host names (see
--          domains in views.sql).
-- Shape:   one row for each crawl or year: period (the crawl, else the year; NULL: the archive has
--          no time), first_fetch, year (of it), agent, announced (NULL: unknown), can_be_named
--          (whether a user-agent line can name the agent in this dialect), hosts, hosts_read,
--          named, full_by_rules (hosts), share_named, share_full, share_partial, domains,
--          domains_read, share_of_domains_named, share_of_domains_named_low,
--          share_of_domains_named_high, domains_full, share_of_domains_full,
--          share_of_domains_full_low, share_of_domains_full_high (its 95 % interval by Wilson),
--          share_of_domains_partial, share_of_domains_partial_low, share_of_domains_partial_high (0
--          to 1); by time
-- Chart:   lines label={period} time=first_fetch mark=announced
--          axis="first fetch of those counted (UTC)"
--          value="registered domains that shut it out: share_of_domains_full (domains_full)"
--          value="hosts that shut it out: share_full (full_by_rules)"
--          of="those of the crawl or year that have a robots.txt" each=domains_read
--          n="sum of domains_read: registered domains that have a robots.txt, once in each crawl or
--          in their year" states=agent
WITH answers AS (
    SELECT
        coalesce(hosts.crawl, year(hosts.fetch_time)::VARCHAR) AS period,
        hosts.fetch_time,
        hosts.has_robots_txt AS is_read,
        hosts.is_primary_of_domain,
        policies.group_kind,
        CASE
            WHEN ends.effective_capture_id IS NOT NULL THEN policies.restriction
            WHEN ends.redirect_access = 'full_allow' THEN 'none'
            WHEN ends.redirect_access = 'full_disallow' THEN 'full'
        END AS restriction
    FROM crawl_hosts AS hosts
    LEFT JOIN effective_captures AS ends ON ends.capture_id = hosts.fetch_capture_id AND ends.dialect = asked_dialect()
    LEFT JOIN policies
        ON policies.capture_id = coalesce(ends.effective_capture_id, hosts.fetch_capture_id)
        AND policies.dialect = ends.dialect
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
    WHERE hosts.is_primary
)
SELECT
    period,
    min(fetch_time) AS first_fetch,
    year(first_fetch) AS year,
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    announced_of(coalesce(getvariable('agent'), 'GPTBot')) AS announced,
    can_be_named(coalesce(getvariable('agent'), 'GPTBot')) AS can_be_named,
    count(*) AS hosts,
    count(*) FILTER (is_read) AS hosts_read,
    count(*) FILTER (is_read AND group_kind = 'named') AS named,
    count(*) FILTER (is_read AND restriction = 'full') AS full_by_rules,
    share_of(named, hosts_read) AS share_named,
    share_of(full_by_rules, hosts_read) AS share_full,
    share_of(count(*) FILTER (is_read AND restriction = 'partial'), hosts_read) AS share_partial,
    count(*) FILTER (is_primary_of_domain) AS domains,
    count(*) FILTER (is_primary_of_domain AND is_read) AS domains_read,
    share_of(count(*) FILTER (is_primary_of_domain AND is_read AND group_kind = 'named'), domains_read) AS share_of_domains_named,
    wilson_low(count(*) FILTER (is_primary_of_domain AND is_read AND group_kind = 'named'), domains_read) AS share_of_domains_named_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND is_read AND group_kind = 'named'), domains_read) AS share_of_domains_named_high,
    count(*) FILTER (is_primary_of_domain AND is_read AND restriction = 'full') AS domains_full,
    share_of(domains_full, domains_read) AS share_of_domains_full,
    wilson_low(domains_full, domains_read) AS share_of_domains_full_low,
    wilson_high(domains_full, domains_read) AS share_of_domains_full_high,
    share_of(count(*) FILTER (is_primary_of_domain AND is_read AND restriction = 'partial'), domains_read) AS share_of_domains_partial,
    wilson_low(count(*) FILTER (is_primary_of_domain AND is_read AND restriction = 'partial'), domains_read) AS share_of_domains_partial_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND is_read AND restriction = 'partial'), domains_read) AS share_of_domains_partial_high
FROM answers
GROUP BY period
ORDER BY min(fetch_time) NULLS LAST, period;
