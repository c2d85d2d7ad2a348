-- Captures are many: they are counted once, and of those of a kind one is looked for.
WITH crawls AS MATERIALIZED (
    SELECT crawl, count(*) AS captures, min(fetch_time) AS first_time, max(fetch_time) AS last_time
    FROM captures
    GROUP BY crawl
),
known_agents AS (
    SELECT agent, min(agent_index) AS agent_index
    FROM matrix_agents
    GROUP BY agent
),
facts AS (
    SELECT
        (SELECT list(dialect ORDER BY dialect_index) FROM dialects) AS dialects,
        (SELECT list(agent ORDER BY agent_index, agent) FROM known_agents) AS agents,
        URLS AS urls,
        (SELECT list(crawl ORDER BY crawl) FROM crawls WHERE crawl IS NOT NULL) AS crawls,
        (SELECT list([dialect, agent] ORDER BY dialect, agent) FROM matrix_agents WHERE NOT can_be_named)
            AS not_nameable,
        EXISTS (
            FROM captures
            WHERE (getvariable('crawl') IS NULL OR crawl = getvariable('crawl'))
                AND (access = 'conditional' OR url_path = '/robots.txt' AND url_query IS NULL)
        ) AS has_fetches,
        EXISTS (
            FROM captures
            WHERE (getvariable('crawl') IS NULL OR crawl = getvariable('crawl'))
                AND access = 'conditional'
        ) AS has_files,
        (SELECT sum(captures) FROM crawls WHERE crawl IS NULL) AS n_of_no_crawl,
        (
            SELECT date_diff('day', min(first_time), max(last_time))
            FROM crawls
            WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl')
        ) AS days
)
SELECT json_object(
    'dialects', coalesce(dialects, []),
    'agents', coalesce(agents, []),
    'urls', coalesce(urls, []),
    'crawls', coalesce(crawls, []),
    'not_nameable', coalesce(not_nameable, []),
    'has_fetches', has_fetches,
    'has_files', has_files,
    'n_of_no_crawl', coalesce(n_of_no_crawl, 0)::BIGINT,
    'days', coalesce(days, 0)
)::VARCHAR AS facts
FROM facts;
