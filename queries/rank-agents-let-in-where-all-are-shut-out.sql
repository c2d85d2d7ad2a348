-- How many hosts disallow everything for *, and which agents do they let in anyway?
--
-- Tables:  host_files, policy_sets
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is hosts whose rules close everything to *, redirects followed; a host
--          closed by its status is not one of them. An agent is let in where its restriction is
--          none or partial. The agents are those of the run's matrix, so let_nobody_in depends on
--          them. The dialect is the variable dialect (default: the dataset's reference). A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each agent: agent, hosts_closed, hosts_letting_in, share_letting_in (0 to
--          1), domains_closed, domains_letting_in, share_of_domains_letting_in,
--          share_of_domains_letting_in_low, share_of_domains_letting_in_high, let_nobody_in (hosts,
--          the same in every row)
-- Chart:   bars label={agent}
--          value="registered domains: share_of_domains_letting_in (domains_letting_in)"
--          value="hosts: share_letting_in (hosts_letting_in)"
--          of="those that disallow everything for *"
--          n="domains_closed: registered domains that disallow everything for *"
WITH closed AS (
    SELECT policy_set_id
    FROM policy_sets
    WHERE dialect = asked_dialect() AND agent = '*' AND restriction = 'full' AND group_kind <> 'access'
),
asked AS MATERIALIZED (
    SELECT files.fetch_capture_id, files.is_primary_of_domain, policies.agent, policies.restriction <> 'full' AS is_let_in
    FROM closed
    JOIN policy_sets AS policies USING (policy_set_id)
    JOIN host_files AS files USING (policy_set_id)
    WHERE policies.dialect = asked_dialect() AND policies.agent <> '*' AND files.dialect = asked_dialect() AND files.is_robots_txt
)
SELECT
    agent,
    count(*) AS hosts_closed,
    count(*) FILTER (is_let_in) AS hosts_letting_in,
    share_of(hosts_letting_in, hosts_closed) AS share_letting_in,
    count(*) FILTER (is_primary_of_domain) AS domains_closed,
    count(*) FILTER (is_primary_of_domain AND is_let_in) AS domains_letting_in,
    share_of(domains_letting_in, domains_closed) AS share_of_domains_letting_in,
    wilson_low(domains_letting_in, domains_closed) AS share_of_domains_letting_in_low,
    wilson_high(domains_letting_in, domains_closed) AS share_of_domains_letting_in_high,
    (SELECT count(*) FROM (SELECT fetch_capture_id FROM asked GROUP BY fetch_capture_id HAVING NOT bool_or(is_let_in))) AS let_nobody_in
FROM asked
GROUP BY agent
ORDER BY domains_letting_in DESC, hosts_letting_in DESC, agent;
