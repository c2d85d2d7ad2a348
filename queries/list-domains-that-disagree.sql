-- Which domains serve rules that differ between http and https, or between www and the bare domain?
--
-- Tables:  hosts
-- Variables: crawl, html
-- Caveats: Only files that were read (has_robots_txt) are compared, redirects followed, by what
--          they mean; the usual ports only. The dataset must have at least two of the four origins.
-- Shape:   one row for each domain: domain, origins, meanings (different ones), http_bare,
--          https_bare, http_www, https_www (capture of the file of the origin; NULL: none was
--          read); by domain
WITH read AS (
    SELECT
        url_host_registered_domain AS domain,
        url_protocol,
        url_host_name = url_host_registered_domain AS is_bare,
        capture_id,
        end_semantic_digest
    FROM hosts
    WHERE has_robots_txt
        AND is_usual_port(url_protocol, url_port)
        AND url_host_name IN (url_host_registered_domain, 'www.' || url_host_registered_domain)
)
SELECT
    domain,
    count(*) AS origins,
    count(DISTINCT end_semantic_digest) AS meanings,
    any_value(capture_id) FILTER (url_protocol = 'http' AND is_bare) AS http_bare,
    any_value(capture_id) FILTER (url_protocol = 'https' AND is_bare) AS https_bare,
    any_value(capture_id) FILTER (url_protocol = 'http' AND NOT is_bare) AS http_www,
    any_value(capture_id) FILTER (url_protocol = 'https' AND NOT is_bare) AS https_www
FROM read
GROUP BY domain
HAVING meanings > 1
ORDER BY domain;
