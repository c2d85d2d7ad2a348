-- Where does a domain have a robots.txt: at http, https, www, the bare domain, and which of them
-- were not fetched?
--
-- Tables:  hosts, captures
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is registered domains of which at least one of the four origins (http
--          and https, bare and www, usual ports) was fetched; other hosts of a domain are ignored.
--          file: a robots.txt was read there, redirects followed, possibly that of another of the
--          four; none: there was an answer, but no file (4xx, 5xx, redirects that end nowhere); not
--          fetched: unknown, which is no property of the site.
-- Shape:   one row for each combination: http_bare, https_bare, http_www, https_www (each file,
--          none or not fetched), domains, share_of_domains, share_of_domains_low,
--          share_of_domains_high (0 to 1), same_meaning (of domains with several files, those whose
--          files mean the same), example; most domains first
-- Chart:   bars label="{http_bare}, {https_bare}, {http_www}, {https_www}"
--          axis="http, https, http www, https www"
--          value="registered domains: share_of_domains (domains)" of="registered domains"
--          n="sum of domains: registered domains"
WITH origins AS (
    SELECT
        hosts.domain,
        hosts.url_protocol || if(hosts.url_host_name = hosts.domain, '_bare', '_www') AS place,
        hosts.has_robots_txt AS is_read,
        captures.semantic_digest
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE is_usual_port(hosts.url_protocol, hosts.url_port) AND hosts.url_host_name IN (hosts.domain, 'www.' || hosts.domain)
),
by_domain AS (
    SELECT
        domain,
        any_value(if(is_read, 'file', 'none')) FILTER (place = 'http_bare') AS http_bare,
        any_value(if(is_read, 'file', 'none')) FILTER (place = 'https_bare') AS https_bare,
        any_value(if(is_read, 'file', 'none')) FILTER (place = 'http_www') AS http_www,
        any_value(if(is_read, 'file', 'none')) FILTER (place = 'https_www') AS https_www,
        count(*) FILTER (is_read) > 1 AND count(DISTINCT semantic_digest) FILTER (is_read) = 1 AS is_same_meaning
    FROM origins
    GROUP BY domain
)
SELECT
    coalesce(http_bare, 'not fetched') AS http_bare,
    coalesce(https_bare, 'not fetched') AS https_bare,
    coalesce(http_www, 'not fetched') AS http_www,
    coalesce(https_www, 'not fetched') AS https_www,
    count(*) AS domains,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_domains,
    wilson_low(count(*), sum(count(*)) OVER ()) AS share_of_domains_low,
    wilson_high(count(*), sum(count(*)) OVER ()) AS share_of_domains_high,
    count(*) FILTER (is_same_meaning) AS same_meaning,
    min(domain) AS example
FROM by_domain
GROUP BY by_domain.http_bare, by_domain.https_bare, by_domain.http_www, by_domain.https_www
ORDER BY domains DESC, http_bare, https_bare, http_www, https_www;
