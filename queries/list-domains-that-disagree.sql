-- Question: Which domains serve rules that differ between http and https, or between www and the bare domain?
-- Tables:   hosts
-- Caveats:  Only files that were read (access is conditional) are compared, redirects followed, by what they mean; the usual ports only. The dataset
--           must hold at least two of the four origins.
-- Shape:    one row for each domain: domain, origins, meanings (different ones), http_bare, https_bare, http_www, https_www (capture whose file
--           speaks there; NULL: none was read); by domain
SELECT
    url_host_registered_domain AS domain,
    count(*) AS origins,
    count(DISTINCT end_semantic_digest) AS meanings,
    any_value(effective_capture_id) FILTER (url_protocol = 'http' AND url_host_name = domain) AS http_bare,
    any_value(effective_capture_id) FILTER (url_protocol = 'https' AND url_host_name = domain) AS https_bare,
    any_value(effective_capture_id) FILTER (url_protocol = 'http' AND url_host_name <> domain) AS http_www,
    any_value(effective_capture_id) FILTER (url_protocol = 'https' AND url_host_name <> domain) AS https_www
FROM hosts
WHERE access = 'conditional'
    AND url_port IS NULL
    AND url_host_name IN (url_host_registered_domain, 'www.' || url_host_registered_domain)
GROUP BY domain
HAVING meanings > 1
ORDER BY domain;
