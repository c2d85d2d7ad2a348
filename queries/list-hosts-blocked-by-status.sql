-- Which hosts are closed to crawlers by the status of the answer and not by a rule?
--
-- Tables:  hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The meaning of a status is that of the reference dialect (google: 429 and 5xx close
--          everything); other crawlers differ. A host is listed only if no fetch of it in the
--          dataset is an answer: a file that was read remains valid while the server is down.
-- Shape:   one row for each host: url_host_name, origin, fetch_status (NULL: no HTTP), end_status
--          (after redirects), fetch_time, capture_id; by host
SELECT url_host_name, origin, fetch_status, end_status, fetch_time, capture_id
FROM hosts
WHERE is_primary AND access = 'full_disallow'
ORDER BY url_host_name;
