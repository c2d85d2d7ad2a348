-- Views over a dataset, for DuckDB 1.4.4 to 1.5.x. The queries of this folder read them and
-- nothing else.
--
-- The views read variables when they are used, so another value needs no new views:
--   data    the folder of a dataset: SET VARIABLE data = 'DIR'
--   before  the folder of an earlier dataset, for queries about changes
--   crawl   the crawl whose hosts are read, such as 'CC-MAIN-2026-05'; by default the latest of the
--           dataset (the last by name)
--   stratum the ranks of the hosts that are read, such as '1-1000'; by default all hosts are, also
--           those without a rank
--   ranks   the list of these ranks, a file with a rank and a registered domain on each line; by
--           default those of the dataset's cohort
--   html    included: counts every answer with 2xx as a robots.txt, also a page of HTML (see
--           has_robots_txt below)
--
-- There is one view for each table of the dataset under its own name, and views that most queries
-- build on: fetches, hosts, files_of_hosts, crawl_hosts, host_policies, changes, templates. The
-- view hosts reads one crawl of the table. Verdicts and policies exist twice: by vector, each
-- distinct one once (verdict_sets, policy_sets, and effective_answers with host_files for who has
-- which), and joined, a row for each capture or host (verdicts, policies, effective_verdicts,
-- host_verdicts, host_policies).
--
-- Folders of the form crawl=... are not read as a column: captures has it, and a dataset of which
-- only some archives name a crawl has both kinds of folders.

-- Times of fetches are shown in UTC, wherever the session runs.
SET TimeZone = 'UTC';

-- A path with *, ? and [ escaped: read_parquet takes patterns.
CREATE OR REPLACE TEMP MACRO literal_path(path) AS regexp_replace(path, '([*?\[])', '[\1]', 'g');

CREATE OR REPLACE TEMP MACRO table_of(dataset, name) AS TABLE
FROM read_parquet(literal_path(coalesce(dataset, error('expected SET VARIABLE data = ''DIR'', the folder of a dataset'))) || '/' || name || '/**/*.parquet', hive_partitioning = false);

-- The default port of a scheme; NULL: it has none.
CREATE OR REPLACE TEMP MACRO default_port(protocol) AS CASE protocol WHEN 'https' THEN 443 WHEN 'http' THEN 80 WHEN 'ftp' THEN 21 END;

-- What a robots.txt applies to (RFC 9309, 2.3): scheme://host:port, the default port too.
CREATE OR REPLACE TEMP MACRO origin_of(protocol, host, port) AS protocol || '://' || host || coalesce(':' || coalesce(port, default_port(protocol)), '');

CREATE OR REPLACE TEMP VIEW archives AS FROM table_of(getvariable('data'), 'archives');
CREATE OR REPLACE TEMP VIEW archive_errors AS FROM table_of(getvariable('data'), 'archive_errors');
CREATE OR REPLACE TEMP VIEW archive_skips AS FROM table_of(getvariable('data'), 'archive_skips');
CREATE OR REPLACE TEMP VIEW captures AS SELECT *, origin_of(url_protocol, url_host_name, url_port) AS origin FROM table_of(getvariable('data'), 'captures');
CREATE OR REPLACE TEMP VIEW redirects AS FROM table_of(getvariable('data'), 'redirects');
CREATE OR REPLACE TEMP VIEW groups AS FROM table_of(getvariable('data'), 'groups');
CREATE OR REPLACE TEMP VIEW agents AS FROM table_of(getvariable('data'), 'agents');
CREATE OR REPLACE TEMP VIEW rules AS FROM table_of(getvariable('data'), 'rules');
CREATE OR REPLACE TEMP VIEW directives AS FROM table_of(getvariable('data'), 'directives');
CREATE OR REPLACE TEMP VIEW signals AS FROM table_of(getvariable('data'), 'signals');
CREATE OR REPLACE TEMP VIEW comments AS FROM table_of(getvariable('data'), 'comments');
CREATE OR REPLACE TEMP VIEW errors AS FROM table_of(getvariable('data'), 'errors');
CREATE OR REPLACE TEMP VIEW response_errors AS FROM table_of(getvariable('data'), 'response_errors');
CREATE OR REPLACE TEMP VIEW verdict_sets AS FROM table_of(getvariable('data'), 'verdict_sets');
CREATE OR REPLACE TEMP VIEW policy_sets AS FROM table_of(getvariable('data'), 'policy_sets');
CREATE OR REPLACE TEMP VIEW dialects AS FROM table_of(getvariable('data'), 'dialects');
CREATE OR REPLACE TEMP VIEW matrix_agents AS FROM table_of(getvariable('data'), 'matrix_agents');
CREATE OR REPLACE TEMP VIEW cohort AS FROM table_of(getvariable('data'), 'cohort');

-- The first dialect of the run, and the second: NULL where the run asked one only.
CREATE OR REPLACE TEMP MACRO reference_dialect() AS (SELECT dialect FROM dialects WHERE dialect_index = 0);
CREATE OR REPLACE TEMP MACRO candidate_dialect() AS (SELECT dialect FROM dialects WHERE dialect_index = 1);

-- The dialects of a query: the variables dialect, base and candidate; by default the reference of
-- the dataset and its second dialect. (Of if() DuckDB keeps one branch where a variable is set, so
-- that the dialect is a constant that scans filter by; coalesce() always asks the table.)
CREATE OR REPLACE TEMP MACRO asked_dialect() AS if(getvariable('dialect') IS NULL, reference_dialect(), getvariable('dialect'));
CREATE OR REPLACE TEMP MACRO asked_base() AS if(getvariable('base') IS NULL, reference_dialect(), getvariable('base'));
CREATE OR REPLACE TEMP MACRO asked_candidate() AS if(
    getvariable('candidate') IS NULL,
    coalesce(candidate_dialect(), error('expected a dataset of two dialects (robocensus run --dialects A,B), but this one has one')),
    getvariable('candidate')
);

-- Whether a user-agent line can give the agent a group of its own in the asked dialect. Where it
-- cannot, the group of * applies to the agent on every host: google matches tokens of letters, _
-- and - only, so no line can name MJ12bot.
CREATE OR REPLACE TEMP MACRO can_be_named(asked_agent) AS (
    SELECT any_value(can_be_named)
    FROM matrix_agents
    WHERE dialect = asked_dialect() AND agent = asked_agent
);

-- A query that names its cells (agent, URL, dialect) reads verdicts, effective_verdicts or
-- host_verdicts: DuckDB filters the vectors before it joins who has them. A query over all cells is
-- faster if it reads each vector once and joins the captures, counted by verdict_set_id:
--
--   WITH disallowed AS (
--       SELECT verdict_set_id, count(*) AS cells
--       FROM verdict_sets
--       WHERE verdict = 'disallow'
--       GROUP BY verdict_set_id
--   ),
--   sharing AS (SELECT verdict_set_id, count(*) AS captures FROM captures GROUP BY verdict_set_id)
--   SELECT sum(cells * captures) FROM disallowed JOIN sharing USING (verdict_set_id)
-- Row: one cell of the matrix of one capture.
-- Key: capture_id, dialect, agent, url.
CREATE OR REPLACE TEMP VIEW verdicts AS
SELECT captures.capture_id, captures.url_host_name, verdict_sets.* EXCLUDE (verdict_set_id)
FROM captures
JOIN verdict_sets USING (verdict_set_id);

-- Row: one capture, dialect and agent.
-- Key: capture_id, dialect, agent.
CREATE OR REPLACE TEMP VIEW policies AS
SELECT captures.capture_id, captures.url_host_name, policy_sets.* EXCLUDE (policy_set_id)
FROM captures
JOIN policy_sets USING (policy_set_id);

-- A table of both datasets: the earlier one, if there is one, and the one of the variable data.
CREATE OR REPLACE TEMP MACRO both_of(name) AS TABLE
SELECT 'before' AS dataset, * FROM table_of(coalesce(getvariable('before'), getvariable('data')), name) WHERE getvariable('before') IS NOT NULL
UNION ALL
SELECT 'data' AS dataset, * FROM table_of(getvariable('data'), name);

-- Whether a file counts as a robots.txt: it is one (captures.is_robots_txt), or the variable html is
-- 'included'. has_robots_txt in the views below is this of the file at the end of the redirects; it
-- is the denominator of all shares of hosts and domains with a robots.txt.
CREATE OR REPLACE TEMP MACRO counts_as_robots_txt(is_robots_txt) AS is_robots_txt OR coalesce(getvariable('html') = 'included', false);

-- Row: one capture that counts as a robots.txt.
-- Key: capture_id.
CREATE OR REPLACE TEMP VIEW robots_txts AS
SELECT capture_id
FROM captures
WHERE access = 'conditional' AND counts_as_robots_txt(is_robots_txt);

-- The value of a fetch that is its own end, else that of the target of its redirects.
CREATE OR REPLACE TEMP MACRO at_end(outcome, own, of_target) AS if(coalesce(outcome, 'not_followed') = 'not_followed', own, of_target);

-- One row for each fetch of a robots.txt, with the end of its redirects, of both datasets (column
-- dataset): those that count (hosts) and the others, for queries that follow an origin in time.
-- Captures of other URLs are hops of redirects and are left out. The columns that begin
-- with end_ are those of the capture whose file applies to the origin: its own, or the target of
-- its redirects; NULL where the redirects have no end in the dataset.
--   capture_id        the capture whose file applies: the key to its lines and policies; the fetch
--                     itself where its redirects have no end, so it is never NULL
--   fetch_capture_id  the fetch
--   policy_set_id     the policies of capture_id
--   access     what the fetch decides (captures.access) once redirects are followed; where they
--              have no end, what the reference dialect decides (redirects.access): google and
--              rfc9309 treat a loop, too many hops and a redirect that cannot be followed as a 404.
--              Where the target was not captured (in the crawl or, where archives name none,
--              within the window of the run), it is undefined.
--   is_answer  whether the fetch determines the robots.txt: a file, or that there is none. After
--              429, 5xx, no answer at all, or a target that was not captured, it remains unknown. 304 means that the file of an earlier fetch is still valid, so that fetch
--              is the answer.
-- Row: one fetch of a robots.txt, with the end of its redirects.
-- Key: dataset, fetch_capture_id.
CREATE OR REPLACE TEMP VIEW fetches AS
SELECT
    asked.dataset,
    coalesce(target.capture_id, asked.capture_id) AS capture_id,
    asked.capture_id AS fetch_capture_id,
    origin_of(asked.url_protocol, asked.url_host_name, asked.url_port) AS origin,
    asked.url_host_name,
    asked.url_host_tld,
    asked.url_host_registered_domain,
    asked.url_protocol,
    asked.url_port,
    asked.crawl,
    asked.fetch_time,
    asked.fetch_status,
    chains.outcome AS redirect_outcome,
    chains.hops AS redirect_hops,
    at_end(chains.outcome, asked.fetch_status, target.fetch_status) AS end_status,
    at_end(chains.outcome, asked.url_host_name, target.url_host_name) AS end_host_name,
    at_end(chains.outcome, asked.content_digest, target.content_digest) AS end_content_digest,
    at_end(chains.outcome, asked.semantic_digest, target.semantic_digest) AS end_semantic_digest,
    if(target.capture_id IS NULL, asked.policy_set_id, target.policy_set_id) AS policy_set_id,
    coalesce(at_end(chains.outcome, asked.is_html, target.is_html), false) AS end_is_html,
    coalesce(
        at_end(chains.outcome, asked.access, target.access) = 'conditional'
        AND counts_as_robots_txt(at_end(chains.outcome, asked.is_robots_txt, target.is_robots_txt)),
        false
    ) AS has_robots_txt,
    chains.seconds_apart AS redirect_seconds_apart,
    coalesce(chains.access, nullif(at_end(chains.outcome, asked.access, target.access), 'redirect'), 'undefined') AS access,
    CASE
        WHEN chains.access IS NOT NULL THEN chains.outcome NOT IN ('not_in_corpus', 'not_modified')
        ELSE coalesce(end_status BETWEEN 200 AND 299 OR end_status BETWEEN 400 AND 499 AND end_status <> 429, false)
    END AS is_answer
FROM both_of('captures') AS asked
-- Most fetches do not redirect, so captures are joined to redirects only.
LEFT JOIN (
    both_of('redirects') AS chains
    JOIN both_of('dialects') AS dialects ON dialects.dataset = chains.dataset AND dialects.dialect = chains.dialect AND dialects.dialect_index = 0
    LEFT JOIN both_of('captures') AS target ON target.dataset = chains.dataset AND target.capture_id = chains.effective_capture_id
) ON chains.dataset = asked.dataset AND chains.capture_id = asked.capture_id
WHERE asked.url_path = '/robots.txt'
    AND asked.url_query IS NULL;

-- Whether a port is the default port of the scheme; NULL is no port in the URL.
CREATE OR REPLACE TEMP MACRO is_usual_port(protocol, port) AS port IS NULL OR port = default_port(protocol);

-- The lines of a list of ranks: cells separated by commas or tabs, of which the first number is the
-- rank and the first other one the domain, in any case and with or without www. in front (which is
-- the domain itself in www.gov.uk). The first line may be a header. NULL has no lines.
CREATE OR REPLACE TEMP MACRO ranked_domains(ranks_file) AS TABLE
WITH lines AS (
    SELECT
        row_number() OVER () AS n,
        line,
        nullif(regexp_extract(line, '(?:^|[,\t])\s*"?([0-9]+)"?\s*(?:[,\t]|$)', 1), '') AS rank,
        rtrim(lower(regexp_extract(line, '(?:^|[,\t])\s*"?([^,\t"]*[^,\t"0-9\s][^,\t"]*?)"?\s*(?:[,\t]|$)', 1)), '.') AS name
    FROM read_csv(coalesce(ranks_file, literal_path(getvariable('data')) || '/_dataset.json'), header = false, auto_detect = false, columns = {'line': 'VARCHAR'}, delim = '', quote = '', escape = '')
    WHERE ranks_file IS NOT NULL AND trim(line) != ''
)
SELECT
    CASE
        WHEN rank IS NULL OR name = '' THEN error('expected a rank and a domain on each line of the list of ranks, such as 1,example.com, but found ' || line)
        ELSE rank::BIGINT
    END AS rank,
    CASE
        WHEN name IN (SELECT url_host_registered_domain FROM captures WHERE starts_with(url_host_registered_domain, 'www.')) THEN name
        ELSE regexp_replace(name, '^www\.(.+\..+)$', '\1')
    END AS domain
FROM lines
WHERE n > 1 OR rank IS NOT NULL;

-- The names of hosts and registered domains with a rank: those of the list of the variable ranks,
-- else of the dataset's cohort (run --cohort). Each has the best of its ranks.
CREATE OR REPLACE TEMP MACRO ranked_names() AS TABLE
SELECT domain AS name, min(rank) AS rank
FROM ranked_domains(getvariable('ranks'))
GROUP BY domain
UNION ALL
SELECT member, rank
FROM cohort
WHERE getvariable('ranks') IS NULL AND rank IS NOT NULL
UNION ALL
SELECT NULL, error('expected the variable ranks (--set ranks=FILE.csv), a file with a rank and a registered domain on each line, or a dataset of a cohort that has ranks')::BIGINT
WHERE getvariable('ranks') IS NULL AND NOT EXISTS (FROM cohort WHERE rank IS NOT NULL);

-- The upper bounds of strata of ranks, and that of the stratum of a rank; NULL: it has none, or one
-- beyond the last.
CREATE OR REPLACE TEMP MACRO strata() AS [1_000, 10_000, 50_000, 100_000, 1_000_000, 2_000_000];
CREATE OR REPLACE TEMP MACRO stratum_of(rank) AS list_filter(strata(), lambda bound: rank <= bound)[1];

-- Those whose rank is within the variable stratum, such as '1-1000'.
CREATE OR REPLACE TEMP MACRO names_of_stratum() AS TABLE
SELECT name
FROM ranked_names()
WHERE if(
    regexp_full_match(getvariable('stratum'), '[0-9]{1,18}-[0-9]{1,18}')
    AND try_cast(split_part(getvariable('stratum'), '-', 1) AS BIGINT) BETWEEN 1 AND try_cast(split_part(getvariable('stratum'), '-', 2) AS BIGINT),
    rank BETWEEN split_part(getvariable('stratum'), '-', 1)::BIGINT AND split_part(getvariable('stratum'), '-', 2)::BIGINT,
    error('expected the variable stratum to be two ranks from 1, the first at most the second, such as 1-1000, but found ' || getvariable('stratum'))
);

-- The table hosts of both datasets, of the hosts of the stratum if the variable is set: otherwise the
-- names are no part of the query, which would pay for them.
CREATE OR REPLACE TEMP MACRO hosts_of_stratum() AS TABLE
SELECT
    * REPLACE (
        coalesce(fetch_capture_id, capture_id) AS fetch_capture_id,
        access = 'conditional' AND counts_as_robots_txt(has_robots_txt) AS has_robots_txt
    ),
    origin_of(url_protocol, url_host_name, url_port) AS origin,
    coalesce(url_host_registered_domain, url_host_name) AS domain
FROM query($$FROM both_of('hosts')$$ || if(
    getvariable('stratum') IS NULL,
    '',
    ' WHERE url_host_name IN (FROM names_of_stratum()) OR url_host_registered_domain IN (FROM names_of_stratum())'
));

-- One row for each crawl and origin (scheme, host and port: the scope of a robots.txt, RFC 9309,
-- 2.3), with the fetch that counts there, of both datasets: the table hosts, which says how fetch
-- and primary origins are chosen. They are chosen by the robots.txt files without pages of HTML,
-- whatever the variable html is.
--   is_primary            one origin of each host name: "FROM hosts WHERE is_primary" has one row
--                         for each. www.example.com and example.com are two host names.
--   is_primary_of_domain  one host name of each registered domain, so one origin. An owner with
--                         thousands of host names may dominate a share of hosts: give shares by
--                         registered domain as well.
-- Row: one origin in one crawl, with the fetch that counts there.
-- Key: dataset, crawl, origin.
CREATE OR REPLACE TEMP VIEW crawl_hosts AS
FROM hosts_of_stratum()
WHERE getvariable('crawl') IS NULL OR crawl = getvariable('crawl');

-- The crawl that the view hosts reads; NULL: that of archives that name none.
CREATE OR REPLACE TEMP MACRO asked_crawl() AS coalesce(getvariable('crawl'), (SELECT max(crawl) FROM table_of(getvariable('data'), 'hosts')));

-- The same in one crawl of the dataset, asked_crawl(): one row for each origin. Figures of several
-- crawls are compared by crawl_hosts; no view pools them.
-- Row: one origin, with the fetch that counts.
-- Key: origin.
CREATE OR REPLACE TEMP VIEW hosts AS
SELECT * EXCLUDE (dataset)
FROM hosts_of_stratum()
WHERE dataset = 'data' AND crawl IS NOT DISTINCT FROM asked_crawl();

-- One row for each registered domain: the host name that represents it (see is_primary_of_domain
-- above).
-- Row: one registered domain, with the host name that represents it.
-- Key: domain.
CREATE OR REPLACE TEMP VIEW domains AS FROM hosts WHERE is_primary_of_domain;

-- The names on the lines of a file, in lower case, without blanks and empty lines; where there is no
-- file, the members of the dataset's cohort (run --cohort), of which there are none without one.
CREATE OR REPLACE TEMP MACRO listed_members(names_file) AS TABLE
SELECT member
FROM cohort
WHERE names_file IS NULL AND (getvariable('stratum') IS NULL OR member IN (FROM names_of_stratum()))
UNION ALL
SELECT DISTINCT trim(line, ' ' || chr(9) || chr(13)) AS member
FROM (
    SELECT unnest(string_split(lower(content), chr(10))) AS line
    -- DuckDB opens the file also where none is named: then one that every dataset has.
    FROM read_text(coalesce(names_file, literal_path(getvariable('data')) || '/_dataset.json'))
    WHERE names_file IS NOT NULL
)
WHERE trim(line, ' ' || chr(9) || chr(13)) <> '';

-- The rows of crawl_hosts of listed members: a registered domain has those of all its host names.
-- Where none is listed, each host name is one.
CREATE OR REPLACE TEMP MACRO hosts_of_members(names_file) AS TABLE
SELECT members.member, hosts.*
FROM crawl_hosts AS hosts
JOIN listed_members(names_file) AS members ON members.member = hosts.url_host_name
UNION ALL
SELECT members.member, hosts.*
FROM crawl_hosts AS hosts
JOIN listed_members(names_file) AS members ON members.member = hosts.domain AND hosts.domain <> hosts.url_host_name
UNION ALL
SELECT url_host_name, *
FROM crawl_hosts
WHERE NOT EXISTS (FROM listed_members(names_file));

-- Whether a fetch determines the robots.txt: a file, or that there is none.
CREATE OR REPLACE TEMP MACRO determines(redirect_outcome, end_status) AS
    coalesce(redirect_outcome IN ('loop', 'too_many_hops', 'not_followable'), false)
    OR coalesce(end_status BETWEEN 200 AND 299 OR end_status BETWEEN 400 AND 499 AND end_status <> 429, false);

-- The robots.txt files that apply to host names: a query that counts hosts by lines reads the lines
-- of each file once, and weighs them by hosts and domains.
-- Row: one capture with the robots.txt of a host name, and of how many.
-- Key: capture_id.
CREATE OR REPLACE TEMP VIEW files_of_hosts AS
SELECT
    capture_id,
    count(*) AS hosts,
    count(*) FILTER (is_primary_of_domain) AS domains,
    min(url_host_name) AS example_host
FROM hosts
WHERE is_primary AND has_robots_txt
GROUP BY capture_id;

-- One row for each hop of each chain of redirects under each dialect, as far as the dialect follows
-- it: the redirect (capture_id) where the chain begins, hop (from 1), the capture that redirects
-- there, and its target. A query selects a dialect, and usually a capture.
-- Row: one hop of a chain of redirects.
-- Key: capture_id, dialect, hop.
CREATE OR REPLACE TEMP VIEW redirect_hops AS
WITH RECURSIVE walked AS (
    SELECT capture_id, dialect, hops, 1 AS hop, capture_id AS hop_capture_id, target_url, target_capture_id
    FROM redirects
    WHERE hops > 0
    UNION ALL
    SELECT
        walked.capture_id,
        walked.dialect,
        walked.hops,
        walked.hop + 1 AS hop,
        redirects.capture_id AS hop_capture_id,
        redirects.target_url,
        redirects.target_capture_id
    FROM walked
    JOIN redirects ON redirects.capture_id = walked.target_capture_id AND redirects.dialect = walked.dialect
    WHERE walked.hop < walked.hops
)
SELECT capture_id, dialect, hop, hop_capture_id, target_url, target_capture_id
FROM walked;

-- Where a capture ends under each dialect of the run once redirects are followed: one row for each
-- capture and dialect.
--   effective_capture_id  the capture whose file applies to this one: itself, or the target of its
--                         redirects; NULL where these have no end in the dataset
--   redirect_access       what the dialect decides without an end (redirects.access); NULL where a
--                         capture decides
-- Row: one capture under one dialect, and where its redirects end.
-- Key: capture_id, dialect.
CREATE OR REPLACE TEMP VIEW effective_captures AS
SELECT
    captures.capture_id,
    captures.url_host_name,
    dialects.dialect,
    redirects.outcome AS redirect_outcome,
    redirects.hops AS redirect_hops,
    redirects.access AS redirect_access,
    if(coalesce(redirects.outcome, 'not_followed') = 'not_followed', captures.capture_id, redirects.effective_capture_id) AS effective_capture_id
FROM captures
CROSS JOIN dialects
LEFT JOIN redirects ON redirects.capture_id = captures.capture_id AND redirects.dialect = dialects.dialect;

-- Whose answers count for a capture under each dialect once redirects are followed: one row for
-- each capture, dialect and vector of answers (verdict_sets), so two for a redirect with an end, and
-- one for any other capture. A query selects a dialect.
--   answered_by  itself: its own answers. target: those of the capture where its redirects end, for
--                paths; an absolute URL is in the matrix of its own origin only, so its answer is
--                unknown: other_origin. Where the redirects have no end, what the dialect decides
--                (redirects.access): full_allow, full_disallow or undefined.
-- Row: one capture under one dialect and a vector of answers that counts for it.
-- Key: capture_id, dialect, answered_by.
CREATE OR REPLACE TEMP VIEW effective_answers AS
WITH ways AS (
    SELECT
        asked.capture_id,
        asked.url_host_name,
        asked.verdict_set_id,
        ends.dialect,
        ends.effective_capture_id,
        ended.verdict_set_id AS end_verdict_set_id,
        unnest(CASE
            WHEN ends.effective_capture_id = asked.capture_id THEN ['itself']
            WHEN ends.effective_capture_id IS NOT NULL THEN ['target', 'other_origin']
            ELSE [ends.redirect_access]
        END) AS answered_by
    FROM captures AS asked
    JOIN effective_captures AS ends USING (capture_id)
    LEFT JOIN captures AS ended ON ended.capture_id = ends.effective_capture_id
)
SELECT
    capture_id,
    url_host_name,
    dialect,
    effective_capture_id,
    if(answered_by = 'target', end_verdict_set_id, verdict_set_id) AS verdict_set_id,
    answered_by
FROM ways;

-- Whether a vector of effective_answers has the answer for a URL, and the verdict that results.
CREATE OR REPLACE TEMP MACRO is_answered(answered_by, url) AS CASE answered_by
    WHEN 'target' THEN url LIKE '/%'
    WHEN 'other_origin' THEN url NOT LIKE '/%'
    ELSE true
END;

CREATE OR REPLACE TEMP MACRO effective_verdict(answered_by, verdict) AS CASE
    WHEN answered_by IN ('itself', 'target') THEN verdict
    WHEN answered_by = 'full_allow' THEN 'allow'
    WHEN answered_by = 'full_disallow' THEN 'disallow'
    ELSE 'undefined'
END;

-- What is allowed once redirects are followed: the rows of verdicts, those of a redirect replaced
-- by those of the capture where it ends (same dialect, agent and URL).
-- Row: one cell of the matrix of one capture, redirects followed.
-- Key: capture_id, dialect, agent, url.
CREATE OR REPLACE TEMP VIEW effective_verdicts AS
SELECT
    asked.capture_id,
    asked.url_host_name,
    asked.effective_capture_id,
    cells.* EXCLUDE (verdict_set_id) REPLACE (effective_verdict(asked.answered_by, cells.verdict) AS verdict)
FROM effective_answers AS asked
JOIN verdict_sets AS cells ON cells.verdict_set_id = asked.verdict_set_id AND cells.dialect = asked.dialect
WHERE is_answered(asked.answered_by, cells.url);

-- The file that applies to each host name under each dialect: that of its primary origin, redirects
-- followed as the dialect follows them. Origin and fetch are chosen by the reference dialect, as are
-- has_robots_txt and access of hosts.
--   capture_id       the capture whose file applies; the fetch where its redirects have no end
--   redirect_access  what the dialect decides where they have none; NULL where capture_id decides
--   is_robots_txt    whether the dialect ends at a robots.txt
--   verdict_set_id, policy_set_id  the vectors of capture_id
-- The table hosts has all this of the reference dialect, and of fetches that do not redirect for
-- every dialect. Only the others need their captures.
-- Row: one host name under one dialect.
-- Key: url_host_name, dialect.
CREATE OR REPLACE TEMP VIEW host_files AS
SELECT
    url_host_name,
    url_host_tld,
    domain,
    is_primary_of_domain,
    has_robots_txt,
    access,
    fetch_capture_id,
    dialect,
    capture_id,
    if(redirect_outcome NOT IN ('resolved', 'not_followed'), access, NULL) AS redirect_access,
    has_robots_txt AS is_robots_txt,
    verdict_set_id,
    policy_set_id
FROM hosts
JOIN dialects ON dialect_index = 0 OR redirect_outcome IS NULL
WHERE is_primary
UNION ALL
SELECT
    hosts.url_host_name,
    hosts.url_host_tld,
    hosts.domain,
    hosts.is_primary_of_domain,
    hosts.has_robots_txt,
    hosts.access,
    hosts.fetch_capture_id,
    ends.dialect,
    files.capture_id,
    if(ends.outcome = 'not_followed', NULL, ends.access) AS redirect_access,
    redirect_access IS NULL AND files.access = 'conditional' AND counts_as_robots_txt(files.is_robots_txt) AS is_robots_txt,
    files.verdict_set_id,
    files.policy_set_id
FROM hosts
JOIN redirects AS ends ON ends.capture_id = hosts.fetch_capture_id
JOIN dialects ON dialects.dialect = ends.dialect AND dialects.dialect_index > 0
-- The capture is there always; DuckDB expects too many rows of an inner join by an expression.
LEFT JOIN captures AS files ON files.capture_id = coalesce(ends.effective_capture_id, hosts.fetch_capture_id)
WHERE hosts.is_primary AND hosts.redirect_outcome IS NOT NULL;

-- The vectors of answers of each host name under each dialect (see effective_answers).
-- Row: one host name under one dialect and a vector of answers that counts for it.
-- Key: url_host_name, dialect, answered_by.
CREATE OR REPLACE TEMP VIEW host_answers AS
SELECT *, if(capture_id = fetch_capture_id, coalesce(redirect_access, 'itself'), 'target') AS answered_by
FROM host_files
UNION ALL
SELECT files.* REPLACE (own.verdict_set_id AS verdict_set_id), 'other_origin' AS answered_by
FROM host_files AS files
LEFT JOIN captures AS own ON own.capture_id = files.fetch_capture_id
WHERE files.capture_id <> files.fetch_capture_id;

-- The verdicts of each host name under each dialect; access and has_robots_txt are by the dialect of
-- the row.
-- Row: one cell of the matrix of one host name.
-- Key: url_host_name, dialect, agent, url.
CREATE OR REPLACE TEMP VIEW host_verdicts AS
SELECT
    hosts.capture_id,
    hosts.url_host_name,
    cells.* EXCLUDE (verdict_set_id) REPLACE (effective_verdict(hosts.answered_by, cells.verdict) AS verdict),
    hosts.fetch_capture_id,
    hosts.url_host_tld,
    hosts.domain,
    hosts.is_primary_of_domain,
    hosts.policy_set_id,
    hosts.is_robots_txt AS has_robots_txt,
    CASE
        WHEN cells.basis = 'out_of_scope' THEN hosts.access
        WHEN cells.basis <> 'access' THEN 'conditional'
        WHEN effective_verdict(hosts.answered_by, cells.verdict) = 'allow' THEN 'full_allow'
        WHEN effective_verdict(hosts.answered_by, cells.verdict) = 'disallow' THEN 'full_disallow'
        ELSE 'undefined'
    END AS access
FROM host_answers AS hosts
JOIN verdict_sets AS cells ON cells.verdict_set_id = hosts.verdict_set_id AND cells.dialect = hosts.dialect
WHERE is_answered(hosts.answered_by, cells.url);

-- The answers of each host name under two dialects: one row for each host and pair of vectors for
-- the same URLs. Redirects may end differently for the two.
CREATE OR REPLACE TEMP MACRO host_pairs(base_dialect, candidate_dialect) AS TABLE
SELECT
    base.url_host_name,
    base.is_primary_of_domain,
    if(base.redirect_access IS NULL, base.capture_id, NULL) AS base_capture_id,
    base.verdict_set_id AS base_key,
    base.answered_by AS base_by,
    if(candidate.redirect_access IS NULL, candidate.capture_id, NULL) AS candidate_capture_id,
    candidate.verdict_set_id AS candidate_key,
    candidate.answered_by AS candidate_by
FROM host_answers AS base
JOIN host_answers AS candidate ON candidate.fetch_capture_id = base.fetch_capture_id
WHERE base.dialect = base_dialect
    AND candidate.dialect = candidate_dialect
    AND (base.answered_by, candidate.answered_by) NOT IN (('target', 'other_origin'), ('other_origin', 'target'));

-- The policies of each host name under each dialect. Where its redirects have no end, only the
-- decision of the dialect counts. Access and has_robots_txt are by the dialect of the row, so that
-- hosts of which it reads a robots.txt are the denominator of its figures.
-- Row: one host name, dialect and agent.
-- Key: url_host_name, dialect, agent.
CREATE OR REPLACE TEMP VIEW host_policies AS
SELECT
    hosts.capture_id,
    policies.* EXCLUDE (policy_set_id) REPLACE (
        CASE
            WHEN hosts.redirect_access IS NULL THEN policies.restriction
            WHEN hosts.redirect_access = 'full_allow' THEN 'none'
            WHEN hosts.redirect_access = 'full_disallow' THEN 'full'
        END AS restriction
    ),
    hosts.fetch_capture_id,
    hosts.url_host_name,
    hosts.url_host_tld,
    hosts.domain,
    hosts.is_primary_of_domain,
    policies.group_kind <> 'access' AND hosts.is_robots_txt AS has_robots_txt,
    CASE
        WHEN hosts.redirect_access IS NOT NULL THEN hosts.redirect_access
        WHEN policies.group_kind <> 'access' THEN 'conditional'
        WHEN policies.restriction = 'none' THEN 'full_allow'
        WHEN policies.restriction = 'full' THEN 'full_disallow'
        ELSE 'undefined'
    END AS access
FROM host_files AS hosts
JOIN policy_sets AS policies ON policies.policy_set_id = hosts.policy_set_id AND policies.dialect = hosts.dialect;

-- One row for each pair of consecutive answers of an origin, in both datasets: what changed between
-- the two fetches, after previous_fetch_time and at fetch_time at the latest.
--   change  none; form (other bytes, and the same verdict of the reference dialect for every agent
--           and URL: comments, order, rules that never decide); meaning (that is not proven: some
--           of these files may still agree, since not every rule that never decides is recognized);
--           appeared (a file where there was none); gone (none where there was one); access
--           (another status that decides otherwise, without a file)
-- Row: one answer of an origin, and the one before it.
-- Key: fetch_capture_id.
CREATE OR REPLACE TEMP VIEW changes AS
WITH earlier AS (
    SELECT 'data' AS dataset, fetch_capture_id
    FROM fetches
    WHERE is_answer AND dataset = 'before'
),
-- A fetch that both datasets have is one answer.
answers AS (
    SELECT fetches.*
    FROM fetches
    ANTI JOIN earlier USING (dataset, fetch_capture_id)
    WHERE is_answer
),
pairs AS (
    SELECT
        *,
        lag(capture_id) OVER in_time AS previous_capture_id,
        lag(fetch_capture_id) OVER in_time AS previous_fetch_capture_id,
        lag(policy_set_id) OVER in_time AS previous_policy_set_id,
        lag(dataset) OVER in_time AS previous_dataset,
        lag(crawl) OVER in_time AS previous_crawl,
        lag(fetch_time) OVER in_time AS previous_fetch_time,
        lag(access) OVER in_time AS previous_access,
        lag(end_content_digest) OVER in_time AS previous_content_digest,
        lag(end_semantic_digest) OVER in_time AS previous_semantic_digest
    FROM answers
    WINDOW in_time AS (PARTITION BY origin ORDER BY fetch_time NULLS FIRST, fetch_capture_id)
)
SELECT
    *,
    CASE
        WHEN access <> previous_access AND access = 'conditional' THEN 'appeared'
        WHEN access <> previous_access AND previous_access = 'conditional' THEN 'gone'
        WHEN access <> previous_access THEN 'access'
        WHEN access <> 'conditional' OR end_content_digest = previous_content_digest THEN 'none'
        WHEN end_semantic_digest = previous_semantic_digest THEN 'form'
        ELSE 'meaning'
    END AS change
FROM pairs
WHERE previous_capture_id IS NOT NULL;

-- The changes with the restriction of an agent by the file before and by that after, in the asked
-- dialect; NULL: the file, or the agent, is not in the dataset.
CREATE OR REPLACE TEMP MACRO agent_changes(asked_agent) AS TABLE
WITH restrictions AS (
    SELECT dataset, policy_set_id, restriction
    FROM both_of('policy_sets')
    WHERE dialect = asked_dialect() AND agent = asked_agent
)
SELECT changes.*, earlier.restriction AS previous_restriction, later.restriction
FROM changes
LEFT JOIN restrictions AS earlier
    ON earlier.dataset = changes.previous_dataset
    AND earlier.policy_set_id = changes.previous_policy_set_id
LEFT JOIN restrictions AS later
    ON later.dataset = changes.dataset
    AND later.policy_set_id = changes.policy_set_id;

-- The rows of crawl_hosts of which a fetch determines the file, with the place of their crawl in
-- time. (A macro and no common table expression: DuckDB copies one that is read twice, and with it
-- the paths of the tables, which it then takes for patterns.)
CREATE OR REPLACE TEMP MACRO answers_in_time() AS TABLE
SELECT crawl_hosts.*, crawls.nth
FROM crawl_hosts
-- DuckDB knows that a left join has no more rows than crawl_hosts; of an inner one it expects
-- thousands of times as many, and would build its next hash table of the larger side.
LEFT JOIN (
    SELECT crawl, max(dataset) AS dataset, row_number() OVER (ORDER BY min(fetch_time), crawl) AS nth
    FROM crawl_hosts
    GROUP BY crawl
) AS crawls ON crawls.crawl IS NOT DISTINCT FROM crawl_hosts.crawl
WHERE crawls.dataset IS NOT DISTINCT FROM crawl_hosts.dataset
    AND determines(redirect_outcome, end_status);

-- The answers of each origin in the order of time, one for each crawl at most, of both datasets (a
-- crawl that both have is that of the variable data). A crawl in which an origin has no row here is
-- a gap: it was not fetched, or its server did not answer, and what held then is unknown.
--   nth                the place of the crawl among all, from 1, by its first fetch
--   represents_domain  true for one origin of each registered domain: that of is_primary_of_domain
--                      in the first crawl in which that origin has an answer. A crawl that is added
--                      later changes nothing of it.
-- Row: one answer of an origin in a crawl.
-- Key: crawl, origin.
CREATE OR REPLACE TEMP VIEW crawl_answers AS
SELECT
    answers.*,
    coalesce(origin = representative, false) AS represents_domain,
    -- What the policies of capture_id do not say, because the redirects have no end.
    if(redirect_outcome IN ('loop', 'too_many_hops', 'not_followable'), if(access = 'full_disallow', 'full', 'none'), NULL) AS decided_restriction
FROM answers_in_time() AS answers
LEFT JOIN (
    SELECT domain, arg_min(origin, nth) AS representative
    FROM answers_in_time()
    WHERE is_primary_of_domain
    GROUP BY domain
) AS representatives USING (domain);

-- The versions of what each origin says: runs of answers with one meaning (access, and
-- semantic_digest of the file).
--   version          from 1, by origin
--   answers          crawls in which it was seen
--   gaps             crawls between the first and the last of them without an answer of the origin
--   time_before      of the last answer before with another meaning: it began after that. NULL: no
--                    such answer, so that its beginning is unknown
--   time_after       of the first answer after with another meaning; NULL: still so at last_time
-- Row: one version of an origin.
-- Key: origin, version.
CREATE OR REPLACE TEMP VIEW host_versions AS
WITH meant AS (
    SELECT
        answers.origin,
        answers.url_host_name,
        answers.domain,
        answers.represents_domain,
        answers.crawl,
        answers.nth,
        answers.fetch_time,
        answers.capture_id,
        answers.access,
        if(answers.access = 'conditional', files.semantic_digest, NULL) AS semantic_digest,
        files.content_digest
    FROM crawl_answers AS answers
    JOIN both_of('captures') AS files USING (dataset, capture_id)
),
begun AS (
    SELECT
        *,
        (lag(access) OVER in_time, lag(semantic_digest) OVER in_time) IS DISTINCT FROM (access, semantic_digest) AS begins
    FROM meant
    WINDOW in_time AS (PARTITION BY origin, url_host_name, domain ORDER BY nth)
),
numbered AS (
    SELECT *, count(*) FILTER (begins) OVER (PARTITION BY origin, url_host_name, domain ORDER BY nth) AS version
    FROM begun
)
SELECT
    origin,
    url_host_name,
    domain,
    bool_or(represents_domain) AS represents_domain,
    version,
    arg_min(crawl, nth) AS first_crawl,
    arg_max(crawl, nth) AS last_crawl,
    min(fetch_time) AS first_time,
    max(fetch_time) AS last_time,
    count(*) AS answers,
    max(nth) - min(nth) + 1 - count(*) AS gaps,
    count(DISTINCT content_digest) AS contents,
    lag(max(fetch_time)) OVER in_time AS time_before,
    lead(min(fetch_time)) OVER in_time AS time_after,
    any_value(access) AS access,
    any_value(semantic_digest) AS semantic_digest,
    arg_min(capture_id, nth) AS capture_id
FROM numbered
GROUP BY origin, url_host_name, domain, version
WINDOW in_time AS (PARTITION BY origin, url_host_name, domain ORDER BY version);

-- The events of an agent between two answers: what agent_events has in its column event.
CREATE OR REPLACE TEMP MACRO events_of(was_named, is_named, restriction_before, restriction) AS list_filter([
    CASE WHEN is_named > was_named THEN 'named' WHEN is_named < was_named THEN 'unnamed' END,
    CASE
        WHEN restriction = restriction_before THEN NULL
        WHEN restriction = 'full' THEN 'closed'
        WHEN restriction = 'partial' THEN 'partly_closed'
        ELSE 'opened'
    END
], lambda event: event IS NOT NULL);

-- What the files of each policy_set_id of both datasets say to each agent (a macro for the same
-- reason as answers_in_time).
CREATE OR REPLACE TEMP MACRO restrictions() AS TABLE
SELECT dataset, policy_set_id, agent, group_kind = 'named' AS is_named, restriction
FROM both_of('policy_sets')
WHERE dialect = asked_dialect();

-- What happened to an agent on an origin, in the asked dialect, between two answers that follow each
-- other: named or unnamed (a group of its own begins or ends), closed, partly_closed or opened
-- (policies.restriction becomes full, partial or none). What an origin says of the agent in its
-- first answer (named, closed, partly_closed) is an event too, of unknown beginning.
--   last_without  time of the last answer without it: it happened after that. NULL: the first
--                 answer has it
--   first_with    time of the first answer with it: it happened then at the latest
--   gaps          crawls between the two without an answer of the origin
-- Row: one event of an agent on an origin.
-- Key: origin, agent, nth, event.
CREATE OR REPLACE TEMP VIEW agent_events AS
WITH steps AS (
    SELECT
        dataset,
        origin,
        url_host_name,
        domain,
        represents_domain,
        crawl,
        nth,
        fetch_time,
        capture_id,
        policy_set_id,
        decided_restriction,
        lag(dataset) OVER in_time AS dataset_before,
        lag(policy_set_id) OVER in_time AS policy_set_id_before,
        lag(decided_restriction) OVER in_time AS decided_restriction_before,
        lag(fetch_time) OVER in_time AS last_without,
        lag(crawl) OVER in_time AS crawl_before,
        nth - lag(nth) OVER in_time - 1 AS gaps
    FROM crawl_answers
    WINDOW in_time AS (PARTITION BY origin ORDER BY nth)
),
compared AS (
    SELECT
        steps.* EXCLUDE (policy_set_id, policy_set_id_before, dataset_before),
        later.agent,
        later.is_named,
        coalesce(earlier.is_named, false) AS was_named,
        coalesce(steps.decided_restriction, later.restriction) AS restriction,
        coalesce(steps.decided_restriction_before, earlier.restriction, 'none') AS restriction_before
    FROM steps
    JOIN restrictions() AS later USING (dataset, policy_set_id)
    LEFT JOIN restrictions() AS earlier
        ON earlier.dataset = steps.dataset_before
        AND earlier.policy_set_id = steps.policy_set_id_before
        AND earlier.agent = later.agent
    WHERE (steps.policy_set_id, steps.decided_restriction, steps.dataset)
        IS DISTINCT FROM (steps.policy_set_id_before, steps.decided_restriction_before, steps.dataset_before)
),
happened AS (
    SELECT *, unnest(events_of(was_named, is_named, restriction_before, restriction)) AS event
    FROM compared
)
SELECT
    origin,
    url_host_name,
    domain,
    represents_domain,
    agent,
    event,
    last_without,
    fetch_time AS first_with,
    crawl_before,
    crawl,
    nth,
    gaps,
    restriction_before,
    restriction,
    capture_id
FROM happened;

-- Days on which operators announced product tokens, with the source of each.
-- Row: one product token.
-- Key: agent.
CREATE OR REPLACE TEMP VIEW announcements AS
FROM (VALUES
    ('GPTBot', TIMESTAMPTZ '2023-08-07 00:00:00+00', 'OpenAI, documentation of GPTBot'),
    ('Google-Extended', TIMESTAMPTZ '2023-09-28 00:00:00+00', 'Google, "An update on web publisher controls"'),
    ('Applebot-Extended', TIMESTAMPTZ '2024-06-11 00:00:00+00', 'Apple, "About Applebot"'),
    ('OAI-SearchBot', TIMESTAMPTZ '2024-07-25 00:00:00+00', 'OpenAI, "SearchGPT is a prototype of new AI search features"')
) AS announced (agent, announced, source);

-- The day on which an agent was announced; NULL: it is not in announcements.
CREATE OR REPLACE TEMP MACRO announced_of(asked_agent) AS (SELECT announced FROM announcements WHERE agent = asked_agent);

-- The marks of common publishing systems and services in a file. A mark is a part of a comment, a
-- whole product token (lower case), or a whole path-pattern; a sign is a set of marks in one file,
-- and one sign is enough for a template. Owners rarely change marks, but some do: a file without a
-- sign may still be of that system, and one with a sign may have been edited since.
-- Row: one mark of a template.
-- Key: template, sign, place, mark.
CREATE OR REPLACE TEMP VIEW template_marks AS
FROM (VALUES
    ('Cloudflare managed', 1, 'comment', 'begin cloudflare managed content'),
    ('Cloudflare managed', 2, 'agent', 'cloudflarebrowserrenderingcrawler'),
    ('Drupal', 1, 'comment', 'this file is to prevent the crawling and indexing of certain parts'),
    ('Drupal', 2, 'pattern', '/filter/tips'),
    ('Drupal', 2, 'pattern', '/node/add/'),
    ('Drupal', 3, 'pattern', '/?q=node/add/'),
    ('Joomla', 1, 'comment', 'if the joomla site is installed within a folder'),
    ('Joomla', 2, 'pattern', '/administrator/'),
    ('Joomla', 2, 'pattern', '/components/'),
    ('Joomla', 2, 'pattern', '/modules/'),
    ('Shopify', 1, 'comment', 'we use shopify as our ecommerce platform'),
    ('Shopify', 2, 'pattern', '/a/downloads/-/*'),
    ('Squarespace', 1, 'comment', 'squarespace robots txt'),
    ('Squarespace', 2, 'pattern', '/*?format=json-pretty'),
    ('Wix', 1, 'pattern', '*?lightbox='),
    ('WordPress', 1, 'pattern', '/wp-admin/'),
    ('WordPress', 2, 'pattern', '/wp-admin'),
    ('WordPress', 3, 'pattern', '/wp-includes/'),
    ('Yoast', 1, 'comment', 'start yoast block')
) AS marks (template, sign, place, mark);

-- One row for each file and each template of which it has a sign; a file may have several
-- (WordPress with Yoast and Cloudflare).
-- Row: one file and one template of which it has a sign.
-- Key: capture_id, template.
CREATE OR REPLACE TEMP VIEW templates AS
WITH found AS (
    SELECT capture_id, template, sign, mark
    FROM comments
    JOIN template_marks ON place = 'comment' AND contains(lower(text), mark)
    UNION ALL
    SELECT capture_id, template, sign, mark
    FROM agents
    JOIN template_marks ON place = 'agent' AND lower(agent_token) = mark
    UNION ALL
    SELECT capture_id, template, sign, mark
    FROM rules
    JOIN template_marks ON place = 'pattern' AND pattern = mark
),
signs AS (
    SELECT template, sign, count(*) AS marks
    FROM template_marks
    GROUP BY template, sign
)
SELECT DISTINCT capture_id, template
FROM (
    SELECT capture_id, template, sign, count(DISTINCT mark) AS marks
    FROM found
    GROUP BY capture_id, template, sign
)
JOIN signs USING (template, sign, marks);

-- The share n of whole, rounded to 6 decimals, so that one that is rounded again, to tenths of a
-- percent, is that of the counts. Only a share of none is 0 and only one of all is 1; NULL if whole
-- is 0.
CREATE OR REPLACE TEMP MACRO share_of(n, whole) AS CASE
    WHEN whole = 0 THEN NULL
    WHEN n = 0 OR n = whole THEN (n / whole)::DOUBLE
    ELSE greatest(0.000001, least(0.999999, round(n / whole, 6)))::DOUBLE
END;

-- The lower and the upper end of the 95 % interval of a share n of whole (Wilson's score interval,
-- E. B. Wilson 1927), as if the hosts were a random sample; rounded to 6 decimals. It is valid for
-- few hosts and for shares near 0 and 1, and within 0 and 1. The numbers are z = 1.959964, the
-- 97.5 % quantile of the normal distribution, and z^2/4, z^2/2 and z^2. NULL if whole is 0.
CREATE OR REPLACE TEMP MACRO wilson_low(n, whole) AS if(whole = 0, NULL, round(greatest(0.0,
    (n + 1.920729 - 1.959964 * sqrt(n * ((whole - n) / whole) + 0.960365)) / (whole + 3.841459)
), 6));
CREATE OR REPLACE TEMP MACRO wilson_high(n, whole) AS if(whole = 0, NULL, round(least(1.0,
    (n + 1.920729 + 1.959964 * sqrt(n * ((whole - n) / whole) + 0.960365)) / (whole + 3.841459)
), 6));

-- Half the 95 % interval of the difference of two shares of the same pairs, of which so many gained
-- and so many lost a property (A. Agresti and Y. Min 2005, with half a pair more in each of the four
-- cells); its middle is (gained - lost) / (pairs + 2).
CREATE OR REPLACE TEMP MACRO paired_error(gained, lost, pairs) AS
    1.959964 * sqrt(gained + lost + 1 - (gained - lost) * ((gained - lost) / (pairs + 2))) / (pairs + 2);

