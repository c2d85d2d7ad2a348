-- Which changes did many domains make between the same two crawls, such as a platform that switches
-- the file of all its customers?
--
-- Tables:  crawl_answers, captures, policy_sets, templates
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
WITH answers AS (
    SELECT
        answers.dataset,
        answers.url_host_name,
        answers.crawl,
        answers.nth,
        answers.capture_id,
        answers.policy_set_id,
        if(answers.access = 'conditional', files.semantic_digest, NULL) AS semantic_digest
    FROM crawl_answers AS answers
    JOIN both_of('captures') AS files USING (dataset, capture_id)
    WHERE answers.represents_domain
),
changed AS (
    SELECT
        *,
        lag(semantic_digest) OVER in_time AS semantic_digest_before,
        lag(capture_id) OVER in_time AS capture_id_before,
        lag(policy_set_id) OVER in_time AS policy_set_id_before,
        lag(dataset) OVER in_time AS dataset_before
    FROM answers
    -- One origin represents a domain, so each host name here has one.
    WINDOW in_time AS (PARTITION BY url_host_name ORDER BY nth)
    QUALIFY semantic_digest <> semantic_digest_before
),
grouped AS (
    SELECT
        crawl,
        count(*) AS domains,
        sum(count(*)) OVER (PARTITION BY crawl) AS domains_changed,
        min({
            'url_host_name': url_host_name,
            'capture_id': capture_id,
            'capture_id_before': capture_id_before,
            'policies': {'dataset': dataset, 'policy_set_id': policy_set_id},
            'policies_before': {'dataset': dataset_before, 'policy_set_id': policy_set_id_before}
        }) AS one
    FROM changed
    GROUP BY crawl, semantic_digest_before, semantic_digest
),
most AS (
    FROM grouped
    ORDER BY domains DESC, crawl, one
    LIMIT 20
),
of_agent AS (
    SELECT {'dataset': dataset, 'policy_set_id': policy_set_id} AS id, group_kind = 'named' AS is_named, restriction
    FROM both_of('policy_sets')
    WHERE dialect = asked_dialect() AND agent = coalesce(getvariable('agent'), 'GPTBot')
),
happened AS (
    SELECT one, string_agg(event, ', ' ORDER BY event) AS events
    FROM (
        SELECT one, unnest(events_of(
            coalesce(earlier.is_named, false),
            later.is_named,
            coalesce(earlier.restriction, 'none'),
            later.restriction
        )) AS event
        FROM most
        JOIN of_agent AS later ON later.id = one.policies
        LEFT JOIN of_agent AS earlier ON earlier.id = one.policies_before
    )
    GROUP BY one
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
    (SELECT events FROM happened WHERE happened.one = most.one) AS events,
    (SELECT templates FROM marked WHERE capture_id = one.capture_id) AS templates,
    one.url_host_name,
    one.capture_id_before,
    one.capture_id
FROM most
ORDER BY domains DESC, crawl, one;
