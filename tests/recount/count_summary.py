"""A recount of the figures of a run's summary (`run --summary-json`)."""

import collections

from counts import Share, hosts, of_domains, read


def summary(data):
    """Returns figures by the names that lead to them in the JSON."""
    reference = data.reference
    is_read = [capture for capture in data.captures if capture.access(reference) == "conditional"]
    of_files = [data.meaning(capture).file for capture in is_read]
    expected = {
        ("archives",): data.archives,
        ("archives_incomplete",): 0,
        ("bytes_in",): data.bytes,
        ("bytes_skipped",): 0,
        ("records",): data.records["all"],
        ("captures",): len(data.captures),
        ("rules",): sum(len(file.rules) for file in of_files),
        ("groups",): sum(file.group_count for file in of_files),
        ("agent_lines",): sum(len(file.agents) for file in of_files),
        ("verdicts",): len(data.captures) * len(data.matrix.dialects) * len(data.matrix.agents) * len(data.matrix.paths),
        ("reference_dialect",): reference,
        ("hosts_crawl",): max((capture.crawl for capture in data.fetches() if capture.crawl), default=None),
        ("origins", "count"): len(data.origins()),
        ("hosts", "count"): len(hosts(data)),
        ("domains", "count"): len(data.domains()),
        ("hosts_read", "count"): len(read(data)),
        ("domains_read", "count"): len(of_domains(data, read(data))),
    }
    classes = collections.Counter("none" if c.status is None else f"{c.status // 100}xx" for c in data.captures)
    accesses = collections.Counter(capture.access(reference) for capture in data.captures)
    expected.update({("captures_by_status", name): n for name, n in classes.items()})
    expected.update({("captures_by_access", name): n for name, n in accesses.items()})
    expected.update({("records_skipped", name.replace(" ", "_")): n for name, n in data.records.items() if name != "all"})
    expected.update(_redirects(data))
    expected.update(_shut_out(data))
    return expected


def _redirects(data):
    outcomes = collections.Counter(data.end(capture, data.reference).outcome for capture in data.captures if capture.is_redirect)
    return {("redirects_by_outcome", name): n for name, n in outcomes.items()}


def _shut_out(data):
    """Hosts, and registered domains, with a robots.txt whose root is disallowed to any, or every, agent of a category."""
    shut, whole = collections.Counter(), collections.Counter()
    categories = collections.defaultdict(list)
    for agent, category in data.matrix.categories.items():
        categories[category].append(agent)
    at = data.matrix.paths.index("/")
    for host, capture in hosts(data).items():
        if not data.has_robots_txt(data.end(capture, data.reference)):
            continue
        units = ("hosts", "domains") if host in data.standing() else ("hosts",)
        whole.update(units)
        for category, agents in categories.items():
            is_shut = [data.cells_of(capture, data.reference, agent)[at][0] == "disallow" for agent in agents]
            for unit in units:
                shut[category, "any_agent", unit] += any(is_shut)
                shut[category, "every_agent", unit] += all(is_shut)
    expected = {}
    for category in categories:
        for whom in ("any_agent", "every_agent"):
            names = "root_disallowed_by_category", category, whom
            for unit in ("hosts", "domains"):
                n = shut[category, whom, unit]
                expected[names + (unit,)] = n
                expected[names + (f"share_of_{unit}_read",)] = Share(n, whole[unit], 9)
    return expected
