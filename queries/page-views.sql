-- Views over the pages of a dataset, for DuckDB 1.x and 2.x: read them after views.sql, on a dataset
-- of a run with --pages.
--
-- There is one view for each table under its own name; page_policies has the columns of page_robots
-- too.

-- A run without pages may have this one too (run --tables +bodies).
CREATE OR REPLACE TEMP VIEW bodies AS FROM table_of(getvariable('data'), 'bodies');
CREATE OR REPLACE TEMP VIEW pages AS FROM table_of(getvariable('data'), 'pages');
CREATE OR REPLACE TEMP VIEW page_directives AS FROM table_of(getvariable('data'), 'page_directives');
CREATE OR REPLACE TEMP VIEW page_robots AS FROM table_of(getvariable('data'), 'page_robots');

-- One row for each answer that a page states about itself as a whole, dialect of pages (google,
-- baidu) and agent: a page that states nothing about an answer has no row of it, and a page with a
-- statement has a row of page_robots for each agent. With what robots.txt of its origin states.
--   robots_verdict         allow, disallow or undefined, under the reference dialect; NULL where the
--                          dataset has no robots.txt of the origin. A crawler that may not fetch a
--                          page never reads what the page states.
--   robots_capture_id      the robots.txt of the origin that was fetched nearest to the page in time
--   effective_capture_id   the capture whose file decides, once redirects are followed
--   robots_line            the line of the rule that decides in that file
-- Row: one page, dialect of pages, agent and answer.
-- Key: page_id, dialect, agent, directive.
CREATE OR REPLACE TEMP VIEW page_policies AS
SELECT
    policies.*,
    page_robots.robots_verdict,
    page_robots.robots_basis,
    page_robots.robots_capture_id,
    page_robots.effective_capture_id,
    page_robots.robots_line,
    page_robots.seconds_apart
FROM table_of(getvariable('data'), 'page_policies') AS policies
LEFT JOIN page_robots ON page_robots.page_id = policies.page_id AND page_robots.agent = policies.agent;
