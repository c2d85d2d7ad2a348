"""Lines of a robots.txt and what a dialect makes of them (robots.cc; RFC 9309, section 2.2; A Standard for Robot Exclusion, 1994).

Goes in: a body and one of `DIALECTS`. Comes out: a `File`: its user-agent lines, rules and other records, each with its line and group.
Three dialects are here: google, rfc9309 and original-1994. What they make of a URL is in `verdicts`.
"""

import dataclasses
import re

DIALECTS = ("google", "rfc9309", "original-1994")

KNOWN = frozenset(
    "sitemap crawl-delay request-rate visit-time clean-param host noindex nofollow noarchive content-signal content-usage license disallowaitraining"
    " allowaitraining llm-policy robot-version comment revisit-after domain".split()
)
BLANKS = b" \t\n\x0b\x0c\r"
_ENDS = re.compile(rb"\r\n|\r|\n")
_LIMITS = {"google": 512_000, "rfc9309": 512_000, "original-1994": None}
_LONGEST = 16_663
_GOOGLE = (
    ("user-agent", (b"user-agent", b"useragent", b"user agent")),
    ("allow", (b"allow",)),
    ("disallow", (b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw")),
    ("sitemap", (b"sitemap", b"site-map")),
)
_READ_AS_RULES = (b"disallowaitraining", b"allowaitraining")
_EXACT = {b"user-agent": "user-agent", b"allow": "allow", b"disallow": "disallow"}


@dataclasses.dataclass
class Agent:
    """One user-agent line; `token` is what the dialect compares, in lower case, `*` for everybody."""

    line: int
    group: int
    raw: bytes
    token: bytes

    @property
    def is_everybody(self):
        return self.token == b"*"


@dataclasses.dataclass
class Rule:
    """One allow or disallow line; the group is None before any user-agent line."""

    line: int
    group: int
    kind: str
    raw: bytes


@dataclasses.dataclass
class Other:
    """One line of another field; a sitemap belongs to no group. A field that google reads as a rule by its prefix is here as well."""

    line: int
    group: int
    key_raw: bytes
    raw: bytes

    @property
    def key(self):
        name = self.key_raw.lower().decode("utf-8", "replace")
        return "sitemap" if name.startswith(("sitemap", "site-map")) else name


@dataclasses.dataclass
class File:
    """What a dialect reads of a body."""

    agents: list
    rules: list
    others: list
    group_count: int


def lines(body):
    """Returns the lines of a body; one that ends with a line end has an empty last line."""
    return _ENDS.split(body)


def is_robots_txt(body, file):
    """Returns whether a text is a robots.txt: some line has a known field, or none is more than blanks and a comment."""
    if file.agents or file.rules or any(other.key in KNOWN for other in file.others):
        return True
    text = body[3:] if body.startswith(b"\xef\xbb\xbf") else body
    return not any(line.partition(b"#")[0].strip(BLANKS) for line in lines(text))


def parse(body, dialect):
    """Reads a body by a dialect."""
    limit = _LIMITS[dialect]
    body = body if limit is None else body[:limit]
    is_google = dialect == "google"
    for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef") if is_google else (b"\xef\xbb\xbf",):
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    agents, rules, others = [], [], []
    group, is_open, groups = None, False, 0
    for number, line in enumerate(lines(body), 1):
        if dialect == "original-1994" and not line.strip(BLANKS):
            group, is_open = None, False
            continue
        split = _split(line, is_google)
        if split is None:
            continue
        key, value = split
        field = _field(key, is_google)
        if field == "user-agent":
            if not is_open:
                group, is_open = groups, True
                groups += 1
            agents.append(Agent(number, group, value, _token(value, dialect)))
        elif field in ("allow", "disallow"):
            rules.append(Rule(number, group, field, value))
            is_open = False
            if key.lower() in _READ_AS_RULES:
                others.append(Other(number, group, key, value))
        else:
            others.append(Other(number, None if field == "sitemap" else group, key, value))
    return File(agents, rules, others, groups)


def _split(line, is_google):
    """Returns key and value of a line, or None where it is no record."""
    if is_google:
        line = line[:_LONGEST].partition(b"\x00")[0]
    line = line.partition(b"#")[0].strip(BLANKS)
    key, colon, value = line.partition(b":")
    if colon:
        key, value = key.strip(BLANKS), value.strip(BLANKS)
        return (key, value) if key else None
    words = re.split(rb"[ \t]+", line)
    if is_google and len(words) == 2:
        return words[0].strip(BLANKS), words[1].strip(BLANKS)
    return None


def _field(key, is_google):
    key = key.lower()
    if not is_google:
        return _EXACT.get(key)
    return next((name for name, spellings in _GOOGLE if key.startswith(spellings)), None)


def _token(value, dialect):
    # The group for all agents is a star, alone or followed by white space and anything.
    if value[:1] == b"*" and (len(value) == 1 or value[1] in BLANKS):
        return b"*"
    if dialect == "google":
        return re.match(rb"[A-Za-z_-]*", value)[0].lower()
    if dialect == "rfc9309":
        return re.split(rb"[ \t/;(*]", value, maxsplit=1)[0].lower()
    return value.lower()
