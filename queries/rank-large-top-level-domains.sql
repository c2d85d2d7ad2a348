-- Which agents do domains shut out, by the largest top-level domains?
--
-- Tables:  host_files, policy_sets
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: The denominator is registered domains of the top-level domain that have a robots.txt
--          (has_robots_txt), redirects followed; each counts once, by one of its host names
--          (hosts.is_primary_of_domain), whatever the number of its hosts. AI agents are those of
--          the matrix whose category begins with ai-; a domain shuts them out when at least one has
--          restriction full. The columns of everybody are those of the agent *. The dialect is the
--          variable dialect (default: the dataset's reference). Intervals are those of Wilson, 95
--          %. Columns that begin with hosts count host names.
-- Shape:   the 15 top-level domains of most registered domains: url_host_tld, domains_read,
--          domains_any_ai, share_any_ai (0 to 1), share_any_ai_low, share_any_ai_high,
--          domains_everybody, share_everybody, share_everybody_low, share_everybody_high,
--          hosts_read, hosts_any_ai, hosts_everybody; most domains first
-- Chart:   bars label={url_host_tld} axis="top-level domain" null=(address)
--          value="at least one AI agent shut out: share_any_ai (domains_any_ai)"
--          value="every agent shut out (*): share_everybody (domains_everybody)"
--          of="registered domains that have a robots.txt" each=domains_read
--          n="sum of domains_read: registered domains under these that have a robots.txt"
-- Files with the same policies are alike, so each vector of them is read once.
WITH shut_out AS (
    SELECT
        policy_set_id,
        coalesce(bool_or(restriction = 'full') FILTER (agent_category LIKE 'ai-%'), false) AS is_any_ai,
        coalesce(bool_or(restriction = 'full') FILTER (agent = '*'), false) AS is_everybody
    FROM policy_sets
    WHERE dialect = asked_dialect() AND group_kind <> 'access'
    GROUP BY policy_set_id
)
SELECT
    coalesce(url_host_tld, '(none)') AS url_host_tld,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND is_any_ai) AS domains_any_ai,
    share_of(domains_any_ai, domains_read) AS share_any_ai,
    wilson_low(domains_any_ai, domains_read) AS share_any_ai_low,
    wilson_high(domains_any_ai, domains_read) AS share_any_ai_high,
    count(*) FILTER (is_primary_of_domain AND is_everybody) AS domains_everybody,
    share_of(domains_everybody, domains_read) AS share_everybody,
    wilson_low(domains_everybody, domains_read) AS share_everybody_low,
    wilson_high(domains_everybody, domains_read) AS share_everybody_high,
    count(*) AS hosts_read,
    count(*) FILTER (is_any_ai) AS hosts_any_ai,
    count(*) FILTER (is_everybody) AS hosts_everybody
FROM host_files
JOIN shut_out USING (policy_set_id)
WHERE dialect = asked_dialect() AND is_robots_txt
GROUP BY host_files.url_host_tld
ORDER BY domains_read DESC, url_host_tld
LIMIT 15;
