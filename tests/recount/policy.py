"""What a file as a whole means for one crawler: restriction and the classes of three studies (`robocensus tables policies`).

Goes in: a file as `robots` reads it, and the rules that count for a crawler. Comes out: a `Policy`. Restriction is found with more probes than
the program's: each pattern is filled in several ways, so a file that the program calls full or none and that opens or closes one of these
paths is a difference.
"""

import dataclasses
import re

import robots
import verdicts

_FILLS = (b"", b"0", b"q/q")
_ENDS = (b"", b"zq-nowhere")
_NOWHERE = b"/dummy-testing-path-54321"
_CC_ALLOWS = {("disallow", b""), ("allow", b""), ("allow", b"/"), ("allow", b"*"), ("allow", b"/*")}


@dataclasses.dataclass(frozen=True, slots=True)
class Policy:
    """The row of `policies` of one file and crawler."""

    kind: str
    restriction: str
    class_dpi: str = None
    class_cc: str = None
    class_probe: str = None


def policy(file, selected):
    """Returns the policy of a file for a crawler, whose rules are `selected`."""
    return Policy(
        selected.kind,
        _measure(selected, _own_probes(selected), ("none", "partial", "full")),
        _dpi(selected.rules),
        _cc(selected.rules),
        _measure(selected, _paths_of(file, selected.dialect), ("no_restrictions", "partially_disallowed", "fully_disallowed")),
    )


def by_access(access):
    """Returns the policy where no line is read."""
    return Policy("access", {"full_allow": "none", "full_disallow": "full"}.get(access))


def _measure(selected, probes, names):
    """Returns whether no probe, some or all are forbidden."""
    none, some, all_of_them = names
    if not any(rule.kind == "disallow" and rule.raw for rule in selected.rules):
        return none
    if _is_shut(selected):
        return all_of_them
    seen = set()
    for path in probes:
        seen.add(selected.ask(path).verdict == "disallow")
        if len(seen) == 2:
            return some
    return all_of_them if seen == {True} else none


def _is_shut(selected):
    """Returns whether no path can be allowed: nothing is allowed, and a disallow matches whatever begins with a slash."""
    return all(rule.kind == "disallow" and rule.raw for rule in selected.rules) and any(rule.raw == b"/" for rule in selected.rules)


def _own_probes(selected):
    yield b"/"
    yield b"/zq-nowhere"
    is_shut = selected.ask(b"/").verdict == "disallow"
    # A rule of the kind that decided `/` is unlikely to tell anything: those of the other kind come first.
    for rule in sorted(selected.rules, key=lambda rule: (rule.kind == "disallow") == is_shut):
        if not rule.raw:
            continue
        if (rule.kind == "disallow") == is_shut:
            return
        text = rule.raw
        is_plain = selected.dialect == "original-1994"
        is_anchored = not is_plain and text.endswith(b"$")
        text = verdicts.escaped(text[:-1] if is_anchored else text)
        for fill in (b"*",) if is_plain else _FILLS:
            path = text.replace(b"*", fill)
            path = path if path.startswith(b"/") else b"/" + path
            # No crawler can ask for a byte 0 but by its escape.
            path = path.replace(b"\0", b"%00")
            for end in (b"",) if is_anchored else _ENDS:
                # What every dialect but google always allows says nothing of a site.
                if path + end != b"/robots.txt":
                    yield path + end


def _paths_of(file, dialect):
    """Yields the probes of Liu et al.: `/`, one path that no file has, and every path of the file behind a host."""
    yield b"/"
    yield _NOWHERE
    for raw in {rule.raw for rule in file.rules}:
        value = re.split(rb"[ \t\n\x0b\x0c\r]", raw, maxsplit=1)[0]
        value = value[:-1] if value.endswith(b"$") else value
        path = verdicts.path_of(b"http://h" + value, "google")
        if path != b"/robots.txt" or dialect == "google":
            yield path


def _dpi(rules):
    """Longpre et al. 2024, `interpret_agent`: by the text of the values without those that hold a question mark."""
    allows = [rule.raw for rule in rules if rule.kind == "allow" and b"?" not in rule.raw]
    disallows = [rule.raw for rule in rules if rule.kind == "disallow" and b"?" not in rule.raw]
    if not disallows or disallows == [b""] or disallows == allows:
        return "none"
    return "all" if b"/" in disallows and not allows else "some"


def _cc(rules):
    """Common Crawl, robotstxt-experiments: equality of the list of rules with those that mean all or nothing."""
    listed = [(rule.kind, rule.raw) for rule in rules]
    if listed == [("disallow", b"/")]:
        return "disallow-all"
    return "allow-all" if not listed or len(listed) == 1 and listed[0] in _CC_ALLOWS else "allow-part"


class Meaning:
    """All that is asked of one body, for every dialect and crawler of the matrix; the lines are those of the first dialect."""

    def __init__(self, body, matrix):
        self.policies, self.cells = {}, {}
        self.file = robots.parse(body, matrix.dialects[0])
        for dialect in matrix.dialects:
            file = self.file if dialect == matrix.dialects[0] else robots.parse(body, dialect)
            known = {}
            for agent in matrix.agents:
                selected = verdicts.Selected(file, agent, dialect)
                key = (selected.kind, *selected.groups)
                if key not in known:
                    known[key] = policy(file, selected), [selected.ask(path.encode()) for path in matrix.paths]
                self.policies[dialect, agent], self.cells[dialect, agent] = known[key]
