-- Which pages state one thing in the header and the opposite in an element?
--
-- Tables:  page_directives, pages
-- Caveats: Compared are index and noindex, follow and nofollow, archive and noarchive (nocache), for
--          the same name of a crawler or for all; all and none count as index, follow and noindex,
--          nofollow. To Google the more restrictive of the two holds. Statements for all and for
--          one crawler do not contradict each other. Single links are not compared.
-- Shape:   one row for each page, crawler and aspect: url_host_name, url, agent_token, aspect
--          (index, follow, archive), header_directive, element_directive, place (of the element); by
--          host and URL
WITH stated AS (
    SELECT
        page_id,
        source,
        place,
        agent_token,
        directive,
        unnest(CASE
            WHEN directive IN ('all', 'none') THEN ['index', 'follow']
            WHEN directive IN ('index', 'noindex') THEN ['index']
            WHEN directive IN ('follow', 'nofollow') THEN ['follow']
            ELSE ['archive']
        END) AS aspect,
        directive IN ('all', 'index', 'follow', 'archive') AS permits
    FROM page_directives
    WHERE parse_ok
        AND source IN ('header', 'meta')
        AND directive IN ('all', 'none', 'index', 'noindex', 'follow', 'nofollow', 'archive', 'noarchive', 'nocache')
)
SELECT DISTINCT
    pages.url_host_name,
    pages.url,
    header.agent_token,
    header.aspect,
    header.directive AS header_directive,
    element.directive AS element_directive,
    element.place
FROM stated AS header
JOIN stated AS element
    ON element.page_id = header.page_id
    AND element.agent_token = header.agent_token
    AND element.aspect = header.aspect
    AND element.permits <> header.permits
JOIN pages ON pages.page_id = header.page_id
WHERE header.source = 'header' AND element.source = 'meta'
ORDER BY ALL;
