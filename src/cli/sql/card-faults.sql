SELECT code, count(*) AS n, count(DISTINCT warc_filename) AS archives
FROM archive_errors
GROUP BY code
ORDER BY n DESC, code;
