-- Question: How do the largest top-level domains differ in whom they shut out?
-- Tables:   host_policies
-- Caveats:  The denominator is hosts of the top-level domain whose file was read (access is conditional), redirects followed. AI agents are those of the
--           matrix whose category begins with ai-; a host shuts them out when at least one has restriction full. Everybody is the agent *. The
--           dialect is the variable dialect, the dataset's reference unless it is set. A registered domain counts as the host name
--           that stands for it: the bare domain if it has a file, else www, else another one (see hosts in views.sql).
-- Shape:    the 15 top-level domains of most hosts: url_host_tld, hosts_read, hosts_any_ai, hosts_everybody, domains_read,
--           domains_any_ai, domains_everybody; most hosts first
WITH shut_out AS (
    SELECT
        url_host_name,
        any_value(is_primary_of_domain) AS is_primary_of_domain,
        coalesce(any_value(url_host_tld), '(none)') AS url_host_tld,
        coalesce(bool_or(restriction = 'full') FILTER (agent_category LIKE 'ai-%'), false) AS is_any_ai,
        coalesce(bool_or(restriction = 'full') FILTER (agent = '*'), false) AS is_everybody
    FROM host_policies
    WHERE dialect = asked_dialect() AND access = 'conditional'
    GROUP BY url_host_name
)
SELECT
    url_host_tld,
    count(*) AS hosts_read,
    count(*) FILTER (is_any_ai) AS hosts_any_ai,
    count(*) FILTER (is_everybody) AS hosts_everybody,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND is_any_ai) AS domains_any_ai,
    count(*) FILTER (is_primary_of_domain AND is_everybody) AS domains_everybody
FROM shut_out
GROUP BY url_host_tld
ORDER BY hosts_read DESC, url_host_tld
LIMIT 15;
