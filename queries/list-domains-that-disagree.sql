-- Which domains serve rules that differ between http and https, or between www and the bare domain?
--
-- Tables:  hosts, captures
-- Variables: crawl, html, ranks, stratum
-- Caveats: Only files that were read (has_robots_txt) are compared, redirects followed, by what
--          they mean; the usual ports only. The dataset must have at least two of the four origins.
-- Shape:   one row for each domain: domain, origins, meanings (different ones), http_bare,
--          https_bare, http_www, https_www (capture of the file of the origin; NULL: none was
--          read); by domain
WITH read AS (
    SELECT
        hosts.url_host_registered_domain AS domain,
        hosts.url_protocol,
        hosts.url_host_name = hosts.url_host_registered_domain AS is_bare,
        hosts.capture_id,
        captures.semantic_digest
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE hosts.has_robots_txt
        AND is_usual_port(hosts.url_protocol, hosts.url_port)
        AND hosts.url_host_name IN (hosts.url_host_registered_domain, 'www.' || hosts.url_host_registered_domain)
)
SELECT
    domain,
    count(*) AS origins,
    count(DISTINCT semantic_digest) AS meanings,
    any_value(capture_id) FILTER (url_protocol = 'http' AND is_bare) AS http_bare,
    any_value(capture_id) FILTER (url_protocol = 'https' AND is_bare) AS https_bare,
    any_value(capture_id) FILTER (url_protocol = 'http' AND NOT is_bare) AS http_www,
    any_value(capture_id) FILTER (url_protocol = 'https' AND NOT is_bare) AS https_www
FROM read
GROUP BY domain
HAVING meanings > 1
ORDER BY domain;
