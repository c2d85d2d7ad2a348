-- Do http and https, and www and the bare domain, serve different rules?
--
-- Tables:  hosts, captures
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is pairs of which both files were read (has_robots_txt), redirects
--          followed: where one redirects to the other they are the same file. The two may have been
--          fetched far apart in time where archives name no crawl. The usual ports only. "www"
--          pairs are of origins of one scheme, example.com and www.example.com.
-- Shape:   one row for each kind of pair: pair (http and https, bare and www), pairs, same_bytes,
--          same_meaning (other bytes), different, share_different (0 to 1)
-- Chart:   bars label={pair} value="the same bytes: same_bytes/pairs"
--          value="the same meaning: same_meaning/pairs" value="different rules: different/pairs"
--          of=pairs each=pairs n="sum of pairs: pairs of files"
WITH read AS (
    SELECT
        hosts.url_host_name,
        hosts.url_protocol,
        hosts.url_host_registered_domain AS domain,
        captures.content_digest AS bytes,
        captures.semantic_digest AS meaning
    FROM hosts
    JOIN captures USING (capture_id)
    WHERE hosts.has_robots_txt AND is_usual_port(hosts.url_protocol, hosts.url_port)
),
compared AS (
    SELECT 'http and https' AS pair, one.bytes = two.bytes AS is_same_bytes, one.meaning = two.meaning AS is_same_meaning
    FROM read AS one
    JOIN read AS two USING (url_host_name)
    WHERE one.url_protocol = 'http' AND two.url_protocol = 'https'
    UNION ALL
    SELECT 'bare and www', one.bytes = two.bytes, one.meaning = two.meaning
    FROM read AS one
    JOIN read AS two ON two.url_host_name = 'www.' || one.url_host_name AND two.url_protocol = one.url_protocol
    WHERE one.url_host_name = one.domain
)
SELECT
    pair,
    count(*) AS pairs,
    count(*) FILTER (is_same_bytes) AS same_bytes,
    count(*) FILTER (NOT is_same_bytes AND is_same_meaning) AS same_meaning,
    count(*) FILTER (NOT is_same_meaning) AS different,
    share_of(different, pairs) AS share_different
FROM compared
GROUP BY pair
ORDER BY pair;
