-- Question: Which archived pages did the robots.txt of their time exclude?
-- Tables:   fetches, effective_verdicts
-- Caveats:  Needs SET VARIABLE pages = 'FILE.csv' with the columns url and fetch_time (UTC), and a dataset made with --urls and the same URLs (absolute), so
--           that they are asked of their own origin. What counts is the latest answer of the origin at or before the page's fetch; where there is none,
--           the first one after it (is_later). Behind a redirect absolute URLs are not asked: such pages are not listed, nor are pages of other
--           origins. The variables are agent (CCBot unless it is set) and dialect (google).
-- Shape:    one row for each page: url, fetch_time, robots_fetch_time, is_later, basis, rule_line, capture_id; by url and time
WITH pages AS (
    SELECT url, fetch_time::TIMESTAMPTZ AS fetch_time
    FROM read_csv(
        coalesce(getvariable('pages'), error('expected SET VARIABLE pages = ''FILE.csv'', with the columns url and fetch_time')),
        header = true
    )
),
answers AS (
    SELECT
        verdicts.url,
        verdicts.verdict,
        verdicts.basis,
        verdicts.rule_line,
        fetches.effective_capture_id AS capture_id,
        fetches.fetch_time
    FROM effective_verdicts AS verdicts
    JOIN fetches ON fetches.capture_id = verdicts.capture_id AND fetches.dataset = 'data'
    WHERE fetches.is_answer
        AND verdicts.agent = coalesce(getvariable('agent'), 'CCBot')
        AND verdicts.dialect = coalesce(getvariable('dialect'), 'google')
        AND verdicts.url NOT LIKE '/%'
),
nearest AS (
    SELECT
        pages.url,
        pages.fetch_time,
        answers.fetch_time AS robots_fetch_time,
        answers.fetch_time > pages.fetch_time AS is_later,
        answers.verdict,
        answers.basis,
        answers.rule_line,
        answers.capture_id
    FROM pages
    JOIN answers USING (url)
    QUALIFY row_number() OVER (
        PARTITION BY pages.url, pages.fetch_time
        ORDER BY is_later, abs(epoch_us(answers.fetch_time) - epoch_us(pages.fetch_time)), answers.capture_id
    ) = 1
)
SELECT url, fetch_time, robots_fetch_time, is_later, basis, rule_line, capture_id
FROM nearest
WHERE verdict = 'disallow'
ORDER BY url, fetch_time;
