-- Question: How many hosts restrict an agent by the exact definitions of earlier studies, side by side with ours?
-- Tables:   host_policies
-- Caveats:  The denominator is hosts whose file was read (access is conditional), redirects followed; the studies themselves differ in their
--           denominators as well. The agent is the variable agent, GPTBot unless it is set. The classes of a definition exclude each other.
-- Shape:    one row for each definition and class: definition (restriction, class_dpi, class_cc, class_probe), class, hosts, share_of_hosts (0 to 1)
WITH classes AS (
    SELECT restriction, class_dpi, class_cc, class_probe
    FROM host_policies
    WHERE access = 'conditional' AND agent = coalesce(getvariable('agent'), 'GPTBot')
)
SELECT
    definition,
    class,
    count(*) AS hosts,
    round(count(*) / (SELECT count(*) FROM classes), 4) AS share_of_hosts
FROM classes
UNPIVOT (class FOR definition IN (restriction, class_dpi, class_cc, class_probe))
GROUP BY definition, class
ORDER BY definition, hosts DESC, class;
