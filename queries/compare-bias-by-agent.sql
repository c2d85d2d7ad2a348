-- Is an agent treated better or worse than other agents on the same host?
--
-- Tables:  host_policies
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is hosts with a robots.txt that names the agent (group_kind is
--          named): other hosts treat it as any other agent. Bias is defined by Sun et al. 2007 (see
--          the column policies.bias). The dialect is the variable dialect (default: the dataset's
--          reference). A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each agent and bias: agent, agent_category, bias, hosts, share_of_naming,
--          domains, share_of_naming_domains, share_of_naming_domains_low,
--          share_of_naming_domains_high (0 to 1)
-- Chart:   bars label={agent} series=bias value="share_of_naming_domains (domains)"
--          of="registered domains that name the agent" each=sum
SELECT
    agent,
    agent_category,
    bias,
    count(*) AS hosts,
    share_of(count(*), sum(count(*)) OVER (PARTITION BY agent)) AS share_of_naming,
    count(*) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, sum(domains) OVER (PARTITION BY agent)) AS share_of_naming_domains,
    wilson_low(domains, sum(domains) OVER (PARTITION BY agent)) AS share_of_naming_domains_low,
    wilson_high(domains, sum(domains) OVER (PARTITION BY agent)) AS share_of_naming_domains_high
FROM host_policies
WHERE dialect = asked_dialect()
    AND has_robots_txt
    AND group_kind = 'named' AND agent <> '*'
GROUP BY agent, agent_category, bias
ORDER BY agent, hosts DESC, bias;
