-- On domains that answered in both of two crawls that follow each other, how many gained and how
-- many lost a group of their own for an agent, and how many closed to it and opened?
--
-- Tables:  crawl_answers, policy_sets
-- Variables: agent (GPTBot), before, crawl, dialect, html, ranks, stratum
-- Caveats: A registered domain counts by one origin, the same in all crawls (represents_domain in
--          views.sql). The denominator is domains that answered in both crawls, also that they have
--          no file; those that answered in the crawl before and not in this one are missing:
--          nothing is known of them, and no share includes them. What a domain gains and loses
--          between the two is counted as no change. The agent is the variable agent (default:
--          GPTBot), the dialect is the variable dialect (default: the dataset's reference).
--          Crawls of the dataset of the variable before are rows too. The interval of the
--          difference is that of Agresti and Min (2005) for matched pairs.
-- Shape:   one row for each crawl but the first: crawl_before, crawl, first_fetch, agent, announced
--          (NULL: unknown), domains (that answered in both), missing,
--          share_of_domains_named_before, share_of_domains_named_before_low,
--          share_of_domains_named_before_high, share_of_domains_named, share_of_domains_named_low,
--          share_of_domains_named_high, gained, lost (a group of their own),
--          share_of_domains_gained, share_of_domains_gained_low, share_of_domains_gained_high,
--          share_of_domains_lost, share_of_domains_lost_low, share_of_domains_lost_high (0 to 1),
--          difference_of_shares, difference_of_shares_low, difference_of_shares_high (of those that
--          name the agent, -1 to 1), closed, opened (became full, were full),
--          share_of_domains_closed, share_of_domains_closed_low, share_of_domains_closed_high,
--          share_of_domains_opened, share_of_domains_opened_low, share_of_domains_opened_high; by
--          time
-- Chart:   lines label={crawl} time=first_fetch mark=announced
--          axis="first fetch of those counted (UTC)" value="gained: share_of_domains_gained (gained)"
--          value="lost: share_of_domains_lost (lost)"
--          of="registered domains that answered in both crawls" each=domains
--          n="each: registered domains that answered in both crawls" states=agent
WITH states AS (
    SELECT
        answers.nth,
        answers.crawl,
        answers.domain,
        policies.group_kind = 'named' AS is_named,
        coalesce(answers.decided_restriction, policies.restriction) = 'full' AS is_full
    FROM crawl_answers AS answers
    JOIN both_of('policy_sets') AS policies USING (dataset, policy_set_id)
    WHERE answers.represents_domain
        AND policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
),
counted AS (
    SELECT
        earlier.nth,
        any_value(earlier.crawl) AS crawl_before,
        count(later.nth) AS domains,
        count(*) - domains AS missing,
        count(*) FILTER (later.nth IS NOT NULL AND earlier.is_named) AS named_before,
        count(*) FILTER (later.is_named) AS named,
        count(*) FILTER (later.is_named AND NOT earlier.is_named) AS gained,
        count(*) FILTER (NOT later.is_named AND earlier.is_named) AS lost,
        count(*) FILTER (later.is_full AND NOT earlier.is_full) AS closed,
        count(*) FILTER (NOT later.is_full AND earlier.is_full) AS opened
    FROM states AS earlier
    LEFT JOIN states AS later ON later.domain = earlier.domain AND later.nth = earlier.nth + 1
    GROUP BY earlier.nth
)
SELECT
    crawl_before,
    crawls.crawl,
    crawls.first_fetch,
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    announced_of(coalesce(getvariable('agent'), 'GPTBot')) AS announced,
    domains,
    missing,
    share_of(named_before, domains) AS share_of_domains_named_before,
    wilson_low(named_before, domains) AS share_of_domains_named_before_low,
    wilson_high(named_before, domains) AS share_of_domains_named_before_high,
    share_of(named, domains) AS share_of_domains_named,
    wilson_low(named, domains) AS share_of_domains_named_low,
    wilson_high(named, domains) AS share_of_domains_named_high,
    gained,
    lost,
    share_of(gained, domains) AS share_of_domains_gained,
    wilson_low(gained, domains) AS share_of_domains_gained_low,
    wilson_high(gained, domains) AS share_of_domains_gained_high,
    share_of(lost, domains) AS share_of_domains_lost,
    wilson_low(lost, domains) AS share_of_domains_lost_low,
    wilson_high(lost, domains) AS share_of_domains_lost_high,
    if(domains = 0, NULL, round((gained - lost) / domains, 6)) AS difference_of_shares,
    -- Half a domain more in each of the four cells of the table of pairs.
    if(domains = 0, NULL, round((gained - lost) / (domains + 2) - paired_error(gained, lost, domains), 6)) AS difference_of_shares_low,
    if(domains = 0, NULL, round((gained - lost) / (domains + 2) + paired_error(gained, lost, domains), 6)) AS difference_of_shares_high,
    closed,
    opened,
    share_of(closed, domains) AS share_of_domains_closed,
    wilson_low(closed, domains) AS share_of_domains_closed_low,
    wilson_high(closed, domains) AS share_of_domains_closed_high,
    share_of(opened, domains) AS share_of_domains_opened,
    wilson_low(opened, domains) AS share_of_domains_opened_low,
    wilson_high(opened, domains) AS share_of_domains_opened_high
FROM counted
JOIN (SELECT nth, crawl, min(fetch_time) AS first_fetch FROM crawl_answers GROUP BY nth, crawl) AS crawls ON crawls.nth = counted.nth + 1
ORDER BY crawls.nth;
