-- Question: Which hosts shut out GPTBot and let Googlebot in, and which line says so?
-- Tables:   host_verdicts
-- Caveats:  What is asked is the path / under the variable dialect, google unless it is set; a host that lets Googlebot fetch only some other path is
--           not listed. Hosts that answer with an error are not listed either: there the status decides for both alike. Redirects are followed, so
--           the line may stand in the file of another host: that of capture_id. The agent is the variable agent, GPTBot unless it is set.
-- Shape:    one row for each host: url_host_name, capture_id, rule_line (of the rule that shuts the agent out); by host
SELECT
    shut_out.url_host_name,
    shut_out.effective_capture_id AS capture_id,
    shut_out.rule_line
FROM host_verdicts AS shut_out
JOIN host_verdicts AS let_in USING (capture_id, dialect, url)
WHERE dialect = coalesce(getvariable('dialect'), 'google')
    AND url = '/'
    AND shut_out.agent = coalesce(getvariable('agent'), 'GPTBot')
    AND shut_out.verdict = 'disallow'
    AND let_in.agent = 'Googlebot'
    AND let_in.verdict = 'allow'
ORDER BY shut_out.url_host_name;
