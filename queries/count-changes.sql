-- Question: Of the robots.txt files fetched again, how many changed, only in form or in what they mean, and for an agent to the worse or the better?
-- Tables:   policies, changes
-- Caveats:  The denominator is pairs of answers of the same origin that follow each other in time, in the dataset and, if the variable before is set, in
--           that one; an origin fetched five times is four pairs. Form means that every agent of the reference dialect gets the same verdict for every
--           URL: comments, order, rules that never decide. Meaning means that this is not proven: a few of these pairs may agree all the same. The
--           agent is the variable agent, GPTBot unless it is set; tighter and looser compare its restriction (none, partial, full) in the variable
--           dialect, the dataset's reference unless it is set.
-- Shape:    one row for each change: change (none, form, meaning, appeared, gone, access), pairs, share_of_pairs (0 to 1), hosts, tighter, looser
WITH restrictions AS (
    SELECT
        dataset,
        capture_id,
        list_position(['none', 'partial', 'full'], restriction) AS degree
    FROM both_of('policies')
    WHERE dialect = asked_dialect() AND agent = coalesce(getvariable('agent'), 'GPTBot')
),
-- Where redirects end nowhere no capture has a policy: what the fetch decides is one.
degrees AS (
    SELECT
        changes.*,
        coalesce(earlier.degree, list_position(['full_allow', '', 'full_disallow'], previous_access)) AS previous_degree,
        coalesce(later.degree, list_position(['full_allow', '', 'full_disallow'], access)) AS degree
    FROM changes
    LEFT JOIN restrictions AS earlier
        ON earlier.dataset = changes.previous_dataset
        AND earlier.capture_id = changes.previous_effective_capture_id
    LEFT JOIN restrictions AS later
        ON later.dataset = changes.dataset
        AND later.capture_id = changes.effective_capture_id
)
SELECT
    change,
    count(*) AS pairs,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_pairs,
    count(DISTINCT url_host_name) AS hosts,
    count(*) FILTER (degree > previous_degree) AS tighter,
    count(*) FILTER (degree < previous_degree) AS looser
FROM degrees
GROUP BY change
ORDER BY pairs DESC, change;
