-- What compare-survival-of-restriction reads, made from answers of all seeds.
CREATE TABLE policy_sets AS
    FROM (VALUES ('data', 0, 'google', 'GPTBot', 'everybody', 'none'), ('data', 1, 'google', 'GPTBot', 'named', 'full'))
    AS policies (dataset, policy_set_id, dialect, agent, group_kind, restriction);
CREATE TEMP MACRO both_of(name) AS TABLE FROM policy_sets;
CREATE TEMP MACRO asked_dialect() AS 'google';
CREATE TABLE answers AS
    SELECT
        seed, origin, nth, to_timestamp(second) AS fetch_time, true AS represents_domain,
        NULL::VARCHAR AS decided_restriction, 'data' AS dataset, is_full::INTEGER AS policy_set_id
    FROM read_csv(getvariable('csv'));
CREATE TABLE found (crawls BIGINT, at_risk BIGINT, survival DOUBLE, low DOUBLE, high DOUBLE);

-- Here the query is asked about each seed.

-- How often an interval contains the law: a step is 63 days on average; below 20 domains no share has a good interval.
SELECT
    coalesce(crawls::VARCHAR, 'all') AS crawls,
    count(*) AS n,
    avg(at_risk) AS at_risk,
    avg(survival) AS survival,
    avg(exp(-63 * found.crawls / getvariable('law'))) AS law,
    avg((exp(-63 * found.crawls / getvariable('law')) BETWEEN low AND high)::INTEGER) AS coverage
FROM found
WHERE found.crawls > 0 AND at_risk >= 20
GROUP BY GROUPING SETS ((crawls), ())
HAVING n > 100
ORDER BY all
