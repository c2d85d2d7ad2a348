-- Question: Which hosts shut out GPTBot and let Googlebot in, and which line says so?
-- Tables:   host_verdicts
-- Caveats:  What is asked is the path / under the variable dialect, google unless it is set; a host that lets Googlebot fetch only some other path is
--           not listed. Hosts that answer with an error are not listed either: there the status decides for both alike. Redirects are followed, so
--           the line may stand in the file of another host: that of capture_id. The agent is the variable agent, GPTBot unless it is set.
-- Shape:    one row for each host: url_host_name, capture_id, rule_line (of the rule that shuts the agent out); by host
SELECT
    url_host_name,
    effective_capture_id AS capture_id,
    any_value(rule_line) FILTER (agent <> 'Googlebot') AS rule_line
FROM host_verdicts
WHERE dialect = coalesce(getvariable('dialect'), 'google')
    AND url = '/'
    AND agent IN (coalesce(getvariable('agent'), 'GPTBot'), 'Googlebot')
GROUP BY url_host_name, effective_capture_id
HAVING bool_or(agent <> 'Googlebot' AND verdict = 'disallow')
    AND bool_or(agent = 'Googlebot' AND verdict = 'allow')
ORDER BY url_host_name;
