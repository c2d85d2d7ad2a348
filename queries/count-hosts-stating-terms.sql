-- Question: How many hosts state terms of use or licenses: License (RSL), DisallowAITraining, LLM-Policy, Content-Signal, Content-Usage, Noindex?
-- Tables:   signals, hosts
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. A host that states several is in several rows. What
--           is stated of a path without a value is counted by the path.
-- Shape:    one row for each vocabulary: vocabulary, hosts, share_of_hosts, domains, share_of_domains (0 to 1), statements, not_parsed (statements), different_values,
--           example_value; most hosts first
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, effective_capture_id AS capture_id
    FROM hosts
    WHERE is_primary AND access = 'conditional' AND NOT end_is_html
)
SELECT
    signals.vocabulary,
    count(DISTINCT read.url_host_name) AS hosts,
    round(count(DISTINCT read.url_host_name) / (SELECT count(*) FROM read), 4) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    round(domains / (SELECT count(*) FROM read WHERE is_primary_of_domain), 4) AS share_of_domains,
    count(*) AS statements,
    count(*) FILTER (NOT signals.parse_ok) AS not_parsed,
    count(DISTINCT coalesce(signals.value, signals.path)) AS different_values,
    min(coalesce(signals.value, signals.path)) AS example_value
FROM read
JOIN signals USING (capture_id)
GROUP BY signals.vocabulary
ORDER BY hosts DESC, signals.vocabulary;
