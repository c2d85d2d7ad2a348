-- Which hosts name GPTBot but not ClaudeBot, and how do they restrict the one they name?
--
-- Tables:  host_policies
-- Variables: agent (GPTBot), crawl, dialect, html, other_agent (ClaudeBot), ranks, stratum
-- Caveats: The hosts are those that have a robots.txt, redirects followed. The agents are the
--          variables agent and other_agent, by default GPTBot and ClaudeBot; both must be agents of
--          the matrix; the dialect is the variable dialect (default: the dataset's reference). The
--          group of * applies to the one that is not named.
-- Shape:   one row for each host: url_host_name, restriction (of the agent), other_restriction (of
--          the other one), capture_id; by host
SELECT
    one.url_host_name,
    one.restriction,
    other.restriction AS other_restriction,
    one.capture_id
FROM host_policies AS one
JOIN host_policies AS other USING (fetch_capture_id, dialect)
WHERE one.dialect = asked_dialect()
    AND one.has_robots_txt
    AND one.agent = coalesce(getvariable('agent'), 'GPTBot')
    AND one.group_kind = 'named'
    AND other.agent = coalesce(getvariable('other_agent'), 'ClaudeBot')
    AND other.group_kind <> 'named'
ORDER BY one.url_host_name;
