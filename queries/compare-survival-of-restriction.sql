-- Of the domains that began to name an agent, or closed to it, how many still do after how many
-- crawls?
--
-- Tables:  crawl_answers, policy_sets
-- Variables: agent (GPTBot), before, crawl, dialect, event (closed), html, ranks, stratum
-- Caveats: A registered domain counts by one origin (represents_domain in views.sql), and by the
--          first time that it begins: its answer before is without it. Domains whose first answer
--          has it already are left out, since their beginning is unknown; one that begins and ends
--          between two crawls is never seen. event is closed (restriction full) or named (a group
--          of its own). A step is from one crawl to the next; a domain is at risk in it if both
--          have an answer of it, so that a gap is neither a survival nor an end, and a domain comes
--          back after it if it still has it. Ends that fall into a gap are in no step (ended_in_gap
--          counts them where the domain left). survival is the product of the shares that survived
--          each step: the product-limit estimate (Kaplan and Meier 1958, on grouped times), with
--          Greenwood's variance and the interval of the complementary log-log (Kalbfleisch and
--          Prentice 2002). It holds if gaps and the last crawl do not depend on what a domain does.
--          Beside it is the estimate of Kaplan and Meier in days with each spell as short and as
--          long as its answers allow, at the median days of the step; these are no bounds of
--          survival, since they count ends in gaps too. The agent is the variable agent (default:
--          GPTBot), the dialect is the variable dialect (default: the dataset's reference).
-- Shape:   one row for each step, and one before the first: crawls (after the first with it),
--          agent, median_days (from the first fetch with it to the end of the step), at_risk,
--          ended, ended_in_gap (domains), survival, survival_low, survival_high, survival_if_short,
--          survival_if_long (0 to 1); by crawls
-- Chart:   lines label={crawls} value="still so: survival"
--          of="registered domains that began to restrict the agent" each=at_risk
--          n="each: domains at risk in the step" states=agent
WITH states AS (
    SELECT
        answers.origin,
        answers.nth,
        answers.fetch_time,
        CASE coalesce(getvariable('event'), 'closed')
            WHEN 'closed' THEN coalesce(answers.decided_restriction, policies.restriction) = 'full'
            WHEN 'named' THEN policies.group_kind = 'named'
            ELSE error('expected the variable event to be closed or named')
        END AS has_it
    FROM crawl_answers AS answers
    JOIN both_of('policy_sets') AS policies USING (dataset, policy_set_id)
    WHERE answers.represents_domain
        AND policies.dialect = asked_dialect()
        AND policies.agent = coalesce(getvariable('agent'), 'GPTBot')
),
begun AS (
    SELECT origin, min(nth) FILTER (has_it) AS first_nth
    FROM states
    GROUP BY origin
    HAVING first_nth > min(nth)
),
followed AS (
    SELECT
        states.*,
        begun.first_nth,
        min(nth) FILTER (nth > first_nth AND NOT has_it) OVER (PARTITION BY states.origin) AS end_nth,
        min(fetch_time) FILTER (nth = first_nth) OVER (PARTITION BY states.origin) AS first_time,
        max(fetch_time) FILTER (nth < first_nth) OVER (PARTITION BY states.origin) AS time_before,
        lead(nth) OVER (PARTITION BY states.origin ORDER BY nth) AS next_nth,
        lead(fetch_time) OVER (PARTITION BY states.origin ORDER BY nth) AS next_time
    FROM states
    JOIN begun USING (origin)
),
steps AS (
    SELECT
        nth + 1 - first_nth AS crawls,
        count(*) FILTER (next_nth = nth + 1) AS at_risk,
        count(*) FILTER (next_nth = nth + 1 AND next_nth = end_nth) AS ended,
        count(*) FILTER (next_nth > nth + 1 AND next_nth = end_nth) AS ended_in_gap,
        median(epoch(next_time) - epoch(first_time)) FILTER (next_nth = nth + 1) / 86400 AS days
    FROM followed
    WHERE nth >= first_nth AND next_nth <= coalesce(end_nth, next_nth)
    GROUP BY crawls
    HAVING at_risk > 0
    UNION ALL
    SELECT 0, count(*), 0, 0, 0
    FROM begun
    HAVING count(*) > 0
),
estimated AS (
    SELECT
        *,
        -- The product, and its variance on the scale of the logarithm.
        if(min(at_risk - ended) OVER so_far = 0, 0, exp(sum(ln(nullif(at_risk - ended, 0) / at_risk)) OVER so_far)) AS survival,
        sum(ended / (at_risk * nullif(at_risk - ended, 0))) OVER so_far AS variance
    FROM steps
    WINDOW so_far AS (ORDER BY crawls)
),
spells AS (
    SELECT
        origin,
        any_value(end_nth) IS NOT NULL AS has_ended,
        epoch(max(fetch_time) FILTER (nth < coalesce(end_nth, nth + 1))) AS last_with,
        epoch(any_value(first_time)) AS first_with,
        epoch(any_value(time_before)) AS last_without,
        epoch(min(fetch_time) FILTER (nth = end_nth)) AS first_without
    FROM followed
    GROUP BY origin
),
lengths AS (
    SELECT 'short' AS kind, has_ended, (last_with - first_with) / 86400 AS days
    FROM spells
    UNION ALL
    SELECT 'long', has_ended, (coalesce(first_without, last_with) - last_without) / 86400
    FROM spells
),
counted AS (
    SELECT kind, days, count(*) FILTER (has_ended) AS ended, sum(count(*)) OVER (PARTITION BY kind ORDER BY days DESC) AS at_risk
    FROM lengths
    GROUP BY kind, days
),
curves AS (
    SELECT
        kind,
        days,
        if(min(at_risk - ended) OVER so_far = 0, 0, exp(sum(ln(nullif(at_risk - ended, 0) / at_risk)) OVER so_far)) AS survival
    FROM counted
    WINDOW so_far AS (PARTITION BY kind ORDER BY days)
)
SELECT
    crawls,
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    round(estimated.days, 1) AS median_days,
    at_risk,
    ended,
    ended_in_gap,
    round(survival, 6) AS survival,
    -- At 1 the interval on this scale is empty: then that of a share of the domains at risk.
    round(CASE WHEN crawls = 0 THEN 1 WHEN survival = 1 THEN wilson_low(at_risk, at_risk) WHEN survival = 0 THEN 0 ELSE survival ** exp(1.959964 * sqrt(variance) / -ln(survival)) END, 6) AS survival_low,
    round(CASE WHEN survival = 1 THEN 1 WHEN survival = 0 THEN wilson_high(0, at_risk) ELSE survival ** exp(-1.959964 * sqrt(variance) / -ln(survival)) END, 6) AS survival_high,
    round(coalesce((SELECT min(survival) FROM curves WHERE kind = 'short' AND curves.days <= estimated.days), 1), 6) AS survival_if_short,
    round(coalesce((SELECT min(survival) FROM curves WHERE kind = 'long' AND curves.days <= estimated.days), 1), 6) AS survival_if_long
FROM estimated
ORDER BY crawls;
