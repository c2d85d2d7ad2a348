"""Recounts of queries about lines: agents, patterns, other fields, signals, sitemaps, delays, templates."""

import collections
import re
import statistics

import signals
import verdicts
from robots import KNOWN
from counts import Share, Tally, counted, files, first, hosts, of_domains, query, read, shown


def spelled(data, token):
    """Returns a token as the matrix spells the crawler that it names, else as it is."""
    names = {agent.lower(): agent for agent in data.matrix.agents}
    return names.get(shown(token), shown(token))


@query("rank-agents-by-domains", "agent_token")
def agents_by_hosts(data, options):
    named = Tally()
    for host, file in files(data):
        for agent in file.agents:
            named[agent.token][host] += 1
    whole = read(data)
    rows = [{"agent_token": spelled(data, token), **counted(data, found, whole), "lines": found.total()} for token, found in named.items()]
    return first(rows, 25, "agent_token")


@query("rank-paths-by-domains", "pattern")
def paths_by_hosts(data, options):
    paths, everybodys = Tally(), Tally()
    for host, file in files(data):
        of_everybody = {agent.group for agent in file.agents if agent.is_everybody}
        for rule in file.rules:
            pattern = verdicts.escaped(rule.raw)
            if rule.kind == "disallow" and pattern and rule.group is not None:
                paths[pattern][host] += 1
                everybodys[pattern][host] += rule.group in of_everybody
    whole = read(data)
    most = sorted(paths, key=lambda pattern: (-len(of_domains(data, paths[pattern])), -len(paths[pattern]), pattern))[:50]
    for pattern in most:
        yield {
            "pattern": shown(pattern),
            **counted(data, paths[pattern], whole),
            "in_everybodys_group": sum(map(bool, everybodys[pattern].values())),
            "lines": paths[pattern].total(),
        }


FEATURES = {
    "1 any": lambda raw, pattern: True,
    "2 empty": lambda raw, pattern: not pattern,
    "3 wildcard *": lambda raw, pattern: b"*" in pattern,
    "4 wildcard at the end only": lambda raw, pattern: pattern.find(b"*") == len(pattern) - 1 >= 0,
    "5 anchor $": lambda raw, pattern: pattern.endswith(b"$"),
    "6 query ?": lambda raw, pattern: b"?" in pattern,
    "7 percent-escape as written": lambda raw, pattern: verdicts.ESCAPE.search(raw) is not None,
    "8 outside ASCII as written": lambda raw, pattern: not raw.isascii(),
    "9 begins with neither / nor *": lambda raw, pattern: pattern[:1] not in (b"", b"/", b"*"),
}


@query("count-features-of-patterns", "feature")
def features(data, options):
    found = {feature: [] for feature in FEATURES}
    whole = read(data)
    for host, file in files(data):
        for rule in file.rules:
            pattern = verdicts.escaped(rule.raw)
            for feature, has in FEATURES.items():
                if has(rule.raw, pattern):
                    found[feature].append((host, pattern))
    for feature, rules in found.items():
        if rules:
            yield {
                "feature": feature,
                "rules": len(rules),
                "share_of_rules": Share(len(rules), len(found["1 any"])),
                **counted(data, {host for host, _ in rules}, whole),
                "most_octets": max(len(pattern) for _, pattern in rules),
                "most_wildcards": max(pattern.count(b"*") for _, pattern in rules),
            }


@query("rank-directives-by-domains", "key", "is_known")
def directives_by_hosts(data, options):
    found, in_groups, whole = Tally(), collections.Counter(), read(data)
    for host, file in files(data):
        for other in file.others:
            is_known = other.key in KNOWN
            if is_known or other.key[:1].isalnum():
                found[other.key, is_known][host] += 1
                in_groups[other.key, is_known] += other.group is not None
    rows = [
        {
            "key": key,
            "is_known": is_known,
            **counted(data, names, whole),
            "lines": names.total(),
            "in_groups": in_groups[key, is_known],
        }
        for (key, is_known), names in found.items()
    ]
    return sorted(rows, key=lambda row: (-row["domains"], -row["hosts"], -row["lines"], row["key"]))[:50]


def stated(data, vocabulary=None):
    """Yields (host, group, statement) of every host whose file was read and is no page."""
    for host, file in files(data):
        for other in file.others:
            for statement in signals.statements(other):
                if vocabulary in (None, statement.vocabulary):
                    yield host, other.group, statement


@query("count-content-signals", "key", "value", "parse_ok")
def content_signals(data, options):
    found = collections.defaultdict(list)
    for host, group, statement in stated(data, "content-signal"):
        found[statement.key, statement.value, statement.is_parsed].append((host, group is not None))
    whole = read(data)
    for (key, value, is_parsed), named in found.items():
        yield {
            "key": key,
            "value": value,
            "parse_ok": is_parsed,
            **counted(data, {host for host, _ in named}, whole),
            "in_group": len({host for host, is_in in named if is_in}),
            "before_any_group": len({host for host, is_in in named if not is_in}),
        }


@query("count-content-usage", "parse_ok", "key", "value")
def content_usage(data, options):
    found = collections.defaultdict(list)
    for host, _, statement in stated(data, "content-usage"):
        found[statement.is_parsed, statement.key, statement.value].append((host, statement.path))
    whole = read(data)
    for (is_parsed, key, value), named in found.items():
        yield {
            "parse_ok": is_parsed,
            "key": key,
            "value": value,
            **counted(data, {host for host, _ in named}, whole),
            "statements": len(named),
            "with_path": sum(path is not None for _, path in named),
        }


@query("count-hosts-stating-terms", "vocabulary")
def stating_terms(data, options):
    found = collections.defaultdict(list)
    for host, _, statement in stated(data):
        found[statement.vocabulary].append((host, statement))
    whole = read(data)
    for vocabulary, named in found.items():
        # A statement that has not the form of its vocabulary states nothing.
        values = [statement.path if statement.value is None else statement.value for _, statement in named if statement.is_parsed]
        yield {
            "vocabulary": vocabulary,
            **counted(data, {host for host, statement in named if statement.is_parsed}, whole),
            "statements": sum(statement.is_parsed for _, statement in named),
            "hosts_not_parsed": len({host for host, statement in named if not statement.is_parsed}),
            "different_values": len(set(values) - {None}),
            "example_value": min((value for value in values if value is not None), default=None),
            "not_parsed": sum(not statement.is_parsed for _, statement in named),
        }


def seconds(raw):
    """Returns a delay as a number of seconds; None where it is no number."""
    text = shown(raw).strip()
    return float(text) if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", text) else None


@query("count-crawl-delays", "class")
def crawl_delays(data, options):
    found = collections.defaultdict(list)
    for host, file in files(data):
        for other in file.others:
            if other.key == "crawl-delay":
                found[delay_class(seconds(other.raw))].append((host, other.group is None))
    whole = {host for named in found.values() for host, _ in named}
    for name, named in found.items():
        yield {
            "class": name,
            **counted(data, {host for host, _ in named}, whole),
            "lines": len(named),
            "before_any_group": sum(is_before for _, is_before in named),
        }


def delay_class(delay):
    if delay is None:
        return "0 not a number"
    if delay < 0:
        return "0 negative"
    bounds = ((0, "1 zero"), (1, "2 up to 1 s"), (10, "3 up to 10 s"), (60, "4 up to 1 min"), (300, "5 up to 5 min"))
    return next((name for bound, name in bounds if delay <= bound), "6 more than 5 min")


@query("rank-agents-by-crawl-delay", "agent_token")
def agents_by_delay(data, options):
    asked = collections.defaultdict(dict)
    for host, file in files(data):
        of_group = {}
        for other in file.others:
            delay = seconds(other.raw) if other.key == "crawl-delay" else None
            if delay is not None and delay >= 0 and other.group is not None:
                of_group.setdefault(other.group, delay)
        for agent in file.agents:
            known = [delay for delay in (asked[agent.token].get(host), of_group.get(agent.group)) if delay is not None]
            asked[agent.token][host] = max(known, default=None)
    rows = []
    for token, named in asked.items():
        asking = [host for host, delay in named.items() if delay is not None]
        delays = [named[host] for host in asking]
        domains = len(of_domains(data, asking))
        if delays:
            rows.append(
                {
                    "agent_token": spelled(data, token),
                    "hosts": len(delays),
                    "share_of_naming": Share(len(delays), len(named)),
                    "domains": domains,
                    "share_of_naming_domains": Share(domains, len(of_domains(data, named))),
                    "median_seconds": statistics.median(delays),
                    "longest_seconds": max(delays),
                }
            )
    return first(rows, 25, "agent_token")


def place_of(target, host, domain):
    """Returns where a sitemap is, seen from the host that was asked."""
    named = re.match(r"https?://(?:[^/?#@]*@)?([^/?#:]+)", target)
    if named and named[1] == host:
        return "same host"
    if named:
        is_same = domain is not None and (named[1] == domain or named[1].endswith("." + domain))
        return "same domain" if is_same else "another domain"
    return "not a URL" if ":" in target or not target else "relative"


@query("count-sitemaps", "place")
def sitemaps(data, options):
    found, whole = collections.defaultdict(list), read(data)
    asked = hosts(data)
    for host, file in files(data):
        for other in file.others:
            if other.key == "sitemap":
                target = shown(other.raw).lower()
                for place in ("all", place_of(target, host, asked[host].domain)):
                    found[place].append((host, target))
    for place, named in found.items():
        lines = collections.Counter(host for host, _ in named)
        yield {
            "place": place,
            **counted(data, lines, whole),
            "lines": len(named),
            "https": sum(target.startswith("https:") for _, target in named),
            "http": sum(target.startswith("http:") for _, target in named),
            "compressed": sum(target.endswith(".gz") for _, target in named),
            "most_of_a_host": max(lines.values()),
        }


@query("compare-agents-by-crawl", "crawl", "agent_token")
def agents_by_crawl(data, options):
    named, of_domain = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    n, n_domains = collections.Counter(), collections.Counter()
    standing = data.standing_by_crawl()
    for (crawl, host), capture in data.hosts(lambda capture: capture.crawl).items():
        end = data.end(capture, data.reference)
        if data.has_robots_txt(end):
            stands = (crawl, host) in standing
            n[crawl] += 1
            n_domains[crawl] += stands
            for token in {agent.token for agent in data.meaning(end.capture).file.agents}:
                named[token][crawl] += 1
                of_domain[token][crawl] += stands
    rows = [{"agent_token": spelled(data, token), "token": token, "hosts": found.total(), "domains": of_domain[token].total()} for token, found in named.items()]
    for row in first(rows, 20, "agent_token"):
        for crawl, hosts_read in n.items():
            count, domains = named[row["token"]][crawl], of_domain[row["token"]][crawl]
            yield {
                "dataset": "data",
                "crawl": crawl,
                "agent_token": row["agent_token"],
                "hosts": count,
                "hosts_read": hosts_read,
                "share_of_hosts": Share(count, hosts_read),
                "domains": domains,
                "domains_read": n_domains[crawl],
                "share_of_domains": Share(domains, n_domains[crawl]),
            }
