SELECT
    count(rank) AS listed,
    count(*) FILTER (domain NOT IN (
        SELECT coalesce(url_host_registered_domain, url_host_name)
        FROM captures
        WHERE url_host_name IS NOT NULL
    )) AS absent
FROM ranked_domains(getvariable('ranks'));
