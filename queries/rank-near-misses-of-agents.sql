-- Which names in user-agent lines are probably typing mistakes for a known agent?
--
-- Tables:  agents, matrix_agents, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: Known agents are those of the run's matrix: a longer list finds more. A near miss is a
--          name of five letters or more, without its version, that is one or two edits (insertion,
--          deletion, replacement, swap) from a known one, and less than a third of its length, and
--          that the reference dialect does not take for the known one anyway (google cuts
--          Googlebot* to googlebot); a crawler of that name may exist. The denominator is hosts
--          that have a robots.txt, redirects followed.
-- Shape:   one row for each name: written, meant (the nearest agent), edits, hosts, domains
--          (registered), lines, example_host; most hosts first
-- Chart:   bars label="{written} → {meant}" axis="written → meant"
--          value="registered domains: domains" value="hosts: hosts" count="those that write it"
WITH known AS (
    SELECT DISTINCT agent
    FROM matrix_agents
    WHERE agent <> '*'
),
written AS (
    SELECT
        regexp_extract(agents.agent_raw, '^[^\s/(;,]+') AS written,
        count(DISTINCT hosts.url_host_name) AS hosts,
        count(DISTINCT hosts.domain) AS domains,
        count(*) AS lines,
        min(hosts.url_host_name) AS example_host
    FROM hosts
    JOIN agents USING (capture_id)
    WHERE hosts.is_primary
        AND NOT agents.is_wildcard
        AND agents.agent_token NOT IN (SELECT agent FROM known)
    GROUP BY written
),
near AS (
    SELECT
        written.*,
        known.agent AS meant,
        damerau_levenshtein(lower(written.written), lower(known.agent)) AS edits
    FROM written
    JOIN known ON length(written.written) >= 5 AND abs(length(written.written) - length(known.agent)) <= 2
    WHERE lower(written.written) NOT IN (SELECT lower(agent) FROM known)
)
SELECT written, meant, edits, hosts, domains, lines, example_host
FROM near
WHERE edits <= 2 AND edits * 3 < length(written)
QUALIFY row_number() OVER (PARTITION BY written ORDER BY edits, meant) = 1
ORDER BY hosts DESC, written;
