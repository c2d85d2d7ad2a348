"""A small parser with one mistake: its argument is 0 for none, or the number of a mutant from 1 to 26 (MUTANTS)."""

import re
import sys
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from adapter import serve

MUTANTS = """
LF alone ends a line; an empty line ends a group; keys are compared by case; indented lines are not read; a blank before the colon is not
trimmed; comments are values; a byte order mark is text; the first match decides; a disallow wins a tie; * is plain; $ is plain; a rule with $
is dropped; paths are compared without case; the query is cut off; escapes are decoded; hex digits count by case; an empty disallow forbids
all; length is in characters; stars do not count in lengths; the first group of an agent counts alone; a name is looked for in the agent;
names are compared by case; rules for all apply to named agents too; /robots.txt is an ordinary path; allows are not read; a missing slash is
supplied
"""
N = [None, *(text.strip().replace("\n", " ") for text in MUTANTS.split(";"))]
IS = {name: number == int(sys.argv[1]) for number, name in enumerate(N)}
assert len(N) == 27


def normal(text):
    if IS["escapes are decoded"]:
        return unquote_to_bytes(text)
    text = re.sub(rb"[\x80-\xff]", lambda byte: b"%%%02X" % byte[0][0], text)
    return text if IS["hex digits count by case"] else re.sub(rb"%[0-9a-fA-F]{2}", lambda escape: escape[0].upper(), text)


@lru_cache(4096)
def matcher(pattern):
    """Returns what matches the paths of a pattern, and its length."""
    if IS["length is in characters"]:
        length = len(pattern.decode("utf-8", "replace"))
    elif IS["stars do not count in lengths"]:
        length = len(pattern.replace(b"*", b""))
    else:
        length = len(normal(pattern))
    end = b""
    if pattern.endswith(b"$") and not IS["$ is plain"]:
        pattern, end = pattern[:-1], rb"\Z"
    pieces = [pattern] if IS["* is plain"] else re.split(rb"\*+", pattern)
    flags = re.DOTALL | (re.IGNORECASE if IS["paths are compared without case"] else 0)
    return re.compile(b".*?".join(re.escape(normal(piece)) for piece in pieces) + end, flags), length


def groups_of(body):
    """Returns the groups: names, and rules of whether they allow with a pattern."""
    if not IS["a byte order mark is text"]:
        body = body.removeprefix(b"\xef\xbb\xbf")
    groups, takes_names = [], False
    for line in body.split(b"\n") if IS["LF alone ends a line"] else re.split(rb"\r\n|\r|\n", body):
        if IS["an empty line ends a group"] and not line.strip():
            groups.append(([], []))
        if not IS["comments are values"]:
            line = line.split(b"#")[0]
        key, colon, value = line.partition(b":")
        if not colon or (IS["indented lines are not read"] and key != key.lstrip()):
            continue
        key = key.lstrip() if IS["a blank before the colon is not trimmed"] else key.strip()
        key, value = key if IS["keys are compared by case"] else key.capitalize(), value.strip()
        if key == b"User-agent":
            if not takes_names:
                groups.append(([], []))
            groups[-1][0].append(value.decode("utf-8", "replace").split("/")[0])
        elif key in (b"Allow", b"Disallow") and groups:
            is_allow = key == b"Allow"
            if IS["a missing slash is supplied"] and value and value[:1] not in b"/*":
                value = b"/" + value
            if IS["an empty disallow forbids all"] and not value and not is_allow:
                value = b"/"
            is_dropped = (IS["a rule with $ is dropped"] and value.endswith(b"$")) or (IS["allows are not read"] and is_allow)
            if value and not is_dropped:
                groups[-1][1].append((is_allow, value))
        takes_names = key == b"User-agent"
    return groups


def parse(body):
    groups = groups_of(body)

    @lru_cache
    def rules_of(agent):
        def names(name):
            name, token = (name, agent) if IS["names are compared by case"] else (name.lower(), agent.lower())
            return name and name != "*" and (name in token if IS["a name is looked for in the agent"] else name == token.split("/")[0])

        named = [rules for group, rules in groups if any(map(names, group))]
        for_all = [rules for group, rules in groups if "*" in group]
        found = named + for_all if IS["rules for all apply to named agents too"] else named or for_all
        if IS["the first group of an agent counts alone"]:
            found = found[:1]
        return [(is_allow, *matcher(value)) for rules in found for is_allow, value in rules]

    def can_fetch(agent, url):
        path = "/" + url.removeprefix("https://example.com").removeprefix("/").split("#")[0]
        if path == "/robots.txt" and not IS["/robots.txt is an ordinary path"]:
            return True
        path = normal((path.split("?")[0] if IS["the query is cut off"] else path).encode())
        matching = [(length, is_allow) for is_allow, pattern, length in rules_of(agent) if pattern.match(path)]
        if IS["the first match decides"]:
            return not matching or matching[0][1]
        if IS["a disallow wins a tie"]:
            matching = [(length, not is_allow) for length, is_allow in matching]
            return not matching or not max(matching)[1]
        return not matching or max(matching)[1]

    return can_fetch


serve("mutant", sys.argv[1], parse)
