-- What share of hosts restricts each agent under each top-level domain?
--
-- Tables:  host_policies, matrix_agents
-- Variables: agent, crawl, dialect, html, least, ranks, stratum
-- Caveats: The denominator is hosts of the top-level domain that have a robots.txt
--          (has_robots_txt), redirects followed; top-level domains with fewer registered domains
--          read than the variable least (default: 20) are left out. Shares of few hosts are
--          uncertain. The agents are those of the run's matrix, or the one of the variable agent;
--          the dialect is the variable dialect (default: the dataset's reference). A registered
--          domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each top-level domain and agent: url_host_tld (NULL: an address), agent,
--          agent_category, can_be_named (whether a user-agent line can name the agent in this
--          dialect), hosts_read, named, full_by_rules, partial_by_rules, share_named, share_full,
--          share_partial, domains_read, domains_full, share_of_domains_named,
--          share_of_domains_named_low, share_of_domains_named_high, share_of_domains_full,
--          share_of_domains_full_low, share_of_domains_full_high, share_of_domains_partial,
--          share_of_domains_partial_low, share_of_domains_partial_high (0 to 1); by agent, largest
--          share_of_domains_full first
-- Chart:   heatmap label={url_host_tld} axis="top-level domain" null=(address) series=agent
--          value="share_of_domains_full (domains_full)"
--          of="registered domains that shut the agent out" each=domains_read
SELECT
    policies.url_host_tld,
    policies.agent,
    any_value(policies.agent_category) AS agent_category,
    any_value(matrix_agents.can_be_named) AS can_be_named,
    count(*) AS hosts_read,
    count(*) FILTER (group_kind = 'named') AS named,
    count(*) FILTER (restriction = 'full') AS full_by_rules,
    count(*) FILTER (restriction = 'partial') AS partial_by_rules,
    share_of(named, hosts_read) AS share_named,
    share_of(full_by_rules, hosts_read) AS share_full,
    share_of(partial_by_rules, hosts_read) AS share_partial,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND restriction = 'full') AS domains_full,
    share_of(count(*) FILTER (is_primary_of_domain AND group_kind = 'named'), domains_read) AS share_of_domains_named,
    wilson_low(count(*) FILTER (is_primary_of_domain AND group_kind = 'named'), domains_read) AS share_of_domains_named_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND group_kind = 'named'), domains_read) AS share_of_domains_named_high,
    share_of(domains_full, domains_read) AS share_of_domains_full,
    wilson_low(domains_full, domains_read) AS share_of_domains_full_low,
    wilson_high(domains_full, domains_read) AS share_of_domains_full_high,
    share_of(count(*) FILTER (is_primary_of_domain AND restriction = 'partial'), domains_read) AS share_of_domains_partial,
    wilson_low(count(*) FILTER (is_primary_of_domain AND restriction = 'partial'), domains_read) AS share_of_domains_partial_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND restriction = 'partial'), domains_read) AS share_of_domains_partial_high
FROM host_policies AS policies
JOIN matrix_agents USING (dialect, agent)
WHERE policies.dialect = asked_dialect()
    AND policies.has_robots_txt
    AND (getvariable('agent') IS NULL OR policies.agent = getvariable('agent'))
GROUP BY policies.url_host_tld, policies.agent
HAVING domains_read >= coalesce(getvariable('least')::INTEGER, 20)
ORDER BY policies.agent, share_of_domains_full DESC, domains_read DESC, policies.url_host_tld;
