-- What does each host say to crawlers, as an annotation of Common Crawl's host index?
--
-- Tables:  captures, hosts_of_stratum, policy_sets
-- Variables: crawl, html, ranks, stratum
-- Caveats: A row joins the host index by surt_host_name and crawl. That name has no scheme and no
--          leading www, so several origins may share it: one with a robots.txt speaks for them,
--          then https before http, then the shortest host. robots_origins says how many were asked
--          and robots_origins_agree whether all close the same agents. Origins of other ports than
--          80 and 443 are left out. Agents are those of the run's matrix under its reference
--          dialect: closed if / and every probe made from the file's own patterns are disallowed,
--          partly if some are. robots_versions counts the versions of the file, by its meaning, in
--          the crawls up to this one; one that returns counts again. robots_answers counts the
--          crawls in which the origin answered.
-- Shape:   one row for each name: surt_host_name, crawl, robots_protocol, robots_is_www,
--          robots_status, robots_access, robots_exists, robots_named, robots_closed,
--          robots_partly_closed (lists of agents; NULL where there is no robots.txt),
--          robots_origins, robots_origins_agree, robots_versions, robots_answers; by surt_host_name
WITH says AS (
    SELECT
        policy_set_id,
        coalesce(list(agent ORDER BY agent) FILTER (group_kind = 'named'), []) AS named,
        coalesce(list(agent ORDER BY agent) FILTER (restriction = 'full'), []) AS closed,
        coalesce(list(agent ORDER BY agent) FILTER (restriction = 'partial'), []) AS partly_closed
    FROM policy_sets
    WHERE dialect = reference_dialect()
    GROUP BY policy_set_id
),
origins AS (
    SELECT
        if(
            contains(url_host_name, ':'),
            url_host_name,
            list_aggregate(list_reverse(string_split(regexp_replace(url_host_name, '^www[0-9]*\.', ''), '.')), 'string_agg', ',')
        ) AS surt_host_name,
        dataset,
        crawl,
        origin,
        url_host_name,
        url_protocol,
        capture_id,
        end_status,
        access,
        has_robots_txt,
        if(has_robots_txt, policy_set_id, NULL) AS policy_set_id,
        determines(redirect_outcome, end_status) AS is_answer
    FROM hosts_of_stratum()
    WHERE dataset = 'data' AND is_usual_port(url_protocol, url_port)
),
chosen AS (
    SELECT
        surt_host_name,
        arg_min(origins, (NOT has_robots_txt, url_protocol <> 'https', length(url_host_name), origin)) AS chosen,
        count(*) AS origins,
        count(DISTINCT (access, says.closed, says.partly_closed)) = 1 AS agree
    FROM origins
    LEFT JOIN says USING (policy_set_id)
    WHERE crawl IS NOT DISTINCT FROM asked_crawl()
    GROUP BY surt_host_name
),
answered AS (
    SELECT
        origins.origin,
        (origins.access, if(origins.access = 'conditional', files.semantic_digest, NULL)) AS said,
        said IS DISTINCT FROM lag(said) OVER (PARTITION BY origins.origin ORDER BY origins.crawl) AS begins
    FROM origins
    JOIN captures AS files USING (capture_id)
    WHERE origins.is_answer AND (origins.crawl IS NULL OR origins.crawl <= asked_crawl())
),
versions AS (
    SELECT origin, count(*) FILTER (begins) AS versions, count(*) AS answers
    FROM answered
    GROUP BY origin
)
SELECT
    surt_host_name,
    chosen.crawl AS crawl,
    chosen.url_protocol AS robots_protocol,
    regexp_matches(chosen.url_host_name, '^www[0-9]*\.') AS robots_is_www,
    chosen.end_status AS robots_status,
    chosen.access AS robots_access,
    chosen.has_robots_txt AS robots_exists,
    says.named AS robots_named,
    says.closed AS robots_closed,
    says.partly_closed AS robots_partly_closed,
    origins AS robots_origins,
    agree AS robots_origins_agree,
    coalesce(versions.versions, 0) AS robots_versions,
    coalesce(versions.answers, 0) AS robots_answers
FROM chosen
LEFT JOIN says ON says.policy_set_id = chosen.policy_set_id
LEFT JOIN versions ON versions.origin = chosen.origin
ORDER BY surt_host_name;
