-- Question: Which hosts shut out GPTBot and let Googlebot in, and which line says so?
-- Tables:   answer_cells, host_answers
-- Caveats:  What is asked is the path / under the variable dialect, google unless it is set; a host that lets Googlebot fetch only some other path is
--           not listed. Hosts that answer with an error are not listed either: there the status decides for both alike. Redirects are followed, so
--           the line may stand in the file of another host: that of capture_id. The agent is the variable agent, GPTBot unless it is set.
-- Shape:    one row for each host: url_host_name, capture_id, rule_line (of the rule that shuts the agent out); by host
WITH shut_out AS (
    SELECT answer_key, any_value(rule_line) FILTER (agent <> 'Googlebot') AS rule_line
    FROM answer_cells
    WHERE dialect = coalesce(getvariable('dialect'), 'google')
        AND url = '/'
        AND agent IN (coalesce(getvariable('agent'), 'GPTBot'), 'Googlebot')
    GROUP BY answer_key
    HAVING bool_or(agent <> 'Googlebot' AND verdict = 'disallow')
        AND bool_or(agent = 'Googlebot' AND verdict = 'allow')
)
-- Where redirects end without an answer, all agents are treated alike: only itself and target can tell them apart.
SELECT url_host_name, effective_capture_id AS capture_id, rule_line
FROM host_answers
JOIN shut_out USING (answer_key)
WHERE answered_by IN ('itself', 'target')
    AND dialect = asked_dialect()
ORDER BY url_host_name;
