-- How many captures, of how many hosts, have each status code, and what does it mean to a crawler?
--
-- Tables:  captures
-- Caveats: The denominator is captures, not hosts: a host is usually fetched several times (http
--          and https, www, repeated fetches, hops of redirects), so the hosts of the rows add up to
--          more than there are. A status is NULL where the response has no readable status line.
-- Shape:   one row for each status and access: fetch_status, access, captures, share_of_captures (0
--          to 1), hosts; most captures first
-- Chart:   bars label="{fetch_status}, {access}" axis="status, meaning" null="no HTTP"
--          value="captures: share_of_captures (captures)" of=captures n="sum of captures: captures"
SELECT
    fetch_status,
    access,
    count(*) AS captures,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_captures,
    count(DISTINCT url_host_name) AS hosts
FROM captures
GROUP BY ALL
ORDER BY captures DESC, fetch_status, access;
