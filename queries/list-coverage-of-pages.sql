-- Which responses were read as pages, and what of them is missing?
--
-- Tables:  pages, captures, archive_skips
-- Caveats: Responses of other paths than /robots.txt that are no hops of a redirect to or from one
--          are no captures: list-coverage counts them as skipped, those read as pages among them.
--          The others are of other media types and have no statement in their header.
-- Shape:   one row for each fact: section, item, n, whole (the denominator; NULL: none), unit
--          (NULL)
WITH page AS (
    SELECT
        count(*) AS pages,
        count(*) FILTER (is_html) AS html,
        count(*) FILTER (has_policy) AS with_policy,
        count(*) FILTER (is_header_cut) AS header_cut,
        count(*) FILTER (content_truncated IS NOT NULL) AS truncated,
        count(*) FILTER (has_attribute_too_long) AS attribute_too_long,
        count(*) FILTER (has_too_many_statements) AS too_many_statements,
        count(*) FILTER (is_nested_too_deep) AS nested_too_deep,
        count(*) FILTER (has_unknown_encoding) AS unknown_encoding
    FROM pages
),
other AS (
    SELECT count(*) AS pages
    FROM pages
    ANTI JOIN captures ON captures.capture_id = pages.page_id
),
skipped AS (
    SELECT coalesce(sum(records), 0)::BIGINT AS responses
    FROM archive_skips
    WHERE reason = 'not_robots_path'
),
facts AS (
    SELECT 1 AS place, 'Pages' AS section, 'responses read as pages' AS item, page.pages AS n, NULL::BIGINT AS whole FROM page
    UNION ALL SELECT 2, 'Pages', 'of other paths, counted as skipped: not robots path', other.pages, responses FROM other, skipped
    UNION ALL SELECT 3, 'Pages', 'captures too: a robots.txt redirects there', page.pages - other.pages, page.pages FROM page, other
    UNION ALL SELECT 4, 'Pages', 'HTML', html, pages FROM page
    UNION ALL SELECT 5, 'Pages', 'with a statement on the page as a whole', with_policy, pages FROM page
    UNION ALL SELECT 6, 'Pages with something missing', 'header longer than is read', header_cut, pages FROM page
    UNION ALL SELECT 7, 'Pages with something missing', 'body cut', truncated, pages FROM page
    UNION ALL SELECT 8, 'Pages with something missing', 'attribute longer than is recorded', attribute_too_long, pages FROM page
    UNION ALL SELECT 9, 'Pages with something missing', 'more statements than are recorded', too_many_statements, pages FROM page
    UNION ALL SELECT 10, 'Pages with something missing', 'elements nested deeper than is recorded', nested_too_deep, pages FROM page
    UNION ALL SELECT 11, 'Pages with something missing', 'encoding unknown, another one assumed', unknown_encoding, pages FROM page
)
SELECT section, item, n, whole, NULL AS unit
FROM facts
ORDER BY place;
