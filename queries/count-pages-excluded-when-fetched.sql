-- How many archived pages did the robots.txt of their time exclude, and for how many is this
-- unknown?
--
-- Tables:  page_answers
-- Variables: agent (CCBot), before, dialect, html, pages
-- Caveats: Needs SET VARIABLE pages = 'FILE.csv' with the columns url and fetch_time (UTC), and a
--          dataset made with --urls and the same URLs (absolute). The denominator of share_excluded
--          is pages_answered: pages with a robots.txt of their time, or the first one after it
--          (answered_later). Pages without an answer are counted by reason: the URL is not in the
--          run's matrix or its origin not in the dataset (not_asked), the origin redirects and the
--          page's path is not in the matrix (not_asked_of_target), no fetch of the origin is an
--          answer (no_answer), the verdict is undefined (undefined). The variables are agent
--          (default: CCBot) and dialect (default: the dataset's reference).
-- Shape:   one row: agent, can_be_named (whether a user-agent line can name the agent in this
--          dialect), pages, pages_answered, answered_later, excluded, share_excluded (of
--          pages_answered, 0 to 1), not_asked, not_asked_of_target, no_answer, undefined
SELECT
    coalesce(getvariable('agent'), 'CCBot') AS agent,
    can_be_named(coalesce(getvariable('agent'), 'CCBot')) AS can_be_named,
    count(*) AS pages,
    count(*) FILTER (answer IN ('allow', 'disallow')) AS pages_answered,
    count(*) FILTER (answer IN ('allow', 'disallow') AND is_later) AS answered_later,
    count(*) FILTER (answer = 'disallow') AS excluded,
    share_of(excluded, pages_answered) AS share_excluded,
    count(*) FILTER (answer = 'not_asked') AS not_asked,
    count(*) FILTER (answer = 'not_asked_of_target') AS not_asked_of_target,
    count(*) FILTER (answer = 'no_answer') AS no_answer,
    count(*) FILTER (answer = 'undefined') AS undefined
FROM page_answers(getvariable('pages'), coalesce(getvariable('agent'), 'CCBot'));
