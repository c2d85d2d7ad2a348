-- Where do the redirects of robots.txt end: after how many hops, on another host, in a loop, at
-- what status?
--
-- Tables:  fetches
-- Variables: before, html
-- Caveats: The denominator is fetches of a robots.txt that answered with 3xx, not hosts; hops in
--          the middle of a chain are counted only if they are a robots.txt themselves. A target
--          counts if it was captured in the same crawl or, where archives name none, within the
--          window of the run (14 days before or after); any other is unknown (not_in_corpus).
--          Chains are those of the reference dialect; the table redirects has those of the others.
-- Shape:   one row for each outcome, number of hops and status: redirect_outcome (resolved,
--          not_in_corpus, loop, too_many_hops, not_followable, not_followed, not_modified),
--          redirect_hops, end_status (NULL: none), fetches, share_of_redirects (0 to
--          1), to_another_host, median_seconds_apart, longest_seconds_apart (NULL: not resolved);
--          most fetches first
-- Chart:   bars label="{redirect_outcome}, {redirect_hops}, {end_status}"
--          axis="outcome, hops, status" value="fetches: share_of_redirects (fetches)"
--          of="fetches that were redirected" n="sum of fetches: fetches that were redirected"
SELECT
    redirect_outcome,
    redirect_hops,
    end_status,
    count(*) AS fetches,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_redirects,
    count(*) FILTER (end_host_name <> url_host_name) AS to_another_host,
    median(redirect_seconds_apart) AS median_seconds_apart,
    max(redirect_seconds_apart) AS longest_seconds_apart
FROM fetches
WHERE redirect_outcome IS NOT NULL AND dataset = 'data'
GROUP BY redirect_outcome, redirect_hops, end_status
ORDER BY fetches DESC, redirect_outcome, redirect_hops, end_status;
