-- Which sensitive paths (/admin, /login, /backup, ..) do hosts reveal by disallowing them?
--
-- Tables:  rules, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed. A
--          word counts where it is a whole segment of the path, apart from case, a file extension,
--          * and $, in any group: /cgi-bin/admin.php has cgi-bin and admin, /administer neither. A
--          path in a file need not exist, nor be open. A registered domain counts once, by one of
--          its host names (see domains in views.sql).
-- Shape:   one row for each word: word, hosts, share_of_hosts, domains, share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), patterns (different ones),
--          example_pattern; most domains first
-- Chart:   bars label={word} axis=word value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
),
words AS (
    SELECT unnest([
        'wp-admin', 'admin', 'administrator', 'login', 'signin', 'auth', 'account', 'user', 'private', 'secret', 'secure', 'confidential', 'internal',
        'intranet', 'backup', 'config', 'database', 'db', 'sql', 'dump', 'log', 'logs', 'api', 'staging', 'dev', 'test', 'tmp', 'upload', '.git', '.env',
        '.htaccess', '.svn', 'phpmyadmin', 'cgi-bin'
    ]) AS word
),
-- Each pattern is split into segments once, however many files have it.
patterns AS (
    SELECT DISTINCT pattern
    FROM rules
    WHERE rule_kind = 'disallow'
),
segments AS (
    SELECT pattern, unnest(string_split(regexp_replace(lower(pattern), '[?#].*|[*$]', '', 'g'), '/')) AS segment
    FROM patterns
),
found AS (
    SELECT DISTINCT pattern, word
    FROM (
        SELECT pattern, segment AS word FROM segments
        UNION ALL
        SELECT pattern, regexp_replace(segment, '([^.])\.[a-z0-9]{1,5}$', '\1') FROM segments
    )
    SEMI JOIN words USING (word)
)
SELECT
    found.word,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(DISTINCT found.pattern) AS patterns,
    min(found.pattern) AS example_pattern
FROM read
JOIN rules USING (capture_id)
JOIN found USING (pattern)
WHERE rules.rule_kind = 'disallow'
GROUP BY found.word
ORDER BY domains DESC, hosts DESC, found.word;
