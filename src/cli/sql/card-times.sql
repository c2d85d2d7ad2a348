SELECT
    strftime(min(fetch_time)::TIMESTAMP, '%Y-%m-%d %H:%M:%S') AS first_fetch,
    strftime(max(fetch_time)::TIMESTAMP, '%Y-%m-%d %H:%M:%S') AS last_fetch,
    (SELECT string_agg(DISTINCT agent, ', ' ORDER BY agent) FROM matrix_agents) AS agents
FROM captures;
