"""URLs and hosts: what a capture is of, and what a redirect names (RFC 3986; RFC 9309, 2.3).

Goes in: text. Comes out: an `Address`. The registered domain needs the public suffix list, which the standard library does not have:
`Suffixes` reads a file of it, and without one knows the suffixes of the archives that the tests make.
"""

import dataclasses
import re
import urllib.parse

_URL = re.compile(r"(?i)(https?)://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:\[\]]+)(?::(\d*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.S)
_PORTS = {"http": 80, "https": 443}
_KNOWN = frozenset("com org net edu gov info io dev eu de fr nl at ch it es pl ru uk jp za br au tr".split())
_RESERVED = ("example", "test")
_KNOWN_OF_TWO = frozenset("co.uk co.jp co.za com.br com.au com.tr or.at".split())


@dataclasses.dataclass(frozen=True)
class Address:
    """The parts of a URL; the port is None where it is that of the scheme."""

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def origin(self):
        return f"{self.scheme}://{self.host}:{self.port or _PORTS[self.scheme]}"

    @property
    def canonical(self):
        """The form in which a target and a capture meet: no user, no default port, no fragment."""
        query = "" if self.query is None else "?" + self.query
        return self.origin + _escaped(self.path + query)

    @property
    def is_ip(self):
        return self.host.startswith("[") or re.fullmatch(r"\d+\.\d+\.\d+\.\d+", self.host) is not None

    @property
    def tld(self):
        return None if self.is_ip else self.host.rstrip(".").rpartition(".")[2]


def _escaped(text):
    return "".join(c if "!" <= c <= "~" and c not in '"<>\\^`{|}' else "".join(f"%{b:02X}" for b in c.encode()) for c in text)


def address(text):
    """Returns the parts of an absolute http or https URL, or None."""
    parts = _URL.fullmatch(text.strip())
    if not parts:
        return None
    scheme, host, port, path, query = parts.groups()
    scheme, host = scheme.lower(), host.lower()
    if not host.isascii():
        host = host.encode("idna").decode()
    number = int(port) if port else None
    return Address(scheme, host, None if number == _PORTS[scheme] else number, path or "/", query)


def resolved(base, location):
    """Returns the address that a Location means at a URL, or None where it is no http or https URL."""
    try:
        target = address(urllib.parse.urljoin(base, location.strip()))
    except (ValueError, UnicodeError):
        return None
    return target and dataclasses.replace(target, path=_without_dots(target.path))


def _without_dots(path):
    """Returns a path without the segments `.` and `..`, which no reference keeps (RFC 3986, 5.2.4)."""
    segments = []
    for segment in path[1:].split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    if path.endswith(("/.", "/..")):
        segments.append("")
    return "/" + "/".join(segments)


class Suffixes:
    """The public suffixes, of the ICANN section of a file in the form of publicsuffix.org, or those of the archives that the tests make."""

    def __init__(self, path=None):
        self.rules = None
        if path:
            text = open(path, encoding="utf-8").read()
            text = text.partition("===BEGIN ICANN DOMAINS===")[2].partition("// ===END ICANN DOMAINS===")[0] or text
            lines = (line.strip() for line in text.splitlines())
            self.rules = {_ascii(line.split()[0]) for line in lines if line and not line.startswith("//")}

    def domain(self, where):
        """Returns the registered domain; None for an IP address, a public suffix, and a name under a suffix that the list does not have."""
        if where.is_ip:
            return None
        labels = where.host.rstrip(".").split(".")
        if self.rules is None:
            if labels[-1] in _RESERVED:
                return None
            if labels[-1] not in _KNOWN:
                raise ValueError(f"{where.host}: its suffix is not known; a public suffix list is needed")
            size = 2 if ".".join(labels[-2:]) in _KNOWN_OF_TWO else 1
            if size == 1 and len(labels) > 1 and len(labels[-2]) <= 3:
                raise ValueError(f"{where.host}: {labels[-2]}.{labels[-1]} may be a suffix; a public suffix list is needed")
            return ".".join(labels[-size - 1 :]) if len(labels) > size else None
        size = len(labels)
        for at in range(len(labels)):
            name = ".".join(labels[at:])
            if "!" + name in self.rules:
                size = len(labels) - at - 1
                break
            if name in self.rules or ".".join(["*"] + labels[at + 1 :]) in self.rules:
                size = len(labels) - at
                break
        return ".".join(labels[-size - 1 :]) if len(labels) > size else None


def _ascii(rule):
    mark = "!" if rule.startswith("!") else ""
    return mark + ".".join(label if label.isascii() else label.encode("idna").decode() for label in rule[len(mark) :].split("."))
