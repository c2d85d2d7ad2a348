-- Which directives of pages are known to no crawler, on how many hosts?
--
-- Tables:  page_directives, pages
-- Caveats: The denominator is hosts with a page in the dataset. Unknown are names that neither
--          Google, Bing, Baidu nor a protocol on AI defines; a misspelled name is one. A name that
--          begins with neither a letter nor a digit does not count.
-- Shape:   the 50 directives of most hosts: directive, hosts, share_of_hosts (0 to 1), pages,
--          statements, in_headers (statements), example_text; most hosts first
SELECT
    directive,
    count(DISTINCT url_host_name) AS hosts,
    share_of(count(DISTINCT url_host_name), (SELECT count(DISTINCT url_host_name) FROM pages)) AS share_of_hosts,
    count(DISTINCT page_id) AS pages,
    count(*) AS statements,
    count(*) FILTER (source = 'header') AS in_headers,
    left(min(directive_raw), 80) AS example_text
FROM page_directives
WHERE finding = 'unknown_directive' AND regexp_matches(directive, '^[\p{L}\p{N}]')
GROUP BY directive
ORDER BY hosts DESC, statements DESC, directive
LIMIT 50;
