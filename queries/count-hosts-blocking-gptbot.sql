-- How many hosts shut GPTBot out of /, and by what: a group of its own, the group of *, or the
-- status of the answer?
--
-- Tables:  host_verdicts, policy_sets
-- Variables: agent (GPTBot), crawl, dialect, html, ranks, stratum, url (/)
-- Caveats: Two denominators: hosts_read have a robots.txt (has_robots_txt), and only they can shut
--          an agent out by a rule; hosts_asked are all of the dataset. Redirects are followed. The
--          agent is the variable agent (default: GPTBot), which must be one of the matrix; the
--          dialect is the variable dialect (default: the dataset's reference). The URL is the
--          variable url (default: /, as in most studies); a file that closes everything else is not
--          counted, which restriction full does (compare-restriction-by-agent). A single owner of
--          thousands of hosts can dominate the figures of hosts. A registered domain counts once,
--          by one of its host names (see domains in views.sql).
-- Shape:   one row: agent, can_be_named (whether a user-agent line can name the agent in this
--          dialect; if not, hosts_naming is 0), hosts_asked, hosts_read, hosts_naming,
--          blocked_by_own_group, blocked_by_everybodys_group, blocked_by_rules (their sum),
--          share_of_read (0 to 1), blocked_by_status, share_of_asked (0 to 1: rules and status),
--          domains_asked, domains_read, domains_blocked_by_rules, share_of_domains_read,
--          share_of_domains_read_low, share_of_domains_read_high, domains_blocked_by_own_group,
--          domains_blocked_by_everybodys_group, domains_blocked_by_status, share_of_domains_asked,
--          share_of_domains_asked_low, share_of_domains_asked_high
-- Chart:   bars label="{agent}{can_be_named?: (cannot be named)}"
--          value="by a group of its own: domains_blocked_by_own_group/domains_asked"
--          value="by the group of *: domains_blocked_by_everybodys_group/domains_asked"
--          value="by the status of the answer: domains_blocked_by_status/domains_asked"
--          of="registered domains that were asked for a robots.txt"
--          n="domains_asked: registered domains that were asked for a robots.txt"
WITH answers AS (
    SELECT
        verdicts.has_robots_txt,
        verdicts.is_primary_of_domain,
        verdicts.basis,
        verdicts.verdict = 'disallow' AS is_blocked,
        policies.group_kind
    FROM host_verdicts AS verdicts
    LEFT JOIN policy_sets AS policies USING (policy_set_id, dialect, agent)
    WHERE verdicts.agent = coalesce(getvariable('agent'), 'GPTBot')
        AND verdicts.dialect = asked_dialect()
        AND verdicts.url = coalesce(getvariable('url'), '/')
)
SELECT
    coalesce(getvariable('agent'), 'GPTBot') AS agent,
    can_be_named(coalesce(getvariable('agent'), 'GPTBot')) AS can_be_named,
    count(*) AS hosts_asked,
    count(*) FILTER (has_robots_txt) AS hosts_read,
    count(*) FILTER (has_robots_txt AND group_kind = 'named') AS hosts_naming,
    count(*) FILTER (is_blocked AND has_robots_txt AND group_kind = 'named') AS blocked_by_own_group,
    count(*) FILTER (is_blocked AND has_robots_txt AND group_kind <> 'named') AS blocked_by_everybodys_group,
    count(*) FILTER (is_blocked AND has_robots_txt) AS blocked_by_rules,
    share_of(blocked_by_rules, hosts_read) AS share_of_read,
    count(*) FILTER (is_blocked AND basis = 'access') AS blocked_by_status,
    share_of(blocked_by_rules + blocked_by_status, hosts_asked) AS share_of_asked,
    count(*) FILTER (is_primary_of_domain) AS domains_asked,
    count(*) FILTER (is_primary_of_domain AND has_robots_txt) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND is_blocked AND has_robots_txt) AS domains_blocked_by_rules,
    share_of(domains_blocked_by_rules, domains_read) AS share_of_domains_read,
    wilson_low(domains_blocked_by_rules, domains_read) AS share_of_domains_read_low,
    wilson_high(domains_blocked_by_rules, domains_read) AS share_of_domains_read_high,
    count(*) FILTER (is_primary_of_domain AND is_blocked AND has_robots_txt AND group_kind = 'named') AS domains_blocked_by_own_group,
    domains_blocked_by_rules - domains_blocked_by_own_group AS domains_blocked_by_everybodys_group,
    count(*) FILTER (is_primary_of_domain AND is_blocked AND basis = 'access') AS domains_blocked_by_status,
    share_of(domains_blocked_by_rules + domains_blocked_by_status, domains_asked) AS share_of_domains_asked,
    wilson_low(domains_blocked_by_rules + domains_blocked_by_status, domains_asked) AS share_of_domains_asked_low,
    wilson_high(domains_blocked_by_rules + domains_blocked_by_status, domains_asked) AS share_of_domains_asked_high
FROM answers;
