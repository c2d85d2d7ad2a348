-- Which hosts have content managed by Cloudflare, and does the owner's own group for * contradict
-- it?
--
-- Tables:  agents, rules, signals, hosts, templates
-- Variables: crawl, html, ranks, stratum
-- Caveats: The content is recognized by the marks in views.sql. The managed part has a group for *
--          of its own; crawlers that merge groups use both, others only the first. Contradicting:
--          the groups for * have different rules, so the two kinds of crawlers may decide
--          differently: count-flips-between-dialects.sql counts where they do.
-- Shape:   one row for each host: url_host_name, wildcard_groups, is_contradicting, content_signals
--          (key=value, .. NULL: none), capture_id; by host
WITH managed AS (
    SELECT hosts.url_host_name, capture_id
    FROM hosts
    JOIN templates USING (capture_id)
    WHERE hosts.is_primary AND templates.template = 'Cloudflare managed'
),
wildcard_groups AS (
    SELECT DISTINCT capture_id, group_index
    FROM agents
    SEMI JOIN managed USING (capture_id)
    WHERE is_wildcard
),
contents AS (
    SELECT
        wildcard_groups.capture_id,
        wildcard_groups.group_index,
        coalesce(string_agg(DISTINCT rule_kind || ' ' || pattern, chr(10) ORDER BY rule_kind || ' ' || pattern), '') AS content
    FROM wildcard_groups
    LEFT JOIN rules USING (capture_id, group_index)
    GROUP BY wildcard_groups.capture_id, wildcard_groups.group_index
),
files AS (
    SELECT capture_id, count(*) AS wildcard_groups, count(DISTINCT content) > 1 AS is_contradicting
    FROM contents
    GROUP BY capture_id
),
said AS (
    SELECT capture_id, string_agg(DISTINCT key || '=' || value, ', ' ORDER BY key || '=' || value) AS content_signals
    FROM signals
    SEMI JOIN managed USING (capture_id)
    WHERE vocabulary = 'content-signal'
    GROUP BY capture_id
)
SELECT
    url_host_name,
    coalesce(wildcard_groups, 0) AS wildcard_groups,
    coalesce(is_contradicting, false) AS is_contradicting,
    content_signals,
    capture_id
FROM managed
LEFT JOIN files USING (capture_id)
LEFT JOIN said USING (capture_id)
ORDER BY url_host_name;
