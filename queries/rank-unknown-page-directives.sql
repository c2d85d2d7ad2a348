-- Which directives of pages are known to no crawler, on how many hosts?
--
-- Tables:  page_directives, pages
-- Caveats: The denominator is hosts with a page in the dataset. Unknown are names that neither
--          Google, Bing, Baidu nor a protocol on AI defines; a misspelled name is one. A name that
--          begins with neither a letter nor a digit does not count. A registered domain counts where
--          one of its hosts does.
-- Shape:   the 50 directives of most hosts: directive, hosts, share_of_hosts, domains, of_domains
--          (all with a page), share_of_domains, share_of_domains_low, share_of_domains_high (0 to
--          1), pages, statements, in_headers (statements), example_text; most hosts first
-- Chart:   bars label={directive} value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those with a page"
--          n="of_domains: registered domains with a page in the dataset"
WITH owners AS (
    SELECT url_host_name, any_value(coalesce(url_host_registered_domain, url_host_name)) AS domain
    FROM pages
    GROUP BY url_host_name
)
SELECT
    directive,
    count(DISTINCT url_host_name) AS hosts,
    share_of(count(DISTINCT url_host_name), (SELECT count(DISTINCT url_host_name) FROM pages)) AS share_of_hosts,
    count(DISTINCT domain) AS domains,
    (SELECT count(DISTINCT domain) FROM owners) AS of_domains,
    share_of(domains, (SELECT count(DISTINCT domain) FROM owners)) AS share_of_domains,
    wilson_low(domains, (SELECT count(DISTINCT domain) FROM owners)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(DISTINCT domain) FROM owners)) AS share_of_domains_high,
    count(DISTINCT page_id) AS pages,
    count(*) AS statements,
    count(*) FILTER (source = 'header') AS in_headers,
    left(min(directive_raw), 80) AS example_text
FROM page_directives
JOIN owners USING (url_host_name)
WHERE finding = 'unknown_directive' AND regexp_matches(directive, '^[\p{L}\p{N}]')
GROUP BY directive
ORDER BY hosts DESC, statements DESC, directive
LIMIT 50;
