-- Which registered domains have most of the hosts that shut an agent out: is a share of hosts due
-- to many owners or to one?
--
-- Tables:  host_policies
-- Variables: agent (GPTBot), crawl, dialect, html, ranks, stratum
-- Caveats: The denominator of share_of_blocking is all hosts that have a robots.txt
--          (has_robots_txt), redirects followed, and that have restriction full for the agent. A
--          host name without a registered domain (an address) is a domain of its own. The agent is
--          the variable agent (default: GPTBot), the dialect is the variable dialect (default: the
--          dataset's reference).
-- Shape:   the 25 domains with most such hosts: domain, hosts_read, hosts_full, of_hosts (of all
--          domains), share_of_blocking, cumulative_share (0 to 1), is_domain_blocking (whether the
--          host name that represents the domain does); most hosts first
-- Chart:   bars label={domain} axis="registered domain"
--          value="hosts: share_of_blocking (hosts_full)" of="hosts that shut the agent out"
--          n="of_hosts: hosts that shut the agent out"
WITH by_domain AS (
    SELECT
        domain,
        count(*) AS hosts_read,
        count(*) FILTER (restriction = 'full') AS hosts_full,
        coalesce(bool_or(restriction = 'full') FILTER (is_primary_of_domain), false) AS is_domain_blocking
    FROM host_policies
    WHERE dialect = asked_dialect()
        AND has_robots_txt
        AND agent = coalesce(getvariable('agent'), 'GPTBot')
    GROUP BY domain
    HAVING hosts_full > 0
)
SELECT
    domain,
    hosts_read,
    hosts_full,
    (sum(hosts_full) OVER ())::BIGINT AS of_hosts,
    share_of(hosts_full, of_hosts) AS share_of_blocking,
    share_of(sum(hosts_full) OVER (ORDER BY hosts_full DESC, domain), of_hosts) AS cumulative_share,
    is_domain_blocking
FROM by_domain
ORDER BY hosts_full DESC, domain
LIMIT 25;
