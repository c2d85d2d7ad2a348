-- What share of hosts restricts each agent fully, partly or not at all, by a group of its own or by
-- the group of *?
--
-- Tables:  host_policies, matrix_agents
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Full: / and every probe made from the file's own patterns are disallowed; none: no probe
--          is; partial: the rest. The agents are those of the run's matrix; where can_be_named is
--          false no user-agent line can name the agent in this dialect, and its figures are those
--          of the group of *. The dialect is the variable dialect (default: the dataset's
--          reference). A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each agent: agent, agent_category, hosts_read, named, full_named,
--          full_everybody, partial_named, partial_everybody (hosts), share_named, share_full,
--          share_partial, share_none (0 to 1), domains_read, domains_full, domains_full_named,
--          domains_partial_named, domains_partial_everybody, share_of_domains_named,
--          share_of_domains_named_low, share_of_domains_named_high, share_of_domains_full,
--          share_of_domains_full_low, share_of_domains_full_high (its 95 % interval by Wilson),
--          share_of_domains_partial, share_of_domains_partial_low, share_of_domains_partial_high,
--          share_of_domains_none, share_of_domains_none_low, share_of_domains_none_high (0 to 1),
--          can_be_named; most often shut out first
-- Chart:   bars label="{agent}{can_be_named?: (cannot be named)}"
--          value="registered domains that shut it out: share_of_domains_full (domains_full)"
--          value="hosts that shut it out: share_full" of="those that have a robots.txt" sorted
SELECT
    agent,
    agent_category,
    count(*) AS hosts_read,
    count(*) FILTER (group_kind = 'named') AS named,
    count(*) FILTER (restriction = 'full' AND group_kind = 'named') AS full_named,
    count(*) FILTER (restriction = 'full' AND group_kind <> 'named') AS full_everybody,
    count(*) FILTER (restriction = 'partial' AND group_kind = 'named') AS partial_named,
    count(*) FILTER (restriction = 'partial' AND group_kind <> 'named') AS partial_everybody,
    share_of(named, hosts_read) AS share_named,
    share_of((full_named + full_everybody), hosts_read) AS share_full,
    share_of((partial_named + partial_everybody), hosts_read) AS share_partial,
    share_of(count(*) FILTER (restriction = 'none'), hosts_read) AS share_none,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND restriction = 'full') AS domains_full,
    count(*) FILTER (is_primary_of_domain AND restriction = 'full' AND group_kind = 'named') AS domains_full_named,
    count(*) FILTER (is_primary_of_domain AND restriction = 'partial' AND group_kind = 'named') AS domains_partial_named,
    count(*) FILTER (is_primary_of_domain AND restriction = 'partial' AND group_kind <> 'named') AS domains_partial_everybody,
    share_of(count(*) FILTER (is_primary_of_domain AND group_kind = 'named'), domains_read) AS share_of_domains_named,
    wilson_low(count(*) FILTER (is_primary_of_domain AND group_kind = 'named'), domains_read) AS share_of_domains_named_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND group_kind = 'named'), domains_read) AS share_of_domains_named_high,
    share_of(domains_full, domains_read) AS share_of_domains_full,
    wilson_low(domains_full, domains_read) AS share_of_domains_full_low,
    wilson_high(domains_full, domains_read) AS share_of_domains_full_high,
    share_of(count(*) FILTER (is_primary_of_domain AND restriction = 'partial'), domains_read) AS share_of_domains_partial,
    wilson_low(count(*) FILTER (is_primary_of_domain AND restriction = 'partial'), domains_read) AS share_of_domains_partial_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND restriction = 'partial'), domains_read) AS share_of_domains_partial_high,
    share_of(count(*) FILTER (is_primary_of_domain AND restriction = 'none'), domains_read) AS share_of_domains_none,
    wilson_low(count(*) FILTER (is_primary_of_domain AND restriction = 'none'), domains_read) AS share_of_domains_none_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND restriction = 'none'), domains_read) AS share_of_domains_none_high,
    (SELECT any_value(matrix_agents.can_be_named) FROM matrix_agents WHERE matrix_agents.agent = host_policies.agent AND dialect = asked_dialect()) AS can_be_named
FROM host_policies
WHERE dialect = asked_dialect() AND has_robots_txt
GROUP BY agent, agent_category
ORDER BY full_named + full_everybody DESC, agent;
