-- Which agents are named by the same hosts, and which are missing where another one is named (gaps
-- in the lists)?
--
-- Tables:  host_policies
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The hosts are those that have a robots.txt, redirects followed, and that name one of the
--          two agents. The agents are those of the matrix whose category begins with ai-, and
--          CCBot. A name may be missing on purpose: an operator's crawlers do different things. An
--          agent that cannot be named in the variable dialect (default: the dataset's reference) is
--          not listed. A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each ordered pair: agent, other_agent, naming_both, naming_only_the_first,
--          share_without_the_other (of hosts that name agent, 0 to 1), domains_naming_both,
--          domains_naming_only_the_first, share_of_domains_without_the_other,
--          share_of_domains_without_the_other_low, share_of_domains_without_the_other_high; the
--          largest gap by domains first
-- Chart:   heatmap label={agent} series=other_agent
--          value="domains_naming_both/domains_naming_both+domains_naming_only_the_first"
--          of="registered domains naming the agent of the row that name that of the column too"
WITH named AS (
    SELECT fetch_capture_id, is_primary_of_domain, agent
    FROM host_policies
    WHERE dialect = asked_dialect() AND has_robots_txt AND group_kind = 'named' AND (agent_category LIKE 'ai-%' OR agent = 'CCBot')
),
naming AS (
    SELECT agent, count(*) AS hosts, count(*) FILTER (is_primary_of_domain) AS domains
    FROM named
    GROUP BY agent
),
both_named AS (
    SELECT one.agent, two.agent AS other_agent, count(*) AS hosts, count(*) FILTER (one.is_primary_of_domain) AS domains
    FROM named AS one
    JOIN named AS two USING (fetch_capture_id)
    GROUP BY one.agent, two.agent
)
SELECT
    naming.agent,
    others.agent AS other_agent,
    coalesce(both_named.hosts, 0) AS naming_both,
    naming.hosts - naming_both AS naming_only_the_first,
    share_of(naming_only_the_first, naming.hosts) AS share_without_the_other,
    coalesce(both_named.domains, 0) AS domains_naming_both,
    naming.domains - domains_naming_both AS domains_naming_only_the_first,
    share_of(domains_naming_only_the_first, naming.domains) AS share_of_domains_without_the_other,
    wilson_low(domains_naming_only_the_first, naming.domains) AS share_of_domains_without_the_other_low,
    wilson_high(domains_naming_only_the_first, naming.domains) AS share_of_domains_without_the_other_high
FROM naming
JOIN naming AS others ON others.agent <> naming.agent
LEFT JOIN both_named ON both_named.agent = naming.agent AND both_named.other_agent = others.agent
ORDER BY domains_naming_only_the_first DESC, naming_only_the_first DESC, naming.agent, others.agent;
