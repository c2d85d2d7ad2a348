-- When did domains first name each agent, and how long after it was announced?
--
-- Tables:  announcements, crawl_answers, policy_sets
-- Variables: before, crawl, dialect, html, ranks, stratum
-- Caveats: A registered domain counts by one origin (represents_domain in views.sql), and once, by
--          its first naming of the agent. A naming is known to lie between the last answer without
--          it and the first with it, so the days since the announcement lie between two ends; each
--          has its median. Domains whose first answer names the agent already are counted
--          (named_at_first), but their days are unknown. A first answer with it from before the
--          announcement counts as named_before. The dialect is the variable dialect (default: the
--          dataset's reference). Dates of announcement are those of the view announcements, with
--          their sources; NULL: none is known.
-- Shape:   one row for each agent that a domain names: agent, announced, first_crawl, domains (that
--          have an answer), named, named_at_first, named_before, share_of_domains_named,
--          share_of_domains_named_low, share_of_domains_named_high (0 to 1), timed (domains of
--          which both ends are known, after the announcement), median_days_at_least (of these; a
--          last answer before the announcement counts as 0 days), median_days_at_most; by share,
--          then by agent
-- Chart:   bars label={agent} value="share_of_domains_named (named)"
--          of="registered domains with an answer" each=domains
--          n="each: registered domains with an answer"
WITH answers AS (
    SELECT
        dataset,
        policy_set_id,
        domain,
        crawl,
        nth,
        fetch_time,
        lag(fetch_time) OVER (PARTITION BY domain ORDER BY nth) AS time_before
    FROM crawl_answers
    WHERE represents_domain
),
named AS (
    SELECT dataset, policy_set_id, agent
    FROM both_of('policy_sets')
    WHERE dialect = asked_dialect() AND group_kind = 'named'
),
firsts AS (
    SELECT
        agent,
        domain,
        min(nth) AS nth,
        arg_min(crawl, nth) AS crawl,
        arg_min(fetch_time, nth) AS first_with,
        -- NULL is a value here, which arg_min passes over.
        arg_min({'time': time_before}, nth).time AS last_without
    FROM answers
    JOIN named USING (dataset, policy_set_id)
    GROUP BY agent, domain
),
asked AS (SELECT count(DISTINCT domain) AS domains FROM answers),
timed AS (
    SELECT
        firsts.*,
        announcements.announced,
        last_without IS NULL AS is_at_first,
        first_with < announced AS is_before,
        if(last_without IS NOT NULL AND first_with >= announced, (epoch(last_without) - epoch(announced)) / 86400, NULL) AS days_at_least,
        if(last_without IS NOT NULL AND first_with >= announced, (epoch(first_with) - epoch(announced)) / 86400, NULL) AS days_at_most
    FROM firsts
    LEFT JOIN announcements USING (agent)
)
SELECT
    agent,
    any_value(announced) AS announced,
    arg_min(crawl, nth) AS first_crawl,
    any_value(asked.domains) AS domains,
    count(*) AS named,
    count(*) FILTER (is_at_first) AS named_at_first,
    count(*) FILTER (is_before) AS named_before,
    share_of(named, any_value(asked.domains)) AS share_of_domains_named,
    wilson_low(named, any_value(asked.domains)) AS share_of_domains_named_low,
    wilson_high(named, any_value(asked.domains)) AS share_of_domains_named_high,
    count(days_at_most) AS timed,
    round(median(if(days_at_least < 0, 0, days_at_least)), 1) AS median_days_at_least,
    round(median(days_at_most), 1) AS median_days_at_most
FROM timed
CROSS JOIN asked
GROUP BY agent
ORDER BY share_of_domains_named DESC, agent;
