-- For each change of answers the hosts and the cells with a flip of which it is a part, and of its causes whose case
-- is as small as it can be the one of most hosts.
-- Flips that no change explains are together.
WITH parts AS (
    SELECT DISTINCT cause_id, regexp_replace(part, '^unexplained:.*', 'unexplained') AS change
    FROM (SELECT cause_id, unnest(string_split(changes, ' ')) AS part FROM causes)
),
counted AS (
    SELECT change, count(DISTINCT url_host_name) AS flipping_hosts, count(*) AS flipping_cells, count(DISTINCT cause_id) AS n_causes
    FROM flips JOIN parts USING (cause_id)
    GROUP BY change
)
SELECT counted.*, causes.*
FROM counted JOIN parts USING (change) JOIN causes USING (cause_id)
QUALIFY row_number() OVER (PARTITION BY change ORDER BY is_minimal DESC, hosts DESC, cells DESC, cause_id) = 1
ORDER BY flipping_hosts DESC, change;
