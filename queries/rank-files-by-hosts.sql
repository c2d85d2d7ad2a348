-- Question: How many different robots.txt files are there, and which cover the most hosts?
-- Tables:   hosts, templates
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed. Files that mean the same to the reference
--           dialect count as one, whatever their sitemaps and comments; the meaning "nothing is disallowed" is usually the most frequent.
-- Shape:    the 25 meanings that most hosts share: end_semantic_digest, hosts, share_of_hosts (0 to 1), different_bytes (files), different_meanings (in
--           all, the same in every row), template (names, NULL: none is recognized), example (one host); most hosts first
WITH read AS (
    SELECT url_host_name, effective_capture_id AS capture_id, end_content_digest, end_semantic_digest
    FROM hosts
    WHERE is_primary AND access = 'conditional'
),
most AS (
    SELECT
        end_semantic_digest,
        count(*) AS hosts,
        round(count(*) / (SELECT count(*) FROM read), 4) AS share_of_hosts,
        count(DISTINCT end_content_digest) AS different_bytes,
        (SELECT count(DISTINCT end_semantic_digest) FROM read) AS different_meanings,
        min(url_host_name) AS example
    FROM read
    GROUP BY end_semantic_digest
    ORDER BY hosts DESC, end_semantic_digest
    LIMIT 25
),
names AS (
    SELECT end_semantic_digest, string_agg(DISTINCT template, ', ' ORDER BY template) AS template
    FROM read
    SEMI JOIN most USING (end_semantic_digest)
    JOIN templates USING (capture_id)
    GROUP BY end_semantic_digest
)
SELECT end_semantic_digest, hosts, share_of_hosts, different_bytes, different_meanings, template, example
FROM most
LEFT JOIN names USING (end_semantic_digest)
ORDER BY hosts DESC, end_semantic_digest;
