"""Recounts of queries about what hosts allow to whom."""

import collections
import itertools
import re

from counts import Share, hosts, of_domains, query


def policies(data, agent, dialect=None, with_html=False):
    """Yields (host, capture, end, policy) of every host whose file was read under a dialect, or whose page of HTML was."""
    dialect = dialect or data.reference
    for host, capture in hosts(data).items():
        end = data.end(capture, dialect)
        if data.has_robots_txt(end) or with_html and end.access == "conditional":
            yield host, capture, end, data.policy_of(capture, dialect, agent)


def can_be_named(agent, dialect):
    """Returns whether some user-agent line can give an agent a group of its own; NULL for everybody."""
    if agent == "*":
        return None
    letters = re.fullmatch(r"[A-Za-z_-]+" if dialect == "google" else r"[^ \t/;(*]+", agent)
    return letters is not None


def full_by_host(data, agents):
    """Returns, for each host that was read, the agents that are fully restricted."""
    full = {host: set() for host, *_ in policies(data, "*")}
    for agent in agents:
        for host, _, _, found in policies(data, agent):
            if found.restriction == "full":
                full[host].add(agent)
    return full


def of_category(data, *prefixes):
    return [agent for agent, category in data.matrix.categories.items() if (category or "").startswith(prefixes)]


@query("count-hosts-blocking-gptbot")
@query("count-hosts-blocking-gptbot", agent="*")
@query("count-hosts-blocking-gptbot", agent="MJ12bot")
@query("count-hosts-blocking-gptbot", agent="CCBot", dialect="rfc9309")
@query("count-hosts-blocking-gptbot", agent="MJ12bot", dialect="rfc9309")
@query("count-hosts-blocking-gptbot", dialect="original-1994")
def hosts_blocking(data, options):
    agent, dialect = options.get("agent", "GPTBot"), options.get("dialect", data.reference)
    counts = collections.Counter()
    standing = data.standing()
    for host, capture in hosts(data).items():
        end = data.end(capture, dialect)
        kind = data.policy_of(capture, dialect, agent).kind
        verdict, basis, _ = data.cells_of(capture, dialect, agent)[data.matrix.paths.index("/")]
        counts["hosts_asked"] += 1
        has_robots_txt = data.has_robots_txt(end)
        counts["hosts_read"] += has_robots_txt
        counts["hosts_naming"] += has_robots_txt and kind == "named"
        is_blocked = verdict == "disallow" and (has_robots_txt or basis == "access")
        counts["blocked_by_own_group"] += is_blocked and basis != "access" and kind == "named"
        counts["blocked_by_everybodys_group"] += is_blocked and basis != "access" and kind != "named"
        counts["blocked_by_rules"] += is_blocked and basis != "access"
        counts["blocked_by_status"] += is_blocked and basis == "access"
        if host in standing:
            counts["domains_asked"] += 1
            counts["domains_read"] += has_robots_txt
            counts["domains_blocked_by_rules"] += is_blocked and basis != "access"
            counts["domains_blocked_by_own_group"] += is_blocked and basis != "access" and kind == "named"
            counts["domains_blocked_by_everybodys_group"] += is_blocked and basis != "access" and kind != "named"
            counts["domains_blocked_by_status"] += is_blocked and basis == "access"
    hosts_blocked, domains_blocked = counts["blocked_by_rules"], counts["domains_blocked_by_rules"]
    return [
        {
            "agent": agent,
            **counts,
            "can_be_named": can_be_named(agent, dialect),
            "share_of_read": Share(hosts_blocked, counts["hosts_read"]),
            "share_of_asked": Share(hosts_blocked + counts["blocked_by_status"], counts["hosts_asked"]),
            "share_of_domains_read": Share(domains_blocked, counts["domains_read"]),
            "share_of_domains_asked": Share(domains_blocked + counts["domains_blocked_by_status"], counts["domains_asked"]),
        }
    ]


@query("compare-restriction-by-agent", "agent")
@query("compare-restriction-by-agent", "agent", dialect="rfc9309")
@query("compare-restriction-by-agent", "agent", dialect="original-1994")
def restriction_by_agent(data, options):
    for agent in data.matrix.agents:
        found, domains = collections.Counter(), collections.Counter()
        standing = data.standing()
        for host, _, end, policy in policies(data, agent, options.get("dialect")):
            found[policy.restriction, policy.kind == "named"] += 1
            domains[policy.restriction, policy.kind == "named"] += host in standing
        n = sum(found.values())
        named = sum(count for (_, is_named), count in found.items() if is_named)
        yield {
            "agent": agent,
            "agent_category": data.matrix.categories[agent],
            "hosts_read": n,
            "named": named,
            "full_named": found["full", True],
            "full_everybody": found["full", False],
            "partial_named": found["partial", True],
            "partial_everybody": found["partial", False],
            "share_named": Share(named, n),
            "share_full": Share(found["full", True] + found["full", False], n),
            "share_partial": Share(found["partial", True] + found["partial", False], n),
            "share_none": Share(found["none", True] + found["none", False], n),
            "can_be_named": can_be_named(agent, options.get("dialect", data.reference)),
            "domains_read": domains.total(),
            "domains_full": domains["full", True] + domains["full", False],
            "domains_full_named": domains["full", True],
            "domains_partial_named": domains["partial", True],
            "domains_partial_everybody": domains["partial", False],
            "share_of_domains_named": Share(sum(count for (_, is_named), count in domains.items() if is_named), domains.total()),
            "share_of_domains_full": Share(domains["full", True] + domains["full", False], domains.total()),
            "share_of_domains_partial": Share(domains["partial", True] + domains["partial", False], domains.total()),
            "share_of_domains_none": Share(domains["none", True] + domains["none", False], domains.total()),
        }


@query("compare-definitions-of-blocking", "dialect", "html", "definition", "class")
@query("compare-definitions-of-blocking", "dialect", "html", "definition", "class", agent="*")
@query("compare-definitions-of-blocking", "dialect", "html", "definition", "class", agent="Googlebot")
@query("compare-definitions-of-blocking", "dialect", "html", "definition", "class", agent="MJ12bot")
def definitions(data, options):
    agent = options.get("agent", "GPTBot")
    for dialect, html in itertools.product(data.matrix.dialects, ("excluded", "included")):
        found = {host: policy for host, _, _, policy in policies(data, agent, dialect, html == "included")}
        n_domains = len(of_domains(data, found))
        for definition in ("restriction", "class_dpi", "class_cc", "class_probe"):
            classes = collections.defaultdict(list)
            for host, policy in found.items():
                classes[getattr(policy, definition)].append(host)
            for name, named in classes.items():
                domains = len(of_domains(data, named))
                yield {
                    "dialect": dialect,
                    "html": html,
                    "definition": definition,
                    "class": name,
                    "hosts": len(named),
                    "share_of_hosts": Share(len(named), len(found)),
                    "domains": domains,
                    "share_of_domains": Share(domains, n_domains),
                    "can_be_named": can_be_named(agent, dialect),
                }


@query("compare-bias-by-agent", "agent", "bias")
@query("compare-bias-by-agent", "agent", "bias", dialect="rfc9309")
def bias_by_agent(data, options):
    degrees = {"none": 0, "partial": 1, "full": 2}
    everybody = {host: policy.restriction for host, _, _, policy in policies(data, "*", options.get("dialect"))}
    for agent in data.matrix.agents:
        found = collections.defaultdict(list)
        for host, _, _, policy in policies(data, agent, options.get("dialect")):
            if policy.kind == "named":
                apart = degrees[policy.restriction] - degrees[everybody[host]]
                found["favored" if apart < 0 else "disfavored" if apart else "same"].append(host)
        domains = {name: len(of_domains(data, named)) for name, named in found.items()}
        for name, named in found.items():
            yield {
                "agent": agent,
                "agent_category": data.matrix.categories[agent],
                "bias": name,
                "hosts": len(named),
                "share_of_naming": Share(len(named), sum(map(len, found.values()))),
                "domains": domains[name],
                "share_of_naming_domains": Share(domains[name], sum(domains.values())),
            }


@query("compare-ai-with-search", "agent_category")
def ai_with_search(data, options):
    full = full_by_host(data, data.matrix.agents)
    search = set(of_category(data, "search-engine"))
    for category in set(data.matrix.categories.values()) - {"search-engine", "wildcard", None}:
        members = set(of_category(data, category))
        found = collections.Counter((bool(agents & members), bool(agents & search)) for agents in full.values())
        standing = of_domains(data, full)
        domains = collections.Counter((bool(full[host] & members), bool(full[host] & search)) for host in standing)
        yield {
            "agent_category": category,
            "agents": len(members),
            "hosts_read": len(full),
            "only_these": found[True, False],
            "both_shut_out": found[True, True],
            "only_search": found[False, True],
            "neither": found[False, False],
            "domains_read": len(standing),
            "domains_only_these": domains[True, False],
            "domains_both_shut_out": domains[True, True],
            "domains_only_search": domains[False, True],
        }


@query("count-hosts-by-purpose-of-ai", "training", "search", "user_fetch")
def by_purpose(data, options):
    categories = ("ai-training", "ai-search", "ai-user-fetch")
    members = [set(of_category(data, category)) for category in categories]
    full = full_by_host(data, data.matrix.agents)
    found = collections.defaultdict(list)
    for host, agents in full.items():
        found[tuple("all" if some <= agents else "some" if some & agents else "none" for some in members)].append(host)
    for (training, search, user_fetch), names in found.items():
        yield {
            "training": training,
            "search": search,
            "user_fetch": user_fetch,
            "hosts": len(names),
            "share_of_hosts": Share(len(names), len(full)),
            "domains": len(of_domains(data, names)),
            "share_of_domains": Share(len(of_domains(data, names)), len(of_domains(data, full))),
            "example": min(names),
        }


@query("compare-agents-named-together", "agent", "other_agent")
def named_together(data, options):
    agents = [agent for agent in data.matrix.agents if agent == "CCBot" or agent in of_category(data, "ai-")]
    naming = {agent: {host for host, _, _, policy in policies(data, agent) if policy.kind == "named"} for agent in agents}
    for agent in filter(naming.get, agents):
        for other in filter(naming.get, agents):
            if agent != other:
                only = naming[agent] - naming[other]
                yield {
                    "agent": agent,
                    "other_agent": other,
                    "naming_both": len(naming[agent] & naming[other]),
                    "naming_only_the_first": len(only),
                    "share_without_the_other": Share(len(only), len(naming[agent])),
                    "domains_naming_both": len(of_domains(data, naming[agent] & naming[other])),
                    "domains_naming_only_the_first": len(of_domains(data, only)),
                    "share_of_domains_without_the_other": Share(len(of_domains(data, only)), len(of_domains(data, naming[agent]))),
                }


@query("list-hosts-naming-gptbot-but-not-claudebot", "url_host_name")
@query("list-hosts-naming-gptbot-but-not-claudebot", "url_host_name", agent="CCBot", other_agent="GPTBot")
def naming_one(data, options):
    agent, other = options.get("agent", "GPTBot"), options.get("other_agent", "ClaudeBot")
    others = {host: policy for host, _, _, policy in policies(data, other)}
    for host, _, end, policy in policies(data, agent):
        if policy.kind == "named" and others[host].kind != "named":
            yield {
                "url_host_name": host,
                "restriction": policy.restriction,
                "other_restriction": others[host].restriction,
                "capture_id": end.capture.id,
            }


@query("rank-agents-let-in-where-all-are-shut-out", "agent")
def let_in(data, options):
    full = full_by_host(data, data.matrix.agents)
    closed = [agents for agents in full.values() if "*" in agents]
    others = [agent for agent in data.matrix.agents if agent != "*"]
    for agent in others if closed else []:
        letting_in = sum(agent not in agents for agents in closed)
        of_domain = [full[host] for host in of_domains(data, full) if "*" in full[host]]
        yield {
            "agent": agent,
            "hosts_closed": len(closed),
            "hosts_letting_in": letting_in,
            "share_letting_in": Share(letting_in, len(closed)),
            "domains_closed": len(of_domain),
            "domains_letting_in": sum(agent not in agents for agents in of_domain),
            "let_nobody_in": sum(agents >= set(others) for agents in closed),
        }


def by_tld(data):
    """Returns, for each top-level domain, the agents that each of its hosts shuts out."""
    found = collections.defaultdict(list)
    full = full_by_host(data, data.matrix.agents)
    for host, capture in hosts(data).items():
        if host in full:
            found[capture.where.tld].append((full[host], host))
    return found


@query("rank-top-level-domains-by-blocking", "url_host_tld")
@query("rank-top-level-domains-by-blocking", "url_host_tld", least="1")
def tlds_by_blocking(data, options):
    ai = set(of_category(data, "ai-"))
    for tld, of_hosts in by_tld(data).items():
        full = [agents for agents, _ in of_hosts]
        domains = [agents for agents, host in of_hosts if of_domains(data, [host])]
        if len(full) >= int(options.get("least", 20)):
            yield {
                "url_host_tld": tld,
                "hosts_read": len(full),
                "share_any_ai": Share(sum(bool(agents & ai) for agents in full), len(full)),
                "share_all_ai": Share(sum(agents >= ai for agents in full), len(full)),
                "share_everybody": Share(sum("*" in agents for agents in full), len(full)),
                "domains_read": len(domains),
                "share_of_domains_any_ai": Share(sum(bool(agents & ai) for agents in domains), len(domains)),
                "share_of_domains_all_ai": Share(sum(agents >= ai for agents in domains), len(domains)),
                "share_of_domains_everybody": Share(sum("*" in agents for agents in domains), len(domains)),
            }


@query("rank-large-top-level-domains", "url_host_tld")
def large_tlds(data, options):
    ai = set(of_category(data, "ai-"))
    rows = [
        {
            "url_host_tld": tld or "(none)",
            "hosts_read": len(of_hosts),
            "hosts_any_ai": sum(bool(agents & ai) for agents, _ in of_hosts),
            "hosts_everybody": sum("*" in agents for agents, _ in of_hosts),
            "domains_read": len(of_domains(data, [host for _, host in of_hosts])),
            "domains_any_ai": len(of_domains(data, [host for agents, host in of_hosts if agents & ai])),
            "domains_everybody": len(of_domains(data, [host for agents, host in of_hosts if "*" in agents])),
        }
        for tld, of_hosts in by_tld(data).items()
    ]
    return sorted(rows, key=lambda row: (-row["domains_read"], row["url_host_tld"]))[:15]


@query("compare-rank-strata", "stratum", ranks=True)
def rank_strata(data, options):
    ranks = {}
    for line in open(options["ranks"], encoding="utf-8"):
        rank, domain = line.strip().split(",")
        ranks[domain] = min(int(rank), ranks.get(domain, 1 << 62))
    bounds = (1_000, 10_000, 50_000, 100_000, 1_000_000, 2_000_000)
    found = collections.defaultdict(list)
    is_read = {host: (end.capture, policy) for host, _, end, policy in policies(data, "GPTBot")}
    for host, capture in hosts(data).items():
        rank = ranks.get(capture.domain or host)
        found[next((bound for bound in bounds if rank is not None and rank <= bound), None)].append(host)
    for stratum, listed in found.items():
        known = [is_read[host][1] for host in listed if host in is_read]
        of_domain = [is_read[host][1] for host in of_domains(data, listed) if host in is_read]
        named = [policy for policy in of_domain if policy.kind == "named"]
        full = [policy for policy in of_domain if policy.restriction == "full"]
        partial = [policy for policy in of_domain if policy.restriction == "partial"]
        yield {
            "stratum": stratum,
            "hosts": len(listed),
            "share_read": Share(len(known), len(listed)),
            "hosts_read": len(known),
            "share_named": Share(sum(policy.kind == "named" for policy in known), len(known)),
            "share_full": Share(sum(policy.restriction == "full" for policy in known), len(known)),
            "share_partial": Share(sum(policy.restriction == "partial" for policy in known), len(known)),
            "domains": len(of_domains(data, listed)),
            "domains_read": len(of_domain),
            "domains_named": len(named),
            "domains_full": len(full),
            "domains_partial": len(partial),
            "share_of_domains_read": Share(len(of_domain), len(of_domains(data, listed))),
            "share_of_domains_named": Share(len(named), len(of_domain)),
            "share_of_domains_full": Share(len(full), len(of_domain)),
            "share_of_domains_partial": Share(len(partial), len(of_domain)),
            "can_be_named": True,
        }
