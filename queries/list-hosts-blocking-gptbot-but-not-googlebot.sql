-- Which hosts shut out GPTBot and let Googlebot in, and by which line?
--
-- Tables:  verdict_sets, host_answers
-- Variables: agent (GPTBot), crawl, dialect, html, other_agent (Googlebot), ranks, stratum, url (/)
-- Caveats: The URL is the variable url (default: /), the dialect is the variable dialect (default:
--          the dataset's reference); a host that lets Googlebot fetch only some other path is not
--          listed. Hosts that answer with an error are not listed either: the status decides for
--          both agents. Redirects are followed, so the line may be in the file of another host:
--          that of capture_id. The agents are the variables agent and other_agent, by default
--          GPTBot and Googlebot.
-- Shape:   one row for each host: url_host_name, capture_id, rule_line (of the rule that shuts the
--          agent out); by host
WITH shut_out AS (
    SELECT verdict_set_id, any_value(rule_line) FILTER (agent = coalesce(getvariable('agent'), 'GPTBot')) AS rule_line
    FROM verdict_sets
    WHERE dialect = asked_dialect()
        AND url = coalesce(getvariable('url'), '/')
        AND agent IN (coalesce(getvariable('agent'), 'GPTBot'), coalesce(getvariable('other_agent'), 'Googlebot'))
    GROUP BY verdict_set_id
    HAVING bool_or(agent = coalesce(getvariable('agent'), 'GPTBot') AND verdict = 'disallow')
        AND bool_or(agent = coalesce(getvariable('other_agent'), 'Googlebot') AND verdict = 'allow')
)
-- Where redirects end without an answer, all agents get the same verdict: only itself and target
-- can distinguish them.
SELECT url_host_name, capture_id, rule_line
FROM host_answers
JOIN shut_out USING (verdict_set_id)
WHERE answered_by IN ('itself', 'target')
    AND dialect = asked_dialect()
ORDER BY url_host_name;
