-- Question: Which paths that had better not be advertised (/admin, /login, /backup, ..) do hosts tell the world by disallowing them?
-- Tables:   rules, hosts
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. A word counts where it begins a segment of the path,
--           in any group; that it stands there does not say that the page exists, nor that it is open.
-- Shape:    one row for each word: word, hosts, share_of_hosts (0 to 1), patterns (different ones), example_pattern; most hosts first
WITH read AS (
    SELECT url_host_name, effective_capture_id AS capture_id
    FROM hosts
    WHERE is_primary AND access = 'conditional'
),
found AS (
    SELECT
        read.url_host_name,
        rules.pattern,
        regexp_extract(
            lower(rules.pattern),
            '/(wp-admin|admin|administrator|login|signin|auth|account|user|private|secret|secure|confidential|internal|intranet|backup|config|database|db|sql|dump|logs?|api|staging|dev|test|tmp|upload|\.git|\.env|\.htaccess|\.svn|phpmyadmin|cgi-bin)',
            1
        ) AS word
    FROM read
    JOIN rules USING (capture_id)
    WHERE rules.rule_kind = 'disallow'
)
SELECT
    word,
    count(DISTINCT url_host_name) AS hosts,
    round(count(DISTINCT url_host_name) / (SELECT count(*) FROM read), 4) AS share_of_hosts,
    count(DISTINCT pattern) AS patterns,
    min(pattern) AS example_pattern
FROM found
WHERE word <> ''
GROUP BY word
ORDER BY hosts DESC, word;
