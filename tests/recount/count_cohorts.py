"""Recounts of queries that compare hosts: by year, crawl, rank, domain, top-level domain, quantile."""

import collections
import copy
import math

from count_policies import can_be_named, of_category, policies
from counts import Share, hosts, of_domains, query, read

DEGREES = {"none": 0, "partial": 1, "full": 2}


def shares(data, found, restriction=None, kind=None):
    """Returns how many of the policies of some hosts have a restriction, or a kind of group: of hosts, and of registered domains."""

    def of(names):
        some = [found[host] for host in names]
        return sum((policy.restriction == restriction if restriction else policy.kind == kind) for policy in some)

    standing = of_domains(data, found)
    return of(found), Share(of(found), len(found)), of(standing), Share(of(standing), len(standing))


def restricted(data, found):
    """Returns the columns that most of these queries have of the policies of hosts that were read."""
    named, share_named, _, domains_named = shares(data, found, kind="named")
    full, share_full, domains_full, share_of_domains_full = shares(data, found, "full")
    partial, share_partial, _, domains_partial = shares(data, found, "partial")
    return {
        "hosts_read": len(found),
        "named": named,
        "full_by_rules": full,
        "partial_by_rules": partial,
        "share_named": share_named,
        "share_full": share_full,
        "share_partial": share_partial,
        "domains_read": len(of_domains(data, found)),
        "domains_full": domains_full,
        "share_of_domains_named": domains_named,
        "share_of_domains_full": share_of_domains_full,
        "share_of_domains_partial": domains_partial,
    }


def without(row, *columns):
    return {column: value for column, value in row.items() if column not in columns}


@query("compare-hosts-by-crawl", "period")
@query("compare-hosts-by-crawl", "period", agent="MJ12bot", dialect="rfc9309")
def hosts_by_year(data, options):
    agent, dialect = options.get("agent", "GPTBot"), options.get("dialect", data.reference)
    for crawl in {capture.crawl for capture in data.fetches()}:
        of_crawl = copy.copy(data)
        of_crawl._hosts = {(None, host): capture for (name, host), capture in data.hosts(lambda capture: capture.crawl).items() if name == crawl}
        of_crawl._domains = of_crawl._standing = None
        periods, years = collections.defaultdict(list), {}
        for host, capture in hosts(of_crawl).items():
            period = crawl or str(capture.time.year)
            periods[period].append(host)
            years[period] = min(capture.time.year, years.get(period, capture.time.year))
        known = {host: (end.capture, policy) for host, _, end, policy in policies(of_crawl, agent, dialect)}
        for period, names in periods.items():
            found = {host: known[host][1] for host in names if host in known}
            yield {
                "period": period,
                "year": years[period],
                "agent": agent,
                "can_be_named": can_be_named(agent, dialect),
                "hosts": len(names),
                "domains": len(of_domains(of_crawl, names)),
                **without(restricted(of_crawl, found), "partial_by_rules", "domains_full"),
            }


@query("compare-agents-by-top-level-domain", "url_host_tld", "agent")
@query("compare-agents-by-top-level-domain", "url_host_tld", "agent", agent="MJ12bot", dialect="rfc9309", least="5")
def agents_by_tld(data, options):
    dialect = options.get("dialect", data.reference)
    for agent in [options["agent"]] if "agent" in options else data.matrix.agents:
        tlds = collections.defaultdict(dict)
        for host, capture, _, policy in policies(data, agent, dialect):
            tlds[capture.where.tld][host] = policy
        for tld, found in tlds.items():
            if len(of_domains(data, found)) >= int(options.get("least", 20)):
                category = data.matrix.categories[agent]
                names = {"url_host_tld": tld, "agent": agent, "agent_category": category, "can_be_named": can_be_named(agent, dialect)}
                yield {**names, **restricted(data, found)}


@query("compare-tokens-with-crawlers", "token", "crawler")
def tokens_with_crawlers(data, options):
    for token, crawler in (("Google-Extended", "Googlebot"), ("Applebot-Extended", "Applebot")):
        tokens = {host: policy for host, _, _, policy in policies(data, token)}
        crawlers = {host: policy for host, _, _, policy in policies(data, crawler)}
        only = {host for host in tokens if tokens[host].restriction == "full" != crawlers[host].restriction}
        pairs = collections.Counter((tokens[host].restriction == "full", crawlers[host].restriction == "full") for host in tokens)
        yield {
            "token": token,
            "crawler": crawler,
            "hosts_read": len(tokens),
            "naming_token": sum(policy.kind == "named" for policy in tokens.values()),
            "naming_crawler": sum(policy.kind == "named" for policy in crawlers.values()),
            "only_token": len(only),
            "only_token_named": sum(tokens[host].kind == "named" for host in only),
            "only_crawler": pairs[False, True],
            "both_shut_out": pairs[True, True],
            "neither": pairs[False, False],
            "share_only_token": Share(len(only), len(tokens)),
            "domains_read": len(of_domains(data, tokens)),
            "domains_only_token": len(of_domains(data, only)),
            "share_of_domains_only_token": Share(len(of_domains(data, only)), len(of_domains(data, tokens))),
        }


@query("count-hosts-restricting-any-of", "does")
@query("count-hosts-restricting-any-of", "does", agents="GPTBot,CCBot,MJ12bot", dialect="rfc9309")
def restricting_any_of(data, options):
    dialect = options.get("dialect", data.reference)
    agents = options["agents"].split(",") if "agents" in options else of_category(data, "ai-")
    asked = {agent: {host: policy for host, _, _, policy in policies(data, agent, dialect)} for agent in agents}
    does = {
        "1 names": lambda policy: policy.kind == "named",
        "2 restricts fully": lambda policy: policy.restriction == "full",
        "3 restricts fully by name": lambda policy: policy.restriction == "full" and policy.kind == "named",
        "4 restricts fully by inheritance": lambda policy: policy.restriction == "full" and policy.kind != "named",
        "5 restricts fully or partly": lambda policy: policy.restriction != "none",
    }
    names = asked[agents[0]]
    whole = len(of_domains(data, names))
    for name, is_so in does.items():
        any_of = {host for host in names if any(is_so(asked[agent][host]) for agent in agents)}
        all_of = {host for host in names if all(is_so(asked[agent][host]) for agent in agents)}
        domains_any, domains_all = len(of_domains(data, any_of)), len(of_domains(data, all_of))
        yield {
            "does": name,
            "agents": ",".join(sorted(agents)),
            "agents_not_nameable": ",".join(sorted(agent for agent in agents if not can_be_named(agent, dialect))) or None,
            "hosts_read": len(names),
            "any_of": len(any_of),
            "all_of": len(all_of),
            "share_any": Share(len(any_of), len(names)),
            "share_all": Share(len(all_of), len(names)),
            "domains_read": whole,
            "domains_any": domains_any,
            "share_of_domains_any": Share(domains_any, whole),
            "domains_all": domains_all,
            "share_of_domains_all": Share(domains_all, whole),
        }


@query("count-domains-by-presence", "http_bare", "https_bare", "http_www", "https_www")
def domains_by_presence(data, options):
    origins = {}
    for capture in data.origins().values():
        where, domain = capture.where, capture.domain or capture.where.host
        if where.port is None and where.host in (domain, "www." + domain):
            place = where.scheme + ("_bare" if where.host == domain else "_www")
            is_read = data.has_robots_txt(data.end(capture, data.reference))
            origins.setdefault(domain, {})[place] = "file" if is_read else "none"
    places = ("http_bare", "https_bare", "http_www", "https_www")
    found = collections.defaultdict(list)
    for domain, known in origins.items():
        found[tuple(known.get(place, "not fetched") for place in places)].append(domain)
    for combination, domains in found.items():
        counts = {"domains": len(domains), "share_of_domains": Share(len(domains), len(origins)), "example": min(domains)}
        yield {**dict(zip(places, combination)), **counts}


@query("compare-top-ranked-domains", "top", ranks=True)
def top_ranked(data, options):
    with open(options["ranks"], encoding="utf-8") as lines:
        ranked = [line.strip().split(",") for line in lines]
    ranks = {domain: int(rank) for rank, domain in ranked}
    known = {host: policy for host, _, _, policy in policies(data, "GPTBot")}
    least = 0
    for top in (1_000, 10_000, 50_000, 100_000, 1_000_000, 2_000_000):
        if least < max(ranks.values(), default=0):
            domains = [domain for domain, rank in ranks.items() if rank <= top]
            standing = [data.domains()[domain] for domain in domains if domain in data.domains()]
            found = [known[host] for host in standing if host in known]
            named = sum(policy.kind == "named" for policy in found)
            full = sum(policy.restriction == "full" for policy in found)
            row = {
                "top": top,
                "domains": len(domains),
                "no_capture": len(domains) - len(standing),
                "not_read": len(standing) - len(found),
                "domains_read": len(found),
                "share_no_capture": Share(len(domains) - len(standing), len(domains)),
                "share_read": Share(len(found), len(domains)),
                "named": named,
                "full_by_rules": full,
                "share_named": Share(named, len(found)),
                "share_full": Share(full, len(found)),
                "share_partial": Share(sum(policy.restriction == "partial" for policy in found), len(found)),
                "can_be_named": True,
            }
            if domains:
                yield row
        least = top


@query("rank-domains-by-blocking-hosts", "domain")
@query("rank-domains-by-blocking-hosts", "domain", agent="CCBot")
def domains_by_blocking_hosts(data, options):
    found = collections.defaultdict(dict)
    for host, capture, _, policy in policies(data, options.get("agent", "GPTBot")):
        found[capture.domain or host][host] = policy.restriction == "full"
    full = {domain: sum(known.values()) for domain, known in found.items()}
    whole, so_far = sum(full.values()), 0
    for domain in sorted(filter(full.get, full), key=lambda domain: (-full[domain], domain))[:25]:
        so_far += full[domain]
        yield {
            "domain": domain,
            "hosts_read": len(found[domain]),
            "hosts_full": full[domain],
            "share_of_blocking": Share(full[domain], whole),
            "cumulative_share": Share(so_far, whole),
            "is_domain_blocking": found[domain].get(data.domains()[domain], False),
        }


@query("compare-restriction-across-crawls", "dataset", "crawl")
@query("compare-restriction-across-crawls", "dataset", "crawl", agent="CCBot")
def across_crawls(data, options):
    agent = options.get("agent", "GPTBot")
    crawls, domains, times = collections.defaultdict(dict), {}, {}
    for (crawl, host), capture in data.hosts(lambda capture: capture.crawl).items():
        if data.has_robots_txt(data.end(capture, data.reference)):
            crawls[crawl][host] = data.policy_of(capture, data.reference, agent)
            domains[host] = capture.domain or host
            times[crawl] = min(capture.time, times.get(crawl, capture.time))
    cohort = set(crawls[min(times, key=times.get)]) if crawls else set()
    before = None
    for crawl in sorted(times, key=times.get):
        found = {host: policy for host, policy in crawls[crawl].items() if host in cohort}
        degrees = {host: DEGREES[policy.restriction] for host, policy in found.items()}
        ranked = collections.defaultdict(list)
        for host in found:
            domain = domains[host]
            ranked[domain].append((host != domain, host != "www." + domain, len(host), host))
        standing = [found[min(ranks)[-1]] for ranks in ranked.values()]
        full, partial, named = (
            [sum(is_so(policy) for policy in some) for some in (found.values(), standing)]
            for is_so in (
                lambda policy: policy.restriction == "full",
                lambda policy: policy.restriction == "partial",
                lambda policy: policy.kind == "named",
            )
        )
        both = before and [(degrees[host], before[host]) for host in degrees if host in before]
        yield {
            "dataset": "data",
            "crawl": crawl,
            "members": len(cohort),
            "missing": len(cohort) - len(found),
            "hosts": len(found),
            "named": named[0],
            "full_by_rules": full[0],
            "partial_by_rules": partial[0],
            "share_named": Share(named[0], len(found)),
            "share_full": Share(full[0], len(found)),
            "share_partial": Share(partial[0], len(found)),
            "tighter": None if before is None else sum(now > was for now, was in both or []),
            "looser": None if before is None else sum(now < was for now, was in both or []),
            "domains": len(standing),
            "domains_full": full[1],
            "share_of_domains_named": Share(named[1], len(standing)),
            "share_of_domains_full": Share(full[1], len(standing)),
            "share_of_domains_partial": Share(partial[1], len(standing)),
        }
        before = degrees


@query("compare-quantiles-of-files", "measure")
def quantiles(data, options):
    measures = collections.defaultdict(dict)
    for host, capture in read(data).items():
        if not capture.body:
            continue
        file = data.meaning(capture).file
        measures["rules"][host] = len(file.rules)
        measures["allow"][host] = sum(rule.kind == "allow" for rule in file.rules)
        measures["disallow"][host] = sum(rule.kind == "disallow" for rule in file.rules)
        measures["groups"][host] = file.group_count
        measures["agents"][host] = len({agent.token for agent in file.agents})
        measures["sitemaps"][host] = sum(other.key == "sitemap" for other in file.others)
        measures["bytes"][host] = len(capture.body)
        lines = capture.body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        measures["lines"][host] = lines.count(b"\n") + (not lines.endswith(b"\n"))
    for measure, of_host in measures.items():
        values = sorted(of_host.values())
        of_domain = sorted(of_host[host] for host in of_domains(data, of_host))

        def at(part, values=values):
            return values[max(math.ceil(part * len(values)) - 1, 0)]

        yield {
            "measure": measure,
            "files": len(values),
            "share_zero": Share(values.count(0), len(values)),
            "least": values[0],
            **{f"p{percent}": at(percent / 100) for percent in (10, 25, 50, 75, 90, 95, 99)},
            "most": values[-1],
            "mean": Share(sum(values), len(values), 2),
            **{f"domains_p{percent}": at(percent / 100, of_domain) for percent in (50, 90, 99)},
        }
