-- Which hosts state noindex on pages that robots.txt forbids to fetch, so that it is never read?
--
-- Tables:  page_policies, pages
-- Variables: agent (Googlebot)
-- Caveats: The agent is the variable agent (default: Googlebot), by Google's interpretation of
--          pages. The robots.txt is that of the page's origin that was fetched nearest in time,
--          redirects followed; pages of origins without one in the dataset are not counted. A page
--          that is forbidden may still be listed by its URL alone. The archive has the page,
--          because its crawler was another one, or robots.txt changed in between
--          (page_policies.seconds_apart).
-- Shape:   one row for each host: url_host_name, unread_pages, noindex_pages (pages with noindex and
--          a known robots.txt), share_unread (of noindex_pages, 0 to 1), robots_capture_id,
--          robots_line (of the first such page), example_url; most unread pages first
WITH noindex AS (
    SELECT page_id, url_host_name, robots_verdict, robots_capture_id, robots_line
    FROM page_policies
    WHERE dialect = 'google'
        AND agent = coalesce(getvariable('agent'), 'Googlebot')
        AND directive = 'may_index'
        AND value = 'false'
        AND robots_verdict IS NOT NULL
)
SELECT
    noindex.url_host_name,
    count(*) FILTER (robots_verdict = 'disallow') AS unread_pages,
    count(*) AS noindex_pages,
    share_of(count(*) FILTER (robots_verdict = 'disallow'), count(*)) AS share_unread,
    first(robots_capture_id ORDER BY page_id) FILTER (robots_verdict = 'disallow') AS robots_capture_id,
    first(robots_line ORDER BY page_id) FILTER (robots_verdict = 'disallow') AS robots_line,
    first(pages.url ORDER BY page_id) FILTER (robots_verdict = 'disallow') AS example_url
FROM noindex
JOIN pages USING (page_id)
GROUP BY noindex.url_host_name
HAVING unread_pages > 0
ORDER BY unread_pages DESC, noindex.url_host_name;
