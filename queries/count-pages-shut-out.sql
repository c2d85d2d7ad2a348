-- What share of the pages of a corpus (C4, FineWeb, a crawl's index) is on hosts that shut each
-- agent out?
--
-- Tables:  host_policies, matrix_agents
-- Variables: crawl, dialect, html, pages, ranks, stratum
-- Caveats: Needs SET VARIABLE pages = 'FILE.csv' with the columns url_host_name and page_count
--          (pages, or tokens, of the corpus): the tables have robots.txt files only. Pages of a
--          host with restriction partial may be allowed or not: the true number is between
--          pages_full and pages_full + pages_partial. robocensus asof has the verdict of each page
--          by itself. The dialect is the variable dialect (default: the dataset's reference).
-- Shape:   one row for each agent: agent, pages (of the corpus), pages_full, pages_partial,
--          pages_none, pages_unknown (the host, or the target of its redirect, is not in the
--          dataset), share_full, share_full_or_partial (of pages, 0 to 1), can_be_named (whether a
--          user-agent line can name the agent in this dialect)
-- Chart:   bars label="{agent}{can_be_named?: (cannot be named)}"
--          value="shut out: pages_full/pages" value="shut out partly: pages_partial/pages"
--          value="not restricted: pages_none/pages" value="unknown: pages_unknown/pages"
--          of="pages of the corpus" n="pages: pages of the corpus"
WITH corpus AS (
    SELECT lower(url_host_name) AS url_host_name, sum(page_count)::BIGINT AS pages
    FROM read_csv(
        coalesce(getvariable('pages'), error('expected the variable pages (--set pages=FILE.csv): a CSV file with the columns url_host_name and page_count')),
        header = true
    )
    GROUP BY ALL
),
asked AS (
    SELECT agent, can_be_named
    FROM matrix_agents
    WHERE dialect = asked_dialect()
)
SELECT
    asked.agent,
    sum(corpus.pages)::BIGINT AS pages,
    coalesce(sum(corpus.pages) FILTER (restriction = 'full'), 0)::BIGINT AS pages_full,
    coalesce(sum(corpus.pages) FILTER (restriction = 'partial'), 0)::BIGINT AS pages_partial,
    coalesce(sum(corpus.pages) FILTER (restriction = 'none'), 0)::BIGINT AS pages_none,
    coalesce(sum(corpus.pages) FILTER (restriction IS NULL), 0)::BIGINT AS pages_unknown,
    share_of(pages_full, sum(corpus.pages)) AS share_full,
    share_of(pages_full + pages_partial, sum(corpus.pages)) AS share_full_or_partial,
    asked.can_be_named
FROM corpus
CROSS JOIN asked
LEFT JOIN host_policies
    ON host_policies.url_host_name = corpus.url_host_name
    AND host_policies.agent = asked.agent
    AND host_policies.dialect = asked_dialect()
GROUP BY asked.agent, asked.can_be_named
ORDER BY pages_full DESC, asked.agent;
