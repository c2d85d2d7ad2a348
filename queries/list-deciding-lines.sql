-- Which line decides a URL for an agent, on each host where a line does?
--
-- Tables:  rules, host_verdicts
-- Variables: agent (GPTBot), crawl, dialect, html, ranks, stratum, url (/)
-- Caveats: The variables are agent (default: GPTBot), url (default: /) and dialect (default: the
--          dataset's reference), all of the matrix. Redirects are followed, so the line may be in
--          the file of another host: that of capture_id. Hosts where no line decides (no group, no
--          match, status) are not listed. The table rules is that of the reference dialect: it may
--          lack the line of another dialect (pattern_raw is NULL).
-- Shape:   one row for each host: url_host_name, verdict, group_index, line, rule_kind,
--          pattern_raw, capture_id; by host
SELECT
    host_verdicts.url_host_name,
    host_verdicts.verdict,
    host_verdicts.group_index,
    host_verdicts.rule_line AS line,
    rules.rule_kind,
    coalesce(rules.pattern_raw, rules.pattern) AS pattern_raw,
    host_verdicts.capture_id
FROM host_verdicts
LEFT JOIN rules
    ON rules.capture_id = host_verdicts.capture_id
    AND rules.line = host_verdicts.rule_line
WHERE host_verdicts.agent = coalesce(getvariable('agent'), 'GPTBot')
    AND host_verdicts.url = coalesce(getvariable('url'), '/')
    AND host_verdicts.dialect = asked_dialect()
    AND host_verdicts.basis = 'rule'
ORDER BY host_verdicts.url_host_name;
