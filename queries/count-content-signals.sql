-- Question: How many hosts state Content-Signal, which signals with which values, and for one group or for the file?
-- Tables:   signals, hosts
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. Whether a signal speaks for the group it stands in
--           or for the whole file is contested, so both are counted: in_group are hosts that state it behind a user-agent line. Pages of HTML (captures.is_html) are in
--           the denominator, but what looks like a field there is none. A registered domain counts as the host name
--           that stands for it: the bare domain if it has a file, else www, else another one (see hosts in views.sql).
-- Shape:    one row for each key and value: key, value, parse_ok, hosts, share_of_hosts, domains, share_of_domains (0 to 1), in_group (hosts), before_any_group (hosts); most hosts
--           first
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, end_is_html, effective_capture_id AS capture_id
    FROM hosts
    WHERE is_primary AND access = 'conditional'
)
SELECT
    signals.key,
    signals.value,
    signals.parse_ok,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    count(DISTINCT read.url_host_name) FILTER (signals.group_index IS NOT NULL) AS in_group,
    count(DISTINCT read.url_host_name) FILTER (signals.group_index IS NULL) AS before_any_group
FROM read
JOIN signals USING (capture_id)
WHERE NOT read.end_is_html AND signals.vocabulary = 'content-signal'
GROUP BY signals.key, signals.value, signals.parse_ok
ORDER BY hosts DESC, signals.key, signals.value;
