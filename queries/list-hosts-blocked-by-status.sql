-- Question: Which hosts are closed to crawlers by the status of the answer and not by a rule?
-- Tables:   hosts
-- Caveats:  What a status means is the reference dialect's answer (google: 429 and 5xx close everything); other crawlers differ. A host is listed only if
--           no fetch of it in the dataset got an answer: a file read once still holds while the server is down.
-- Shape:    one row for each host: url_host_name, origin, fetch_status (NULL: no HTTP), end_status (behind redirects), fetch_time, capture_id; by host
SELECT url_host_name, origin, fetch_status, end_status, fetch_time, capture_id
FROM hosts
WHERE is_primary AND access = 'full_disallow'
ORDER BY url_host_name;
