-- How many members of the cohort did each crawl ask, how many answered, and how many have a
-- robots.txt?
--
-- Tables:  archives, hosts_of_members, listed_members
-- Variables: before, cohort, crawl, html, ranks, stratum
-- Caveats: The cohort is that of the dataset (run --cohort), or the host names and registered
--          domains on the lines of a file (--set cohort=FILE), of which a domain stands for all its
--          hosts and the one that says most counts; without either, all host names of the dataset.
--          A crawl is a row if an archive of it was read, also if it asked no member. Each member
--          is in one of robots_txt, other_file (another answer with 2xx: a page of HTML, or no line
--          with a known field), no_file (4xx but 429, or redirects in a loop, too many or not
--          followable), no_answer (429, 5xx, no readable answer, or a target that was not captured)
--          and not_asked, so that these add up to members. If the variable before is set, crawls of
--          both datasets are rows, one that both have once. list-hosts-without-robots-txt names
--          those that never had one.
-- Shape:   one row for each crawl: dataset (before, data), crawl, members, asked, answered,
--          robots_txt, other_file, no_file, no_answer, not_asked; by crawl
WITH fetched AS (
    FROM hosts_of_members(getvariable('cohort'))
),
members AS (
    FROM listed_members(getvariable('cohort'))
    UNION
    SELECT member
    FROM fetched
),
whole AS (
    SELECT count(*) AS members
    FROM members
),
crawls AS (
    SELECT DISTINCT dataset, crawl
    FROM both_of('archives')
    WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl')
    -- A crawl that both datasets have is one row.
    QUALIFY crawl IS NULL OR dataset = max(dataset) OVER (PARTITION BY crawl)
),
asked AS (
    SELECT
        dataset,
        crawl,
        member,
        CASE
            WHEN bool_or(has_robots_txt) THEN 'robots_txt'
            WHEN bool_or(access = 'conditional') THEN 'other_file'
            WHEN bool_or(determines(redirect_outcome, end_status)) THEN 'no_file'
            ELSE 'no_answer'
        END AS answer
    FROM fetched
    GROUP BY dataset, crawl, member
)
SELECT
    crawls.dataset,
    crawls.crawl,
    any_value(whole.members) AS members,
    count(member) AS asked,
    count(member) FILTER (answer <> 'no_answer') AS answered,
    count(member) FILTER (answer = 'robots_txt') AS robots_txt,
    count(member) FILTER (answer = 'other_file') AS other_file,
    count(member) FILTER (answer = 'no_file') AS no_file,
    count(member) FILTER (answer = 'no_answer') AS no_answer,
    any_value(whole.members) - count(member) AS not_asked
FROM crawls
CROSS JOIN whole
LEFT JOIN asked ON asked.dataset = crawls.dataset AND asked.crawl IS NOT DISTINCT FROM crawls.crawl
GROUP BY crawls.dataset, crawls.crawl
ORDER BY crawls.crawl, crawls.dataset;
