-- Which archived pages did the robots.txt of their time exclude?
--
-- Tables:  page_answers
-- Variables: agent (CCBot), before, dialect, html, pages
-- Caveats: Needs SET VARIABLE pages = 'FILE.csv' with the columns url and fetch_time (UTC), and a
--          dataset made with --urls and the same URLs (absolute), so that each is in the matrix of
--          its own origin. What counts is the latest answer of the origin at or before the page's
--          fetch; where there is none, the first one after it (is_later). An origin that redirects
--          answers for a page if the page's path is in the matrix too (--urls, /path). The
--          denominator, and the pages without an answer, are counted by
--          count-pages-excluded-when-fetched.sql. The variables are agent (default: CCBot) and
--          dialect (default: the dataset's reference).
-- Shape:   one row for each page: url, fetch_time, robots_fetch_time, is_later, basis, rule_line,
--          capture_id; by url and time
SELECT url, fetch_time, robots_fetch_time, is_later, basis, rule_line, capture_id
FROM page_answers(getvariable('pages'), coalesce(getvariable('agent'), 'CCBot'))
WHERE answer = 'disallow'
ORDER BY url, fetch_time;
