-- Which changes did many domains make between the same two crawls, such as a platform that switches
-- the file of all its customers?
--
-- Tables:  host_versions, templates, agent_events
-- Variables: agent (GPTBot), before, crawl, dialect, html, ranks, stratum
-- Caveats: Two domains make the same change if the files before have one meaning (semantic digest),
--          those after too, and both are first seen in the same crawl. Files whose rules name their
--          own host or paths share no meaning, so that such a platform is not found. A registered
--          domain counts by one origin (represents_domain in views.sql). Templates are those of one
--          file after the change. The agent is the variable agent (default: GPTBot), the dialect is
--          the variable dialect (default: the dataset's reference).
-- Shape:   one row for each of the 20 changes of most domains: crawl (with the files
--          after it), domains, domains_changed (all that changed their meaning by that crawl),
--          share_of_domains_changed, share_of_domains_changed_low, share_of_domains_changed_high
--          (0 to 1), events (of the agent on one of them; NULL: none), templates, url_host_name (one
--          of them), capture_id_before, capture_id; by number of domains
WITH steps AS (
    SELECT
        *,
        lag(semantic_digest) OVER in_time AS semantic_digest_before,
        lag(capture_id) OVER in_time AS capture_id_before
    FROM host_versions
    WHERE represents_domain
    WINDOW in_time AS (PARTITION BY origin ORDER BY version)
),
grouped AS (
    SELECT
        first_crawl AS crawl,
        count(*) AS domains,
        sum(count(*)) OVER (PARTITION BY first_crawl) AS domains_changed,
        min({'url_host_name': url_host_name, 'origin': origin, 'capture_id': capture_id, 'capture_id_before': capture_id_before}) AS one
    FROM steps
    WHERE semantic_digest IS NOT NULL AND semantic_digest_before IS NOT NULL
    GROUP BY first_crawl, semantic_digest_before, semantic_digest
),
most AS (
    FROM grouped
    ORDER BY domains DESC, crawl, one
    LIMIT 20
),
happened AS (
    SELECT capture_id, string_agg(event, ', ' ORDER BY event) AS events
    FROM agent_events
    WHERE agent = coalesce(getvariable('agent'), 'GPTBot') AND capture_id IN (SELECT one.capture_id FROM most)
    GROUP BY capture_id, origin
),
marked AS (
    SELECT capture_id, string_agg(template, ', ' ORDER BY template) AS templates
    FROM templates
    WHERE capture_id IN (SELECT one.capture_id FROM most)
    GROUP BY capture_id
)
SELECT
    crawl,
    domains,
    domains_changed::BIGINT AS domains_changed,
    share_of(domains, domains_changed) AS share_of_domains_changed,
    wilson_low(domains, domains_changed) AS share_of_domains_changed_low,
    wilson_high(domains, domains_changed) AS share_of_domains_changed_high,
    (SELECT min(events) FROM happened WHERE capture_id = one.capture_id) AS events,
    (SELECT templates FROM marked WHERE capture_id = one.capture_id) AS templates,
    one.url_host_name,
    one.capture_id_before,
    one.capture_id
FROM most
ORDER BY domains DESC, crawl, one;
