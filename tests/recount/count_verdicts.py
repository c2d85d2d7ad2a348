"""Recounts of queries about cells: which line decides, and where two dialects part."""

import collections

from counts import Share, hosts, of_domains, query


@query("list-deciding-lines", "url_host_name")
@query("list-deciding-lines", "url_host_name", agent="*", url="/search?q=test")
@query("list-deciding-lines", "url_host_name", agent="MJ12bot", dialect="rfc9309")
@query("list-deciding-lines", "url_host_name", agent="Googlebot", dialect="original-1994")
def deciding_lines(data, options):
    dialect = options.get("dialect", data.reference)
    at = data.matrix.paths.index(options.get("url", "/"))
    for host, capture in hosts(data).items():
        verdict, basis, line = data.cells_of(capture, dialect, options.get("agent", "GPTBot"))[at]
        if basis == "rule":
            end = data.end(capture, dialect).capture
            row = {"url_host_name": host, "verdict": verdict, "line": line, "capture_id": end.id}
            rule = next((rule for rule in data.meaning(end).file.rules if rule.line == line), None)
            if dialect == data.reference:
                row.update(rule_kind=rule.kind, group_index=rule.group, pattern_raw=rule.raw.decode("utf-8", "replace"))
            yield row


@query("list-hosts-blocking-gptbot-but-not-googlebot", "url_host_name")
@query("list-hosts-blocking-gptbot-but-not-googlebot", "url_host_name", agent="CCBot", dialect="rfc9309")
def blocking_one(data, options):
    dialect = options.get("dialect", data.reference)
    for host, capture in hosts(data).items():
        if data.end(capture, dialect).access == "conditional":
            one = data.cells_of(capture, dialect, options.get("agent", "GPTBot"))[0]
            other = data.cells_of(capture, dialect, "Googlebot")[0]
            if one[0] == "disallow" and other[0] == "allow":
                yield {"url_host_name": host, "capture_id": data.end(capture, dialect).capture.id, "rule_line": one[2]}


def pairs_of_cells(data, base, candidate, agent):
    """Yields (host, base's cell, candidate's cell) of every host and path."""
    for host, capture in hosts(data).items():
        for one, two in zip(data.cells_of(capture, base, agent), data.cells_of(capture, candidate, agent)):
            yield host, one, two


@query("count-flips-between-dialects", "agent", base="google", candidate="rfc9309")
@query("count-flips-between-dialects", "agent", base="google", candidate="original-1994")
@query("count-flips-between-dialects", "agent", base="rfc9309", candidate="original-1994")
def flips(data, options):
    for agent in data.matrix.agents:
        cells, shut, opened = 0, [], []
        for host, one, two in pairs_of_cells(data, options["base"], options["candidate"], agent):
            cells += 1
            if (one[0], two[0]) == ("allow", "disallow"):
                shut.append(host)
            if (one[0], two[0]) == ("disallow", "allow"):
                opened.append(host)
        yield {
            "agent": agent,
            "cells": cells,
            "to_disallow": len(shut),
            "to_allow": len(opened),
            "hosts_to_disallow": len(set(shut)),
            "hosts_to_allow": len(set(opened)),
            "share_of_cells": Share(len(shut) + len(opened), cells, 6),
            "example_to_disallow": min(shut, default=None),
            "example_to_allow": min(opened, default=None),
        }


@query("count-disagreements-of-dialects", "base_verdict", "verdict", "base_basis", "basis", base="google", candidate="rfc9309")
@query("count-disagreements-of-dialects", "base_verdict", "verdict", "base_basis", "basis", base="google", candidate="original-1994")
def disagreements(data, options):
    found, cells = collections.defaultdict(list), 0
    for agent in data.matrix.agents:
        for host, one, two in pairs_of_cells(data, options["base"], options["candidate"], agent):
            cells += 1
            if one[0] != two[0]:
                found[one[0], two[0], one[1], two[1]].append(host)
    for (base_verdict, verdict, base_basis, basis), names in found.items():
        yield {
            "dialect": options["candidate"],
            "base_verdict": base_verdict,
            "verdict": verdict,
            "base_basis": base_basis,
            "basis": basis,
            "cells": len(names),
            "share_of_cells": Share(len(names), cells, 6),
            "hosts": len(set(names)),
            "share_of_hosts": Share(len(set(names)), len(hosts(data))),
            "domains": len(of_domains(data, set(names))),
            "share_of_domains": Share(len(of_domains(data, set(names))), len(of_domains(data, hosts(data)))),
            "example_host": min(names),
        }


@query("count-rules-that-decide", "rule_kind")
def rules_that_decide(data, options):
    rules, deciding, idle = collections.Counter(), collections.Counter(), collections.Counter()
    for capture in data.captures:
        if capture.access(data.reference) != "conditional":
            continue
        meaning = data.meaning(capture)
        lines = {cell.line for agent in data.matrix.agents for cell in meaning.cells[data.reference, agent] if cell.basis == "rule"}
        for kind in ("allow", "disallow"):
            of_kind = [rule.line for rule in meaning.file.rules if rule.kind == kind]
            found = sum(line in lines for line in of_kind)
            rules[kind] += len(of_kind)
            deciding[kind] += found
            idle[kind] += bool(of_kind) and not found
    for kind in filter(rules.get, rules):
        yield {
            "rule_kind": kind,
            "rules": rules[kind],
            "deciding": deciding[kind],
            "share_deciding": Share(deciding[kind], rules[kind]),
            "captures_without_a_deciding_rule": idle[kind],
        }
