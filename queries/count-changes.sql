-- Of the robots.txt files fetched again, how many changed, in form only or in meaning, and did they
-- become tighter or looser for an agent?
--
-- Tables:  agent_changes
-- Variables: agent (GPTBot), before, dialect, html
-- Caveats: The denominator is pairs of consecutive answers of the same origin, in the dataset and,
--          if the variable before is set, in that one; an origin fetched five times is four pairs.
--          Form: every agent of the reference dialect gets the same verdict for every URL
--          (comments, order, rules that never decide). Meaning: this is not proven; a few of these
--          pairs may still agree. The agent is the variable agent (default: GPTBot); tighter and
--          looser compare its restriction (none, partial, full) in the variable dialect (default:
--          the dataset's reference). In the columns of domains all origins of a registered domain
--          count as one owner: http and https, www and other hosts; a domain may be in several
--          rows.
-- Shape:   one row for each change: change (none, form, meaning, appeared, gone, access), pairs,
--          share_of_pairs (0 to 1), hosts, tighter, looser (pairs), domains, domains_tighter,
--          domains_looser, of_domains (with a pair), share_of_domains_tighter,
--          share_of_domains_tighter_low, share_of_domains_tighter_high, share_of_domains_looser,
--          share_of_domains_looser_low, share_of_domains_looser_high (of all domains with a pair, 0
--          to 1)
-- Chart:   bars label={change} value="tighter: share_of_domains_tighter (domains_tighter)"
--          value="looser: share_of_domains_looser (domains_looser)"
--          of="registered domains fetched again"
--          n="of_domains: registered domains fetched again"
WITH degrees AS (
    SELECT
        change,
        url_host_name,
        coalesce(url_host_registered_domain, url_host_name) AS domain,
        -- Where redirects have no end no capture has a policy, and the fetch decides.
        coalesce(
            list_position(['none', 'partial', 'full'], previous_restriction),
            list_position(['full_allow', '', 'full_disallow'], previous_access)
        ) AS previous_degree,
        coalesce(
            list_position(['none', 'partial', 'full'], restriction),
            list_position(['full_allow', '', 'full_disallow'], access)
        ) AS degree
    FROM agent_changes(coalesce(getvariable('agent'), 'GPTBot'))
),
whole AS (SELECT count(DISTINCT domain) AS of_domains FROM degrees)
SELECT
    change,
    count(*) AS pairs,
    share_of(count(*), sum(count(*)) OVER ()) AS share_of_pairs,
    count(DISTINCT url_host_name) AS hosts,
    count(*) FILTER (degree > previous_degree) AS tighter,
    count(*) FILTER (degree < previous_degree) AS looser,
    count(DISTINCT domain) AS domains,
    count(DISTINCT domain) FILTER (degree > previous_degree) AS domains_tighter,
    count(DISTINCT domain) FILTER (degree < previous_degree) AS domains_looser,
    of_domains,
    share_of(domains_tighter, of_domains) AS share_of_domains_tighter,
    wilson_low(domains_tighter, of_domains) AS share_of_domains_tighter_low,
    wilson_high(domains_tighter, of_domains) AS share_of_domains_tighter_high,
    share_of(domains_looser, of_domains) AS share_of_domains_looser,
    wilson_low(domains_looser, of_domains) AS share_of_domains_looser_low,
    wilson_high(domains_looser, of_domains) AS share_of_domains_looser_high
FROM degrees
CROSS JOIN whole
GROUP BY change, of_domains
ORDER BY pairs DESC, change;
