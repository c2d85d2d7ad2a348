-- Question: Which hosts say yes to a use in Content-Signal and shut the crawlers of that use out, or say no and invite them by name?
-- Tables:   signals, host_policies
-- Caveats:  The hosts are those whose file was read, redirects followed; the signal is read for the whole file. ai-train is held against the agents of the
--           category ai-training, ai-input against ai-search and ai-user-fetch, search against search-engine. A yes contradicts restriction full;
--           a no contradicts only a group that names the agent and restricts nothing: not to forbid is not to invite.
-- Shape:    one row for each host and signal: url_host_name, key, value, line, agents (that contradict it), capture_id; by host, then line
WITH uses AS (
    FROM (VALUES
        ('ai-train', 'ai-training'),
        ('ai-input', 'ai-search'),
        ('ai-input', 'ai-user-fetch'),
        ('search', 'search-engine')
    ) AS uses (key, agent_category)
)
SELECT
    host_policies.url_host_name,
    signals.key,
    signals.value,
    signals.line,
    string_agg(DISTINCT host_policies.agent, ', ' ORDER BY host_policies.agent) AS agents,
    signals.capture_id
FROM signals
JOIN uses USING (key)
JOIN host_policies
    ON host_policies.effective_capture_id = signals.capture_id
    AND host_policies.agent_category = uses.agent_category
WHERE signals.vocabulary = 'content-signal'
    AND (
        signals.value = 'yes' AND host_policies.restriction = 'full'
        OR signals.value = 'no' AND host_policies.restriction = 'none' AND host_policies.group_kind = 'named'
    )
GROUP BY ALL
ORDER BY host_policies.url_host_name, signals.line, signals.key;
