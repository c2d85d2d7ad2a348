-- Question: How many hosts shut GPTBot out of /, and by what: a group of its own, the group of everybody, or the status of the answer?
-- Tables:   policies, host_verdicts
-- Caveats:  Two denominators: hosts_read have a file (access is conditional), and only they can shut anybody out by a rule; hosts_asked are all of the
--           dataset. Redirects are followed. The agent is the variable agent, GPTBot unless it is set, and must be one of the matrix; the dialect is
--           the variable dialect, google unless it is set. What is asked is /, as most studies do; a file that closes everything else is not counted.
-- Shape:    one row: agent, hosts_asked, hosts_read, hosts_naming, blocked_by_own_group, blocked_by_everybodys_group, blocked_by_rules (their sum),
--           share_of_read (0 to 1), blocked_by_status, share_of_asked (0 to 1: rules and status)
WITH answers AS (
    SELECT
        verdicts.access,
        verdicts.basis,
        verdicts.verdict = 'disallow' AS is_blocked,
        policies.group_kind
    FROM host_verdicts AS verdicts
    LEFT JOIN policies ON policies.capture_id = verdicts.effective_capture_id AND policies.agent = verdicts.agent
    WHERE verdicts.agent = coalesce(getvariable('agent'), 'GPTBot')
        AND verdicts.dialect = coalesce(getvariable('dialect'), 'google')
        AND verdicts.url = '/'
)
SELECT
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    count(*) AS hosts_asked,
    count(*) FILTER (access = 'conditional') AS hosts_read,
    count(*) FILTER (group_kind = 'named') AS hosts_naming,
    count(*) FILTER (is_blocked AND basis <> 'access' AND group_kind = 'named') AS blocked_by_own_group,
    count(*) FILTER (is_blocked AND basis <> 'access' AND group_kind <> 'named') AS blocked_by_everybodys_group,
    count(*) FILTER (is_blocked AND basis <> 'access') AS blocked_by_rules,
    round(blocked_by_rules / nullif(hosts_read, 0), 4) AS share_of_read,
    count(*) FILTER (is_blocked AND basis = 'access') AS blocked_by_status,
    round(count(*) FILTER (is_blocked) / nullif(hosts_asked, 0), 4) AS share_of_asked
FROM answers;
