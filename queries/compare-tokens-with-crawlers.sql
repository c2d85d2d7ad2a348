-- How many hosts shut out a product token that only controls how pages are used (Google-Extended),
-- and let in the crawler that fetches them (Googlebot)?
--
-- Tables:  policy_sets, host_files
-- Variables: crawl, dialect, html, ranks, stratum
-- Caveats: Google-Extended and Applebot-Extended are names in robots.txt without a crawler of their
--          own: Googlebot and Applebot fetch the pages, and the token controls whether models are
--          trained on them. A host that names the token and shuts out it alone opts out of the use
--          (only_token_named); the rest of only_token shut out the group of * and let the crawler
--          in. A host that shuts out the crawler too leaves the search engine. A token without a
--          group of its own is treated by the group of *, not as its crawler; Applebot without a
--          group follows that of Googlebot, which requires the chain "Applebot,Googlebot" in the
--          agents of the run. The denominator is hosts that have a robots.txt (has_robots_txt),
--          redirects followed. Shut out means restriction full in the variable dialect (default:
--          the dataset's reference). Pairs that are not both in the matrix are left out. A
--          registered domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   one row for each pair: token, crawler, hosts_read, naming_token, naming_crawler,
--          only_token, only_token_named, only_crawler, both_shut_out, neither (hosts),
--          share_only_token (0 to 1), domains_read, domains_only_token,
--          share_of_domains_only_token, share_of_domains_only_token_low,
--          share_of_domains_only_token_high (0 to 1)
-- Chart:   bars label="{token}, {crawler}" axis="token shut out, crawler let in"
--          value="registered domains: share_of_domains_only_token (domains_only_token)"
--          value="hosts: share_only_token (only_token)" of="those that have a robots.txt"
WITH pairs AS (
    FROM (VALUES
        ('Google-Extended', 'Googlebot'),
        ('Applebot-Extended', 'Applebot')
    ) AS pairs (token, crawler)
),
-- Both rows of a pair are joined by vector, of which there are fewer than hosts.
stated AS MATERIALIZED (
    SELECT
        pairs.token,
        pairs.crawler,
        tokens.policy_set_id,
        tokens.group_kind = 'named' AS names_token,
        crawlers.group_kind = 'named' AS names_crawler,
        tokens.restriction = 'full' AS shuts_out_token,
        crawlers.restriction = 'full' AS shuts_out_crawler
    FROM pairs
    JOIN policy_sets AS tokens ON tokens.agent = pairs.token
    JOIN policy_sets AS crawlers
        ON crawlers.agent = pairs.crawler
        AND crawlers.policy_set_id = tokens.policy_set_id
        AND crawlers.dialect = tokens.dialect
    WHERE tokens.dialect = asked_dialect() AND tokens.group_kind <> 'access'
),
read AS (
    SELECT policy_set_id, is_primary_of_domain
    FROM host_files
    WHERE dialect = asked_dialect() AND is_robots_txt
)
SELECT
    token,
    crawler,
    count(*) AS hosts_read,
    count(*) FILTER (names_token) AS naming_token,
    count(*) FILTER (names_crawler) AS naming_crawler,
    count(*) FILTER (shuts_out_token AND NOT shuts_out_crawler) AS only_token,
    count(*) FILTER (shuts_out_token AND NOT shuts_out_crawler AND names_token) AS only_token_named,
    count(*) FILTER (NOT shuts_out_token AND shuts_out_crawler) AS only_crawler,
    count(*) FILTER (shuts_out_token AND shuts_out_crawler) AS both_shut_out,
    count(*) FILTER (NOT shuts_out_token AND NOT shuts_out_crawler) AS neither,
    share_of(only_token, hosts_read) AS share_only_token,
    count(*) FILTER (is_primary_of_domain) AS domains_read,
    count(*) FILTER (is_primary_of_domain AND shuts_out_token AND NOT shuts_out_crawler) AS domains_only_token,
    share_of(domains_only_token, domains_read) AS share_of_domains_only_token,
    wilson_low(domains_only_token, domains_read) AS share_of_domains_only_token_low,
    wilson_high(domains_only_token, domains_read) AS share_of_domains_only_token_high
FROM read
JOIN stated USING (policy_set_id)
GROUP BY token, crawler
ORDER BY token;
