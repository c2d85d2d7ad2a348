"""Captures of a set of archives, where their redirects lead, and the fetch that counts for each origin (`queries/views.sql` defines the terms).

Goes in: paths of archives and the matrix. Comes out: a `Dataset`, whose parts are plain objects. Every capture is held in memory.
"""

import collections
import datetime
import hashlib
import os
import re

import address
import html_page as html
import policy
import response
import robots
import warc

FOLLOWED = (301, 302, 303, 307, 308)
HOPS = {"google": 5, "rfc9309": 5, "original-1994": None}
TOO_MANY = {"google": "full_allow", "rfc9309": "full_allow", "original-1994": "undefined"}
ACCESS = {
    # unauthorized, too many requests, other 4xx, 5xx, unreachable
    "google": ("full_allow", "full_disallow", "full_allow", "full_disallow", "full_disallow"),
    "rfc9309": ("full_allow", "full_allow", "full_allow", "full_disallow", "full_disallow"),
    "original-1994": ("full_disallow", "full_allow", "full_allow", "full_disallow", "full_disallow"),
}


class Matrix:
    """What is asked: crawlers as (token, category), paths, dialects; the first dialect is the reference."""

    def __init__(self, agents, paths, dialects):
        self.categories = dict(agents)
        self.agents = list(self.categories)
        self.paths = paths
        self.dialects = dialects


class Capture:
    """One response that asks for a robots.txt, or is a hop on the way to or from one."""

    def __init__(self, archive, record, where, answer):
        self.archive = archive
        self.offset = record.offset
        self.where = where
        self.status = answer.status
        self.time = _time(record.fields.get("warc-date"))
        self.is_redirect = answer.status is not None and 300 <= answer.status < 400
        location = answer.field("location") if self.is_redirect else None
        self.target = address.resolved(record.fields["warc-target-uri"], location) if location is not None and answer.status in FOLLOWED else None
        self.truncated = record.fields.get("warc-truncated")
        self.is_broken = self.truncated != "length" and (answer.is_broken or bool(self.truncated))
        self.is_cut = answer.is_broken
        self.body = answer.body
        self.digest = hashlib.sha1(answer.body).hexdigest()
        self.is_html = html.is_page(answer.body)
        self.crawl = _crawl(archive)
        self.id = None
        self.domain = None

    @property
    def is_robots(self):
        return self.where.path == "/robots.txt" and self.where.query is None

    def access(self, dialect):
        """Returns what the fetch decides (RFC 9309, section 2.3.1; the draft of 1996, section 3.1)."""
        unauthorized, too_many_requests, other, server_error, unreachable = ACCESS[dialect]
        status = self.status
        if self.is_redirect:
            return "redirect"
        if status is not None and status < 300 and status >= 200:
            return unreachable if self.is_broken else "conditional"
        if status in (401, 403):
            return unauthorized
        if status == 429:
            return too_many_requests
        if status is not None and 400 <= status < 500:
            return other
        return server_error if status is not None and 500 <= status < 600 else unreachable


class End:
    """Where a capture leads under a dialect: itself, or the end of its redirects (`capture` is None where they end nowhere)."""

    def __init__(self, outcome, hops, capture, access):
        self.outcome = outcome
        self.hops = hops
        self.capture = capture
        self.access = access


class Dataset:
    """The captures of archives, in their order, and what follows from them."""

    def __init__(self, paths, matrix, suffixes):
        self.matrix = matrix
        self.reference = matrix.dialects[0]
        self.records = collections.Counter()
        self.archives = 0
        self.bytes = 0
        self.captures = []
        self.meanings = {}
        for path in paths:
            self._read(path)
        for capture in self.captures:
            capture.domain = suffixes.domain(capture.where)
        self.by_url = collections.defaultdict(list)
        for capture in self.captures:
            self.by_url[capture.where.canonical].append(capture)
        self._ends = {}
        self._hosts = None
        self._domains = None
        self._standing = None

    def _read(self, path):
        self.archives += 1
        with open(path, "rb") as archive:
            data = archive.read()
        self.bytes += len(data)
        awaited = set()
        for record in warc.records(data):
            self.records["all"] += 1
            if record.type != "response":
                self.records[record.type if record.type in warc.TYPES else "other type"] += 1
                continue
            where = address.address(record.fields["warc-target-uri"])
            capture = Capture(os.path.basename(path), record, where, response.response(record.block))
            is_hop = where.path == "/robots.txt" or where.canonical in awaited
            if not is_hop and not (capture.target and capture.target.path == "/robots.txt"):
                self.records["not robots path"] += 1
                continue
            if capture.target:
                awaited.add(capture.target.canonical)
            self.captures.append(capture)

    def name(self, ids):
        """Gives captures their identifiers, by archive and offset (several in a member rise with the records): they decide ties, nothing else."""
        rising = {place: iter(sorted(of_place)) for place, of_place in ids.items()}
        for capture in self.captures:
            capture.id = next(rising[capture.archive, capture.offset])

    def meaning(self, capture):
        """Returns what is asked of the body of a capture that is read."""
        if capture.digest not in self.meanings:
            self.meanings[capture.digest] = policy.Meaning(capture.body, self.matrix)
        return self.meanings[capture.digest]

    def end(self, capture, dialect):
        """Returns where a capture leads under a dialect."""
        key = capture.id, dialect
        if key not in self._ends:
            self._ends[key] = self._followed(capture, dialect)
        return self._ends[key]

    def _followed(self, capture, dialect):
        if not capture.is_redirect:
            return End(None, 0, capture, capture.access(dialect))
        most = HOPS[dialect]
        seen, hops, here = set(), 0, capture
        if capture.status == 304:
            return End("not_modified", 0, None, "undefined")
        while here.is_redirect:
            if most is not None and hops == most:
                return End("too_many_hops", hops, None, TOO_MANY[dialect])
            if here.target is None:
                return End("not_followable", hops, None, TOO_MANY[dialect])
            step = here.where.canonical, here.target.canonical
            if step in seen:
                return End("loop", hops, None, TOO_MANY[dialect])
            seen.add(step)
            hops += 1
            found = self._nearest(here)
            if found is None:
                is_known = here.target.canonical == here.where.canonical
                return End("loop" if is_known else "not_in_corpus", hops, None, TOO_MANY[dialect] if is_known else "undefined")
            here = found
        if not _is_in_scope(capture, here):
            return End("not_in_corpus", hops, None, "undefined")
        return End("resolved", hops, here, here.access(dialect))

    def _nearest(self, redirect):
        """Returns the capture of a redirect's target that was fetched nearest to it; of two the later one. A 304 holds no file and is none."""

        def leads_on(capture):
            is_self = capture.target is not None and capture.target.canonical == capture.where.canonical
            if capture.status == 304 or not _is_in_scope(redirect, capture):
                return False
            return not is_self or redirect.where.canonical != redirect.target.canonical

        def distance(capture):
            apart = capture.time - redirect.time
            return abs(apart), apart < datetime.timedelta(0), capture.id

        return min(filter(leads_on, self.by_url.get(redirect.target.canonical, ())), key=distance, default=None)

    def fetches(self):
        """Returns the captures that ask for a robots.txt."""
        return [capture for capture in self.captures if capture.is_robots]

    def is_answer(self, capture):
        """Returns whether a fetch tells what the robots.txt is: a file, or that there is none."""
        if capture.status == 304:
            return False
        end = self.end(capture, self.reference)
        if end.capture is None:
            return end.outcome != "not_in_corpus"
        status = end.capture.status
        return status is not None and not end.capture.is_broken and (200 <= status < 300 or 400 <= status < 500 and status != 429)

    def origins(self, crawl_of=None):
        """Returns the fetch that counts of each origin of the latest crawl (of each crawl and origin, where `crawl_of` tells it of a capture)."""
        if crawl_of is None:
            return _of_latest(self.origins(lambda capture: capture.crawl))
        counted = {}
        for capture in self.fetches():
            key = crawl_of(capture), capture.where.origin
            rank = self.is_answer(capture), capture.time, capture.id
            if key not in counted or rank > counted[key][0]:
                counted[key] = rank, capture
        return {key: capture for key, (_, capture) in counted.items()}

    def domains(self):
        """Returns the host name that stands for each registered domain: with a robots.txt, the bare domain, www, the shortest, the first by its letters."""
        if self._domains is None:
            ranked = {}
            for (_, host), capture in self.hosts().items():
                domain = capture.domain or host
                is_read = self.has_robots_txt(self.end(capture, self.reference))
                rank = not is_read, host != domain, host != "www." + domain, len(host), host
                ranked.setdefault(domain, []).append(rank)
            self._domains = {domain: min(ranks)[-1] for domain, ranks in ranked.items()}
        return self._domains

    def standing_by_crawl(self):
        """Returns (crawl, host name) of those that stand for a registered domain in that crawl."""
        ranked = collections.defaultdict(list)
        for (crawl, host), capture in self.hosts(lambda capture: capture.crawl).items():
            domain = capture.domain or host
            has_none = not self.has_robots_txt(self.end(capture, self.reference))
            ranked[crawl, domain].append((has_none, host != domain, host != "www." + domain, len(host), host))
        return {(crawl, min(ranks)[-1]) for (crawl, _), ranks in ranked.items()}

    def standing(self):
        """Returns the host names that stand for a registered domain."""
        self._standing = self._standing or frozenset(self.domains().values())
        return self._standing

    def hosts(self, crawl_of=None):
        """Returns the primary fetch of each host name, as `origins`: with a robots.txt before without, https, the usual port."""
        if crawl_of is None:
            self._hosts = self._hosts or _of_latest(self.hosts(lambda capture: capture.crawl))
            return self._hosts
        primary = {}
        for (crawl, origin), capture in self.origins(crawl_of).items():
            where = capture.where
            is_read = self.has_robots_txt(self.end(capture, self.reference))
            rank = not is_read, where.scheme != "https", where.port is not None, origin
            if (crawl, where.host) not in primary or rank < primary[crawl, where.host][0]:
                primary[crawl, where.host] = rank, capture
        return {key: capture for key, (_, capture) in primary.items()}

    def has_robots_txt(self, end):
        """Returns whether what applies after redirects is a robots.txt: read, text, and with a known field, or without lines but comments."""
        if end.access != "conditional":
            return False
        body = end.capture.body
        is_text = not (end.capture.is_html or html.is_other_document(body) or body.startswith((b"\xff\xfe", b"\xfe\xff")))
        return is_text and robots.is_robots_txt(body, self.meaning(end.capture).file)

    def policy_of(self, capture, dialect, agent):
        """Returns the policy of an origin whose fetch is `capture`."""
        end = self.end(capture, dialect)
        if end.access == "conditional":
            return self.meaning(end.capture).policies[dialect, agent]
        return policy.by_access(end.access)

    def cells_of(self, capture, dialect, agent):
        """Returns (verdict, basis, line) of each path of the matrix for an origin."""
        end = self.end(capture, dialect)
        if end.access == "conditional":
            return [(cell.verdict, cell.basis, cell.line) for cell in self.meaning(end.capture).cells[dialect, agent]]
        verdict = {"full_allow": "allow", "full_disallow": "disallow"}.get(end.access, "undefined")
        return [(verdict, "access", None)] * len(self.matrix.paths)


def _of_latest(by_crawl):
    """Returns what is of the latest crawl, the last by name; archives that name none are the latest only if there are no others."""
    latest = max((crawl for crawl, _ in by_crawl if crawl), default=None)
    return {(None, name): of_name for (crawl, name), of_name in by_crawl.items() if crawl == latest}


def _is_in_scope(redirect, capture):
    """Returns whether a redirect may lead to a capture: to one of its crawl, and without crawls within 14 days."""
    if redirect.crawl or capture.crawl:
        return redirect.crawl == capture.crawl
    return abs(capture.time - redirect.time) <= datetime.timedelta(days=14)


def _time(text):
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)


def _crawl(archive):
    """Returns the crawl that an archive's name names, such as CC-MAIN-2026-05 (a year and a week)."""
    found = re.search(r"(?:^|-)?(CC-MAIN|SAMPLE)-\d{4}-\d\d", archive)
    return found[0] if found else None
