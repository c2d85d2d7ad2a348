-- Question: Which product tokens are named in robots.txt files, and by how many hosts (not lines)?
-- Tables:   agents, captures
-- Caveats:  The denominator is hosts of which a robots.txt was read (access is conditional). A token is the value as the reference dialect cuts
--           it: under google MJ12bot appears as mj and AI2Bot as ai, since that parser stops at the first digit; agents.agent_raw has the whole value.
-- Shape:    the 25 tokens that most hosts name: agent_token, hosts, share_of_hosts (0 to 1), lines; most hosts first
SELECT
    agent_token,
    count(DISTINCT url_host_name) AS hosts,
    round(count(DISTINCT url_host_name) / any_value(read.hosts), 4) AS share_of_hosts,
    count(*) AS lines
FROM read_parquet(getvariable('data') || '/agents/**/*.parquet', hive_partitioning = true),
    (
        SELECT count(DISTINCT url_host_name) AS hosts
        FROM read_parquet(getvariable('data') || '/captures/**/*.parquet', hive_partitioning = true)
        WHERE access = 'conditional'
    ) AS read
GROUP BY agent_token
ORDER BY hosts DESC, agent_token
LIMIT 25;
