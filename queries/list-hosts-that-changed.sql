-- Question: Which hosts changed their robots.txt, between when and when, only in form or in what it means, and what became of an agent?
-- Tables:   policies, changes
-- Caveats:  Two answers of the same origin are compared that follow each other in time, in the dataset and, if the variable before is set, in that
--           one: the change happened after previous_fetch_time, and at fetch_time at the latest. Answers that say nothing (429, 5xx, a redirect to
--           what is not in the dataset) are passed over. Redirects are followed, so a change may be that of a target. The agent is the variable
--           agent, GPTBot unless it is set; the dialect of its restriction the variable dialect, the dataset's reference unless it is set.
-- Shape:    one row for each change: url_host_name, origin, change (form, meaning, appeared, gone, access), previous_fetch_time, fetch_time,
--           previous_crawl, crawl, previous_restriction, restriction (of the agent; NULL: not asked), previous_capture_id, capture_id (whose files
--           they are); by host, origin and time
WITH restrictions AS (
    SELECT dataset, capture_id, restriction
    FROM both_of('policies')
    WHERE dialect = asked_dialect() AND agent = coalesce(getvariable('agent'), 'GPTBot')
)
SELECT
    changes.url_host_name,
    changes.origin,
    changes.change,
    changes.previous_fetch_time,
    changes.fetch_time,
    changes.previous_crawl,
    changes.crawl,
    earlier.restriction AS previous_restriction,
    later.restriction,
    changes.previous_effective_capture_id AS previous_capture_id,
    changes.effective_capture_id AS capture_id
FROM changes
LEFT JOIN restrictions AS earlier
    ON earlier.dataset = changes.previous_dataset
    AND earlier.capture_id = changes.previous_effective_capture_id
LEFT JOIN restrictions AS later
    ON later.dataset = changes.dataset
    AND later.capture_id = changes.effective_capture_id
WHERE changes.change <> 'none'
ORDER BY changes.url_host_name, changes.origin, changes.fetch_time, changes.capture_id;
