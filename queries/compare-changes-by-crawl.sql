-- Of the domains that answered in the crawl before, how many changed their robots.txt, in bytes and
-- in meaning, how many gained or lost the file, and how many vanished?
--
-- Tables:  crawl_answers, captures
-- Variables: before, crawl, html, ranks, stratum
-- Caveats: A registered domain counts by one origin, the same in all crawls (represents_domain in
--          views.sql), redirects followed. Shares of what changed are of domains that answered in
--          both crawls; vanished are those that answered in the crawl before and not in this one:
--          the crawl did not fetch them, or no server answered. Changed in bytes: both have a file
--          and its digest differs. Changed in meaning: its semantic digest differs too; a file that
--          changes and changes back between the two crawls has not changed. Crawls of the dataset
--          of the variable before are rows too.
-- Shape:   one row for each crawl but the first: crawl_before, crawl, first_fetch, median_days
--          (between the two fetches of a domain), domains (that answered in both), vanished,
--          share_of_domains_vanished, share_of_domains_vanished_low, share_of_domains_vanished_high
--          (of those that answered in the crawl before), changed_bytes, changed_meaning, appeared,
--          gone (a file), share_of_domains_changed_bytes, share_of_domains_changed_bytes_low,
--          share_of_domains_changed_bytes_high, share_of_domains_changed_meaning,
--          share_of_domains_changed_meaning_low, share_of_domains_changed_meaning_high,
--          share_of_domains_appeared, share_of_domains_appeared_low,
--          share_of_domains_appeared_high, share_of_domains_gone, share_of_domains_gone_low,
--          share_of_domains_gone_high (0 to 1); by time
-- Chart:   lines label={crawl} time=first_fetch axis="first fetch of those counted (UTC)"
--          value="in bytes: share_of_domains_changed_bytes (changed_bytes)"
--          value="in meaning: share_of_domains_changed_meaning (changed_meaning)"
--          of="registered domains that answered in both crawls" each=domains
--          n="each: registered domains that answered in both crawls"
WITH states AS (
    SELECT
        answers.nth,
        answers.crawl,
        answers.domain,
        answers.fetch_time,
        answers.has_robots_txt AS has_file,
        files.content_digest,
        files.semantic_digest
    FROM crawl_answers AS answers
    JOIN both_of('captures') AS files USING (dataset, capture_id)
    WHERE answers.represents_domain
),
pairs AS (
    SELECT
        earlier.nth,
        earlier.crawl AS crawl_before,
        later.nth IS NULL AS is_vanished,
        (epoch(later.fetch_time) - epoch(earlier.fetch_time)) / 86400 AS days,
        later.has_file AND earlier.has_file AND later.content_digest <> earlier.content_digest AS has_other_bytes,
        later.has_file AND earlier.has_file AND later.semantic_digest <> earlier.semantic_digest AS has_other_meaning,
        later.has_file AND NOT earlier.has_file AS has_appeared,
        NOT later.has_file AND earlier.has_file AS is_gone
    FROM states AS earlier
    LEFT JOIN states AS later ON later.domain = earlier.domain AND later.nth = earlier.nth + 1
),
counted AS (
    SELECT
        nth,
        any_value(crawl_before) AS crawl_before,
        round(median(days), 1) AS median_days,
        count(*) AS answered,
        count(*) FILTER (is_vanished) AS vanished,
        answered - vanished AS domains,
        count(*) FILTER (has_other_bytes) AS changed_bytes,
        count(*) FILTER (has_other_meaning) AS changed_meaning,
        count(*) FILTER (has_appeared) AS appeared,
        count(*) FILTER (is_gone) AS gone
    FROM pairs
    GROUP BY nth
)
SELECT
    crawl_before,
    crawls.crawl,
    crawls.first_fetch,
    median_days,
    domains,
    vanished,
    share_of(vanished, answered) AS share_of_domains_vanished,
    wilson_low(vanished, answered) AS share_of_domains_vanished_low,
    wilson_high(vanished, answered) AS share_of_domains_vanished_high,
    changed_bytes,
    changed_meaning,
    appeared,
    gone,
    share_of(changed_bytes, domains) AS share_of_domains_changed_bytes,
    wilson_low(changed_bytes, domains) AS share_of_domains_changed_bytes_low,
    wilson_high(changed_bytes, domains) AS share_of_domains_changed_bytes_high,
    share_of(changed_meaning, domains) AS share_of_domains_changed_meaning,
    wilson_low(changed_meaning, domains) AS share_of_domains_changed_meaning_low,
    wilson_high(changed_meaning, domains) AS share_of_domains_changed_meaning_high,
    share_of(appeared, domains) AS share_of_domains_appeared,
    wilson_low(appeared, domains) AS share_of_domains_appeared_low,
    wilson_high(appeared, domains) AS share_of_domains_appeared_high,
    share_of(gone, domains) AS share_of_domains_gone,
    wilson_low(gone, domains) AS share_of_domains_gone_low,
    wilson_high(gone, domains) AS share_of_domains_gone_high
FROM counted
JOIN (SELECT nth, crawl, min(fetch_time) AS first_fetch FROM crawl_answers GROUP BY nth, crawl) AS crawls ON crawls.nth = counted.nth + 1
ORDER BY crawls.nth;
