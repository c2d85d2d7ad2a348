-- Which agents are asked to wait, by how many hosts, and for how long?
--
-- Tables:  groups, agents, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The hosts are those that have a robots.txt, redirects followed. The delay is the first
--          one of the group that is a number, in seconds; one outside a group applies to no agent.
--          A registered domain counts once, by one of its host names (see domains in views.sql).
--          The token is cut as the reference dialect cuts it.
-- Shape:   the 25 tokens that most domains ask to wait: agent_token, hosts, share_of_naming (of
--          hosts that name the token, 0 to 1), domains, of_domains (that name it),
--          share_of_naming_domains, share_of_naming_domains_low, share_of_naming_domains_high,
--          median_seconds, longest_seconds; most domains first
-- Chart:   bars label={agent_token} axis=agent
--          value="registered domains that ask it to wait: share_of_naming_domains (domains)"
--          value="hosts that ask it to wait: share_of_naming (hosts)"
--          of="those that name the agent" each=of_domains
--          n="each: registered domains that name the agent"
WITH delays AS (
    SELECT capture_id, group_index, crawl_delay
    FROM groups
    WHERE crawl_delay IS NOT NULL
),
-- The lines of each file are read once, however many hosts it applies to.
of_files AS (
    SELECT agents.capture_id, agents.agent_token, max(delays.crawl_delay) AS seconds
    FROM agents
    LEFT JOIN delays USING (capture_id, group_index)
    GROUP BY agents.capture_id, agents.agent_token
),
named AS (
    SELECT hosts.is_primary_of_domain, of_files.agent_token, of_files.seconds
    FROM hosts
    JOIN of_files USING (capture_id)
    WHERE hosts.is_primary AND hosts.has_robots_txt
)
SELECT
    agent_token,
    count(seconds) AS hosts,
    share_of(count(seconds), count(*)) AS share_of_naming,
    count(seconds) FILTER (is_primary_of_domain) AS domains,
    count(*) FILTER (is_primary_of_domain) AS of_domains,
    share_of(domains, of_domains) AS share_of_naming_domains,
    wilson_low(domains, of_domains) AS share_of_naming_domains_low,
    wilson_high(domains, of_domains) AS share_of_naming_domains_high,
    median(seconds) AS median_seconds,
    max(seconds) AS longest_seconds
FROM named
GROUP BY agent_token
HAVING count(seconds) > 0
ORDER BY domains DESC, hosts DESC, agent_token
LIMIT 25;
