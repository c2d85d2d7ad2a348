-- How many pages state which directive, and where?
--
-- Tables:  page_directives, pages
-- Caveats: The denominator is all pages of the dataset: HTML by its first bytes, and responses of
--          other types with a statement in their header. A statement on a single link or element
--          (source link and attribute) counts for its page. for_all is false where the statement
--          names a crawler. Of a page with more statements than are recorded
--          (pages.has_too_many_statements) the first 1,000 of each kind count.
-- Shape:   one row for each directive, place and source: directive, source, place, for_all,
--          parse_ok, pages, share_of_pages (0 to 1), of_pages (all pages), hosts,
--          statements; most pages first
-- Chart:   bars
--          label="{directive}, {source}, {place}{for_all?:, for one crawler}{parse_ok?: (not
--          parsed)}" axis="directive, where it is" value="pages: share_of_pages (pages)" of=pages
--          n="of_pages: pages" hosts=hosts
SELECT
    directive,
    source,
    place,
    agent_token = '*' AS for_all,
    parse_ok,
    count(DISTINCT page_id) AS pages,
    share_of(count(DISTINCT page_id), (SELECT count(*) FROM pages)) AS share_of_pages,
    (SELECT count(*) FROM pages) AS of_pages,
    count(DISTINCT url_host_name) AS hosts,
    count(*) AS statements
FROM page_directives
GROUP BY directive, source, place, for_all, parse_ok
ORDER BY count(DISTINCT page_id) DESC, directive, source, place, for_all DESC, parse_ok DESC;
