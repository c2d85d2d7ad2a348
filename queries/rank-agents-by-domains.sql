-- Which product tokens are named in robots.txt files, and by how many hosts (not lines)?
--
-- Tables:  agents, hosts
-- Variables: crawl, html
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
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
)
SELECT
    agents.agent_token,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(*) AS lines
FROM read
JOIN agents USING (capture_id)
GROUP BY agents.agent_token
ORDER BY domains DESC, hosts DESC, agents.agent_token
LIMIT 25;
