"""What a file says of a URL to a crawler, by a matcher that compares in the plainest way (robots.cc; RFC 9309, section 2.2).

Goes in: a file as `robots` reads it, a crawler's product token, a path. Comes out: a `Verdict` with the line that decided. A pattern is cut at
its wildcards and each piece is looked for behind the one before; nothing is compiled, and no verdict is remembered.
"""

import dataclasses
import functools
import re

ESCAPE = re.compile(rb"%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """allow or disallow, what it rests on, and the line of the rule (None: no rule)."""

    verdict: str
    basis: str
    line: int = None


class Selected:
    """The rules of a file that count for one crawler, ready to be asked."""

    def __init__(self, file, token, dialect):
        self.dialect = dialect
        groups, self.kind = _groups(file, token.lower(), dialect)
        self.groups = groups
        self.rules = [rule for rule in file.rules if rule.group in groups]

    @functools.cached_property
    def prepared(self):
        """The patterns that can match, each with its rule; most crawlers of a file share their groups with one that was asked before."""
        both = [(prepared(rule.raw, self.dialect), rule) for rule in self.rules]
        return [(pattern, rule) for pattern, rule in both if pattern is not None and can_match(pattern)]

    def ask(self, path):
        """Returns the verdict on a path, given as bytes that begin with a slash."""
        if self.dialect != "google" and re.fullmatch(rb"/robots\.txt(\?.*)?", path, re.S) and path == b"/robots.txt":
            return Verdict("allow", "robots_txt_itself")
        if self.kind == "none":
            return Verdict("allow", "no_group")
        if self.dialect == "original-1994":
            return self._first(path)
        return self._longest(path)

    def _first(self, path):
        path = unescaped(path)
        for pattern, rule in self.prepared:
            if path.startswith(pattern):
                return Verdict("allow" if not pattern else rule.kind, "rule", rule.line)
        return Verdict("allow", "no_rule_matched")

    def _longest(self, path):
        path = prepared_path(path, self.dialect)
        best = {"allow": (-1, None), "disallow": (-1, None)}
        for pattern, rule in self.prepared:
            length = pattern.length if pattern.matches(path) else -1
            if length < 0 and rule.kind == "allow" and self.dialect == "google":
                length = _index(rule.raw, path)
            if length > best[rule.kind][0]:
                best[rule.kind] = (length, rule.line)
        allow, disallow = best["allow"], best["disallow"]
        if max(allow[0], disallow[0]) < 0:
            return Verdict("allow", "no_rule_matched")
        is_shut = disallow[0] > allow[0]
        line = disallow[1] if is_shut else allow[1]
        return Verdict("disallow" if is_shut and disallow[0] > 0 else "allow", "rule", line)


def _groups(file, token, dialect):
    """Returns the groups that speak for a crawler, and by what right: named, wildcard or none."""
    token = token.encode()
    if dialect == "original-1994":
        token = token.partition(b"/")[0]
    named = []
    if token != b"*":
        for agent in file.agents:
            is_same = token in agent.token if dialect == "original-1994" else token == agent.token
            if is_same and not agent.is_everybody and agent.group not in named:
                named.append(agent.group)
    if named:
        return (named[:1] if dialect == "original-1994" else named), "named"
    everybody = []
    for agent in file.agents:
        if agent.is_everybody and agent.group not in everybody:
            everybody.append(agent.group)
    if everybody:
        return (everybody[:1] if dialect == "original-1994" else everybody), "wildcard"
    return [], "none"


class Pattern:
    """A pattern with wildcards, cut at them; elements are bytes as numbers, so that an escaped star is no wildcard."""

    def __init__(self, pieces, is_anchored, length):
        self.pieces = pieces
        self.is_anchored = is_anchored
        self.length = length

    def matches(self, path):
        first, *others = self.pieces
        if not path.startswith(first):
            return False
        at = len(first)
        if not others:
            return not self.is_anchored or at == len(path)
        for piece in others[:-1]:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        if self.is_anchored:
            return path.endswith(others[-1]) and len(path) - len(others[-1]) >= at
        return path.find(others[-1], at) >= 0


def can_match(pattern):
    """Returns whether a pattern can match any path at all: paths begin with a slash."""
    first = pattern if isinstance(pattern, bytes) else pattern.pieces[0]
    return first[:1] in (b"", b"/")


def prepared(raw, dialect):
    """Returns a pattern in the form in which the dialect compares it; None where it is no rule there."""
    if dialect == "original-1994":
        return unescaped(raw)
    if dialect == "rfc9309" and raw and raw[:1] not in (b"/", b"*"):
        return None
    text = escaped(raw) if dialect == "google" else raw
    is_anchored = text.endswith(b"$")
    pieces = (text[:-1] if is_anchored else text).split(b"*")
    if dialect == "google":
        return Pattern(pieces, is_anchored, len(text))
    question = raw.find(b"?")
    at, plain = 0, []
    for piece in pieces:
        plain.append(_normal(piece, 0 if 0 <= question < at else question - at if question >= 0 else None))
        at += len(piece) + 1
    # A star or dollar that was written as an escape weighs what it has in the normal form of the pattern, where it stays one: three octets.
    n_escaped = len(re.findall(rb"(?i)%(?:2a|24)", raw))
    length = sum(map(len, plain)) + 2 * n_escaped + len(plain) - 1 + is_anchored
    return Pattern(plain, is_anchored, length)


def prepared_path(path, dialect):
    """Returns a path in the form in which the dialect compares it with patterns."""
    if dialect != "rfc9309":
        return path
    question = path.find(b"?")
    return _normal(path, question if question >= 0 else None)


def escaped(raw):
    """Returns a pattern as google compares it: hex digits in upper case, bytes from 0x80 on escaped, nothing decoded."""
    text = ESCAPE.sub(lambda escape: escape[0].upper(), raw)
    return re.sub(rb"[\x80-\xff]", lambda byte: b"%%%02X" % byte[0][0], text)


def unescaped(raw):
    """Returns bytes as the 1996 draft compares them: all escapes but that of the slash decoded."""
    return ESCAPE.sub(lambda escape: b"%2F" if escape[0].upper() == b"%2F" else bytes([int(escape[0][1:], 16)]), raw)


def _normal(text, question):
    """Returns text as RFC 9309, 2.2.2, compares it; behind `question` the escapes of `:/?@[]` are decoded."""

    def one(escape):
        byte = int(escape[0][1:], 16)
        is_query = question is not None and escape.start() > question
        if byte in _UNRESERVED or byte in b"*$" or (is_query and byte in b":/?@[]"):
            return bytes([byte])
        return escape[0].upper()

    return re.sub(rb"[\x80-\xff]", lambda byte: b"%%%02X" % byte[0][0], ESCAPE.sub(one, text))


def _index(raw, path):
    """Returns the priority of an allow of an index page for the path of its directory, -1 where it has none."""
    text = escaped(raw)
    slash = text.rfind(b"/")
    if slash < 0 or not text[slash:].startswith(b"/index.htm"):
        return -1
    shorter = text[: slash + 1]
    return len(shorter) + 1 if Pattern(shorter.split(b"*"), True, 0).matches(path) else -1


def path_of(url, dialect):
    """Returns the path of a URL as google takes it (GetPathParamsQuery of robots.cc); for the other dialects the fragment alone is cut."""
    begin = 2 if url.startswith(b"//") else 0
    first = re.compile(rb"[/?;]").search(url, begin)
    scheme = url.find(b"://", begin)
    if scheme >= 0 and not (first and first.start() < scheme):
        begin = scheme + 3
    start = re.compile(rb"[/?;#]").search(url, begin)
    if not start or start[0] == b"#":
        return b"/"
    path = re.split(rb"[#\x00]", url[start.start() :], maxsplit=1)[0]
    return path if path.startswith(b"/") else b"/" + path
