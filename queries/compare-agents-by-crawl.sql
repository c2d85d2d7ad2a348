-- How does the share of hosts that name each product token change from crawl to crawl?
--
-- Tables:  agents, crawl_hosts
-- Variables: before, crawl, html, ranks, stratum
-- Caveats: A crawl is a value of captures.crawl, in both datasets if the variable before is set.
--          The denominator is hosts of that crawl with a robots.txt; crawls contain different
--          hosts, so a share may change because of the hosts: count-changes.sql compares the same
--          hosts. A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each crawl and each of the 20 tokens that most domains name: dataset
--          (before, data), crawl (NULL: not in the archives), agent_token, hosts, hosts_read,
--          share_of_hosts, domains, domains_read, share_of_domains, share_of_domains_low,
--          share_of_domains_high (0 to 1); by token, then by crawl
-- Chart:   lines label={crawl} null="not named" series=agent_token
--          value="share_of_domains (domains)"
--          of="registered domains of the crawl that have a robots.txt" each=domains_read
--          n="each: registered domains of the crawl that have a robots.txt"
WITH read AS (
    SELECT dataset, crawl, url_host_name, is_primary_of_domain, capture_id
    FROM crawl_hosts
    WHERE is_primary AND has_robots_txt
),
crawls AS (
    SELECT dataset, crawl, count(*) AS hosts_read, count(*) FILTER (is_primary_of_domain) AS domains_read
    FROM read
    GROUP BY dataset, crawl
),
named AS (
    SELECT
        read.dataset,
        read.crawl,
        of_files.agent_token,
        count(*) AS hosts,
        count(*) FILTER (read.is_primary_of_domain) AS domains
    FROM read
    JOIN (SELECT DISTINCT dataset, capture_id, agent_token FROM both_of('agents')) AS of_files USING (dataset, capture_id)
    GROUP BY read.dataset, read.crawl, of_files.agent_token
),
most AS (
    SELECT agent_token
    FROM named
    GROUP BY agent_token
    ORDER BY sum(domains) DESC, sum(hosts) DESC, agent_token
    LIMIT 20
)
SELECT
    crawls.dataset,
    crawls.crawl,
    most.agent_token,
    coalesce(named.hosts, 0) AS hosts,
    crawls.hosts_read,
    share_of(coalesce(named.hosts, 0), crawls.hosts_read) AS share_of_hosts,
    coalesce(named.domains, 0) AS domains,
    crawls.domains_read,
    share_of(coalesce(named.domains, 0), crawls.domains_read) AS share_of_domains,
    wilson_low(coalesce(named.domains, 0), crawls.domains_read) AS share_of_domains_low,
    wilson_high(coalesce(named.domains, 0), crawls.domains_read) AS share_of_domains_high
FROM most
CROSS JOIN crawls
LEFT JOIN named
    ON named.agent_token = most.agent_token
    AND named.dataset = crawls.dataset
    AND named.crawl IS NOT DISTINCT FROM crawls.crawl
ORDER BY most.agent_token, crawls.dataset, crawls.crawl;
