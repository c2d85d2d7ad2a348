-- Which agents are asked to wait, by how many hosts, and for how long?
--
-- Tables:  groups, agents, hosts
-- Caveats: The hosts are those that have a robots.txt, redirects followed. The delay is the first
--          one of the group that is a number, in seconds; one outside a group applies to no agent.
--          The token is cut as the reference dialect cuts it.
-- Shape:   the 25 tokens that most hosts ask to wait: agent_token, hosts, share_of_naming (of hosts
--          that name the token, 0 to 1), median_seconds, longest_seconds; most hosts first
WITH named AS (
    SELECT hosts.url_host_name, agents.agent_token, max(groups.crawl_delay) AS seconds
    FROM hosts
    JOIN agents USING (capture_id)
    JOIN groups ON groups.capture_id = agents.capture_id AND groups.group_index = agents.group_index
    WHERE hosts.is_primary AND hosts.has_robots_txt
    GROUP BY hosts.url_host_name, agents.agent_token
)
SELECT
    agent_token,
    count(seconds) AS hosts,
    share_of(count(seconds), count(*)) AS share_of_naming,
    median(seconds) AS median_seconds,
    max(seconds) AS longest_seconds
FROM named
GROUP BY agent_token
HAVING count(seconds) > 0
ORDER BY hosts DESC, agent_token
LIMIT 25;
