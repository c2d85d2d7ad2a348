-- What share of links is marked nofollow, ugc or sponsored, by top-level domain?
--
-- Tables:  pages
-- Caveats: Links are a and area elements with href, and a, area and form elements whose rel has one
--          of the three, in HTML pages by their first bytes. All links of a page count, also where
--          its statements are more than are recorded. A link may have several marks. A host with
--          many pages weighs as many times; a nofollow on the page as a whole is not counted here.
-- Shape:   one row for each top-level domain, and one for all (url_host_tld is NULL, is_total is
--          true): url_host_tld, is_total, hosts, pages, links, nofollow_links, share_nofollow,
--          ugc_links, share_ugc, sponsored_links, share_sponsored (of links, 0 to 1),
--          pages_with_nofollow, share_of_pages (with a nofollow link, 0 to 1); all first, then most
--          links first
-- Chart:   bars label="{url_host_tld}{is_total?all:}" axis="top-level domain" null=(address)
--          value="nofollow: share_nofollow (nofollow_links)" value="ugc: share_ugc (ugc_links)"
--          value="sponsored: share_sponsored (sponsored_links)" of=links each=links
--          n="links: links" hosts=hosts
SELECT
    url_host_tld,
    grouping(url_host_tld) = 1 AS is_total,
    count(DISTINCT url_host_name) AS hosts,
    count(*) AS pages,
    sum(link_count)::BIGINT AS links,
    sum(nofollow_link_count)::BIGINT AS nofollow_links,
    share_of(sum(nofollow_link_count)::BIGINT, sum(link_count)::BIGINT) AS share_nofollow,
    sum(ugc_link_count)::BIGINT AS ugc_links,
    share_of(sum(ugc_link_count)::BIGINT, sum(link_count)::BIGINT) AS share_ugc,
    sum(sponsored_link_count)::BIGINT AS sponsored_links,
    share_of(sum(sponsored_link_count)::BIGINT, sum(link_count)::BIGINT) AS share_sponsored,
    count(*) FILTER (nofollow_link_count > 0) AS pages_with_nofollow,
    share_of(count(*) FILTER (nofollow_link_count > 0), count(*)) AS share_of_pages
FROM pages
WHERE is_html
GROUP BY GROUPING SETS ((), (url_host_tld))
ORDER BY is_total DESC, sum(link_count) DESC, url_host_tld;
