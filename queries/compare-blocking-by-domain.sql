-- Question: What share of registered domains, and what share of hosts, shuts each agent out?
-- Tables:   host_policies
-- Caveats:  The denominators are registered domains and host names whose file was read (access is conditional), redirects followed. Shut out: restriction
--           is full under the reference dialect. A domain counts as the host name that stands for it does (hosts.is_primary_of_domain). One owner may
--           have thousands of host names, so shares of hosts say little of owners where the two differ. Intervals are those of Wilson, 95 %.
-- Shape:    one row for each agent of the matrix: agent, agent_category, domains, domains_shut_out, share_of_domains (0 to 1), share_of_domains_low,
--           share_of_domains_high, hosts, hosts_shut_out, share_of_hosts; most domains first
SELECT
    agent,
    agent_category,
    count(*) FILTER (is_primary_of_domain) AS domains,
    count(*) FILTER (is_primary_of_domain AND restriction = 'full') AS domains_shut_out,
    share_of(domains_shut_out, domains) AS share_of_domains,
    wilson_low(domains_shut_out, domains) AS share_of_domains_low,
    wilson_high(domains_shut_out, domains) AS share_of_domains_high,
    count(*) AS hosts,
    count(*) FILTER (restriction = 'full') AS hosts_shut_out,
    share_of(hosts_shut_out, hosts) AS share_of_hosts
FROM host_policies
WHERE access = 'conditional'
GROUP BY agent, agent_category
ORDER BY domains_shut_out DESC, hosts_shut_out DESC, agent;
