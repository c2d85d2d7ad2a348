-- Under which top-level domains do hosts shut AI agents out most?
--
-- Tables:  host_files, policy_sets
-- Variables: crawl, dialect, html, least, ranks, stratum
-- Caveats: The denominator is hosts of the top-level domain that have a robots.txt
--          (has_robots_txt), redirects followed; top-level domains with fewer of them than the
--          variable least (default: 20) are left out. AI agents are those of the matrix whose
--          category begins with ai-, and shut out means restriction full; a host that closes
--          everything to * is counted separately. Language and sector are not in the tables: join a
--          list of your own by host. The dialect is the variable dialect (default: the dataset's
--          reference). A registered domain counts once, by one of its host names (see domains in
--          views.sql).
-- Shape:   one row for each top-level domain: url_host_tld, hosts_read, share_any_ai, share_all_ai,
--          share_everybody (hosts that shut out at least one, all of them, and *; 0 to 1),
--          domains_read, share_of_domains_any_ai, share_of_domains_any_ai_low,
--          share_of_domains_any_ai_high, share_of_domains_all_ai, share_of_domains_all_ai_low,
--          share_of_domains_all_ai_high, share_of_domains_everybody,
--          share_of_domains_everybody_low, share_of_domains_everybody_high; largest share_any_ai
--          first
-- Chart:   bars label={url_host_tld} axis="top-level domain" null=(address)
--          value="at least one AI agent shut out: share_of_domains_any_ai"
--          value="all AI agents shut out: share_of_domains_all_ai"
--          value="every agent shut out (*): share_of_domains_everybody"
--          of="registered domains that have a robots.txt" each=domains_read
--          n="sum of domains_read: registered domains under these that have a robots.txt" sorted
-- Files with the same policies are alike, so each vector of them is read once.
WITH shut_out AS (
    SELECT
        policy_set_id,
        bool_or(restriction = 'full') FILTER (agent_category LIKE 'ai-%') AS is_any_ai,
        bool_and(restriction = 'full') FILTER (agent_category LIKE 'ai-%') AS is_all_ai,
        bool_or(restriction = 'full') FILTER (agent = '*') AS is_everybody
    FROM policy_sets
    WHERE dialect = asked_dialect() AND group_kind <> 'access'
    GROUP BY policy_set_id
)
SELECT
    url_host_tld,
    count(*) AS hosts_read,
    share_of(count(*) FILTER (is_any_ai), count(*)) AS share_any_ai,
    share_of(count(*) FILTER (is_all_ai), count(*)) AS share_all_ai,
    share_of(count(*) FILTER (is_everybody), count(*)) AS share_everybody,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    share_of(count(*) FILTER (is_primary_of_domain AND is_any_ai), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_any_ai,
    wilson_low(count(*) FILTER (is_primary_of_domain AND is_any_ai), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_any_ai_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND is_any_ai), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_any_ai_high,
    share_of(count(*) FILTER (is_primary_of_domain AND is_all_ai), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_all_ai,
    wilson_low(count(*) FILTER (is_primary_of_domain AND is_all_ai), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_all_ai_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND is_all_ai), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_all_ai_high,
    share_of(count(*) FILTER (is_primary_of_domain AND is_everybody), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_everybody,
    wilson_low(count(*) FILTER (is_primary_of_domain AND is_everybody), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_everybody_low,
    wilson_high(count(*) FILTER (is_primary_of_domain AND is_everybody), count(*) FILTER (is_primary_of_domain)) AS share_of_domains_everybody_high
FROM host_files
JOIN shut_out USING (policy_set_id)
WHERE dialect = asked_dialect() AND is_robots_txt
GROUP BY url_host_tld
HAVING hosts_read >= coalesce(getvariable('least')::INTEGER, 20)
ORDER BY share_any_ai DESC, url_host_tld;
