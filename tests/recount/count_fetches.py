"""Recounts of queries about fetches: status, redirects, sizes, kinds of files, coverage."""

import collections
import math

from counts import Share, counted, hosts, of_domains, query, read


def status_class(status):
    return "nothing" if status is None else f"{status // 100}xx"


@query("count-hosts-by-status", "status_class")
def hosts_by_status(data, options):
    at_first, at_last, of_host = collections.Counter(), collections.Counter(), {}
    fetched = hosts(data)
    for host, capture in fetched.items():
        end = data.end(capture, data.reference).capture
        at_first[status_class(capture.status)] += 1
        of_host[host] = "3xx" if end is None else status_class(end.status)
        at_last[of_host[host]] += 1
    n = sum(at_first.values())
    standing = data.domains().values()
    domains = collections.Counter(of_host[host] for host in standing)
    domains_at_first = collections.Counter(status_class(fetched[host].status) for host in standing)
    for name in at_first | at_last:
        yield {
            "status_class": name,
            "hosts_at_first": at_first[name],
            "share_at_first": Share(at_first[name], n),
            "hosts_at_last": at_last[name],
            "share_at_last": Share(at_last[name], n),
            "domains_at_first": domains_at_first[name],
            "share_of_domains_at_first": Share(domains_at_first[name], domains_at_first.total()),
            "domains_at_last": domains[name],
            "share_of_domains_at_last": Share(domains[name], domains.total()),
        }


@query("count-captures-by-status", "fetch_status", "access")
def captures_by_status(data, options):
    found = collections.defaultdict(list)
    for capture in data.captures:
        found[capture.status, capture.access(data.reference)].append(capture.where.host)
    for (status, access), names in found.items():
        yield {
            "fetch_status": status,
            "access": access,
            "captures": len(names),
            "share_of_captures": Share(len(names), len(data.captures)),
            "hosts": len(set(names)),
        }


@query("count-redirects-by-outcome", "redirect_outcome", "redirect_hops", "end_status")
def redirects_by_outcome(data, options):
    found = collections.defaultdict(list)
    for capture in data.fetches():
        if capture.is_redirect:
            end = data.end(capture, data.reference)
            is_elsewhere = end.capture is not None and end.capture.where.host != capture.where.host
            found[end.outcome, end.hops, end.capture and end.capture.status].append(is_elsewhere)
    n = sum(map(len, found.values()))
    for (outcome, hops, status), to_other in found.items():
        yield {
            "redirect_outcome": outcome,
            "redirect_hops": hops,
            "end_status": status,
            "fetches": len(to_other),
            "share_of_redirects": Share(len(to_other), n),
            "to_another_host": sum(to_other),
        }


@query("count-hosts-by-redirects", "redirects", "outcome")
def hosts_by_redirects(data, options):
    found = collections.defaultdict(list)
    for host, capture in hosts(data).items():
        end = data.end(capture, data.reference)
        hops = {None: 0, "resolved": end.hops}.get(end.outcome)
        found[hops, end.outcome or "no_redirect"].append((host, data.has_robots_txt(end)))
    for (hops, outcome), named in found.items():
        yield {
            "redirects": hops,
            "outcome": outcome,
            **counted(data, [host for host, _ in named], hosts(data)),
            "hosts_read": sum(is_read for _, is_read in named),
        }


@query("count-hosts-by-size-of-file", "bytes_up_to")
def hosts_by_size(data, options):
    limits = (0, 100, 1024, 10 << 10, 100 << 10, 500 << 10)
    sizes = collections.defaultdict(list)
    for host, capture in read(data).items():
        size = len(capture.body)
        sizes[next((limit for limit in limits if size <= limit), None)].append((host, size))
    for limit, of_hosts in sizes.items():
        found = [size for _, size in of_hosts]
        yield {
            "bytes_up_to": limit,
            **counted(data, [host for host, _ in of_hosts], read(data)),
            "hosts_cut": sum(size > 512_000 for size in found),
            "largest": max(found),
        }


@query("count-hosts-by-power-of-two", "bytes_from")
def hosts_by_power(data, options):
    sizes = collections.defaultdict(list)
    for host, capture in read(data).items():
        size = len(capture.body)
        sizes[size and 1 << size.bit_length() - 1].append((host, size))
    for least, found in sizes.items():
        yield {
            "bytes_from": least,
            "bytes_below": max(2 * least, 1),
            **counted(data, [host for host, _ in found], read(data)),
            "hosts_over_500_kib": sum(size > 500 * 1024 for _, size in found),
        }


@query("list-hosts-blocked-by-status", "url_host_name")
def blocked_by_status(data, options):
    for host, capture in hosts(data).items():
        end = data.end(capture, data.reference)
        if end.access == "full_disallow":
            yield {
                "url_host_name": host,
                "origin": capture.where.origin,
                "fetch_status": capture.status,
                "end_status": end.capture and end.capture.status,
                "capture_id": (end.capture or capture).id,
            }


@query("list-coverage", "section", "item")
def coverage(data, options):
    counted = hosts(data)
    latest = max((capture.crawl for capture in data.fetches() if capture.crawl), default=None)
    names = {capture.where.host for capture in data.captures if capture.crawl == latest} - {capture.where.host for capture in data.fetches() if capture.crawl == latest}
    outcomes = collections.Counter(data.end(capture, data.reference).outcome for capture in data.fetches())
    rows = [
        ("Hosts", "registered domains", len(data.domains())),
        ("Hosts", "registered domains with a robots.txt", len(of_domains(data, read(data)))),
        ("Hosts", "with a robots.txt", len(read(data))),
        ("Missing", "archives that are incomplete", 0),
        ("Missing", "bytes of archives skipped", 0),
        ("Missing", "captures whose body is cut in the archive", sum(bool(c.truncated) or c.is_cut for c in data.captures)),
        ("Archives", "read", data.archives),
        ("Archives", "bytes read", data.bytes),
        ("Records", "in the archives", data.records["all"]),
        ("Records", "became captures", len(data.captures)),
        ("Captures", "in the dataset", len(data.captures)),
        ("Captures", "that ask for a robots.txt", len(data.fetches())),
        ("Hosts", "origins (scheme, host and port)", len(data.origins())),
        ("Hosts", "host names", len(counted)),
        ("Missing", "fetches that redirect to a target that was not captured", outcomes["not_in_corpus"]),
        ("Missing", "captures longer than the reference dialect reads", sum(len(c.body) > 512_000 for c in data.captures if c.access(data.reference) == "conditional")),
        ("Missing", "host names that only hops of redirects have", len(names)),
    ]
    rows += [("Hosts", f"without a robots.txt: {reason}", n) for reason, n in _not_read(data, counted).items()]
    rows += [("Records", f"skipped: {reason}", n) for reason, n in data.records.items() if reason != "all"]
    for section, item, n in rows:
        yield {"section": section, "item": item, "n": n}


def _not_read(data, counted):
    """Counts the hosts without a robots.txt by what stood in the way."""
    reasons = {
        "not_in_corpus": "redirect to a target that was not captured",
        "loop": "redirect in a loop",
        "too_many_hops": "more redirects than the dialect follows",
        "not_modified": "status 304 without the file that it confirms",
        "not_followable": "redirect that cannot be followed",
    }
    found = collections.Counter()
    for capture in counted.values():
        end = data.end(capture, data.reference)
        if end.access == "conditional" and not data.has_robots_txt(end):
            found["a page of HTML" if end.capture.is_html else "no text, or no line with a known field"] += 1
        elif end.access != "conditional":
            status = end.capture and end.capture.status
            found[reasons.get(end.outcome) or ("no status" if status is None else f"status {status_class(status)}")] += 1
    return found


@query("count-domains-by-agreement", "pair")
def domains_by_agreement(data, options):
    ends = {}
    for (_, origin), capture in data.origins().items():
        end = data.end(capture, data.reference)
        if data.has_robots_txt(end) and capture.where.port is None:
            ends[capture.where.scheme, capture.where.host] = capture.domain, end.capture.digest
    found = collections.defaultdict(list)
    for (scheme, host), (domain, digest) in ends.items():
        if scheme == "http" and ("https", host) in ends:
            found["http and https"].append(digest == ends["https", host][1])
        if host == domain and (scheme, "www." + host) in ends:
            found["bare and www"].append(digest == ends[scheme, "www." + host][1])
    for pair, is_same in found.items():
        yield {"pair": pair, "pairs": len(is_same), "same_bytes": sum(is_same)}


def merged_changes(rows):
    """Makes one row of the changes of form and of meaning: which of the two it is, another test tells."""
    merged = {}
    for row in rows:
        name = "form or meaning" if row["change"] in ("form", "meaning") else row["change"]
        into = merged.setdefault(name, collections.Counter())
        for column in ("pairs", "tighter", "looser"):
            into[column] += row[column]
    return [{"change": name, **counts} for name, counts in merged.items()]


@query("count-changes", "change", adapt=merged_changes)
@query("count-changes", "change", adapt=merged_changes, agent="*")
def changes(data, options):
    agent = options.get("agent", "GPTBot")
    answers = collections.defaultdict(list)
    for capture in data.fetches():
        if data.is_answer(capture):
            answers[capture.where.origin].append(capture)
    degrees = {"none": 0, "partial": 1, "full": 2}
    found = collections.defaultdict(collections.Counter)
    for captures in answers.values():
        captures.sort(key=lambda capture: (capture.time, capture.id))
        for one, two in zip(captures, captures[1:]):
            before, after = data.end(one, data.reference), data.end(two, data.reference)
            if before.access != after.access:
                name = {after.access: "appeared", before.access: "gone"}.get("conditional", "access")
            elif after.access != "conditional" or before.capture.digest == after.capture.digest:
                name = "none"
            else:
                name = "form or meaning"
            counts = found[name]
            counts["pairs"] += 1
            was, now = (degrees.get(data.policy_of(c, data.reference, agent).restriction, math.nan) for c in (one, two))
            counts["tighter"] += now > was
            counts["looser"] += now < was
    for name, counts in found.items():
        yield {"change": name, "pairs": counts["pairs"], "tighter": counts["tighter"], "looser": counts["looser"]}
