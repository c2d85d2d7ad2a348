-- Question: Where do the redirects of robots.txt end: after how many hops, on another host, in a loop, at what status?
-- Tables:   fetches
-- Caveats:  The denominator is fetches of a robots.txt that answered with 3xx, not hosts; hops in the middle of a chain are counted only if they are a
--           robots.txt themselves. Where the target is not in the dataset nothing is known of it: an archive may hold the first hop only.
-- Shape:    one row for each outcome, number of hops and status: redirect_outcome (resolved, not_in_corpus, loop, too_many_hops, not_followable),
--           redirect_hops, end_status (NULL: none), fetches, share_of_redirects (0 to 1), to_another_host; most fetches first
SELECT
    redirect_outcome,
    redirect_hops,
    end_status,
    count(*) AS fetches,
    round(count(*) / sum(count(*)) OVER (), 4) AS share_of_redirects,
    count(*) FILTER (end_host_name <> url_host_name) AS to_another_host
FROM fetches
WHERE redirect_outcome IS NOT NULL AND dataset = 'data'
GROUP BY redirect_outcome, redirect_hops, end_status
ORDER BY fetches DESC, redirect_outcome, redirect_hops, end_status;
