-- Question: Which hosts shut out GPTBot and let Googlebot in, and which line says so?
-- Tables:   verdicts
-- Caveats:  The probe is the path / under the reference dialect google; a host that lets Googlebot fetch only some other path is not listed. Hosts
--           that answer with an error are not listed either: there the status decides for both alike. A host is listed once for each capture.
-- Shape:    one row for each capture: url_host_name, capture_id, rule_line (of the rule that shuts GPTBot out); by host
SELECT
    gptbot.url_host_name,
    gptbot.capture_id,
    gptbot.rule_line
FROM read_parquet(getvariable('data') || '/verdicts/**/*.parquet', hive_partitioning = true) AS gptbot
JOIN read_parquet(getvariable('data') || '/verdicts/**/*.parquet', hive_partitioning = true) AS googlebot
    USING (capture_id, dialect, url)
WHERE dialect = 'google'
    AND url = '/'
    AND gptbot.agent = 'GPTBot'
    AND gptbot.verdict = 'disallow'
    AND googlebot.agent = 'Googlebot'
    AND googlebot.verdict = 'allow'
ORDER BY gptbot.url_host_name, gptbot.capture_id;
