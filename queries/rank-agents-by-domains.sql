-- Which product tokens are named in robots.txt files, and by how many hosts (not lines)?
--
-- Tables:  agents, files_of_hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed:
--          the file at the end of a redirect counts for the host where the redirect begins. A token
--          is the value as the reference dialect cuts it: under google MJ12bot appears as mj and
--          AI2Bot as ai, since that parser stops at the first digit; agents.agent_raw has the whole
--          value. A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   the 25 tokens that most hosts name: agent_token, hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), lines; most
--          domains first
-- Chart:   bars label={agent_token} axis=agent
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS MATERIALIZED (
    FROM files_of_hosts
),
named AS (
    SELECT capture_id, agent_token, count(*) AS lines
    FROM agents
    SEMI JOIN read USING (capture_id)
    GROUP BY capture_id, agent_token
)
SELECT
    agent_token,
    sum(hosts)::BIGINT AS hosts,
    share_of(sum(hosts), (SELECT sum(hosts) FROM read)) AS share_of_hosts,
    sum(domains)::BIGINT AS domains,
    share_of(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains,
    wilson_low(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_low,
    wilson_high(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_high,
    sum(lines * hosts)::BIGINT AS lines
FROM read
JOIN named USING (capture_id)
GROUP BY agent_token
ORDER BY domains DESC, hosts DESC, agent_token
LIMIT 25;
