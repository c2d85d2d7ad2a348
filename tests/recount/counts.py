"""What all counts share: the registry of queries, shares, and the lists that most begin with.

A count takes a `Dataset` and the variables of the query, and returns rows as dicts. Columns that it does not have are not compared, and are named
at the end of a recount.
"""

import collections
import dataclasses

QUERIES = []


@dataclasses.dataclass(frozen=True)
class Query:
    """A query, the variables it is asked with, the columns that name a row, and the count that must agree."""

    name: str
    keys: tuple
    options: dict
    count: object
    adapt: object


@dataclasses.dataclass(frozen=True)
class Share:
    """A part of a whole, shown with a number of digits; of nothing it is NULL. Only nothing is 0 then, and only all is 1."""

    part: int
    whole: int
    digits: int = 6

    def is_shown_as(self, found):
        if not self.whole or found is None:
            return not self.whole and found is None
        least = 10**-self.digits
        share = self.part / self.whole
        if 0 < share < 1:
            share = min(max(share, least), 1 - least)
        return abs(found - share) <= 0.5 * least + 1e-12

    def __str__(self):
        return str(self.part / self.whole if self.whole else None)


def query(name, *keys, adapt=None, **options):
    """Registers a count for a query; a count may be registered several times, with other variables."""

    def register(count):
        QUERIES.append(Query(name, keys, options, count, adapt))
        return count

    return register


def hosts(data):
    """Returns the fetch that counts for each host name."""
    return {host: capture for (_, host), capture in data.hosts().items()}


def of_domains(data, names):
    """Returns those of some host names that stand for a registered domain."""
    return [name for name in names if name in data.standing()]


def counted(data, names, whole):
    """Returns the columns that count some hosts of a whole, as hosts and as registered domains."""
    domains, of_whole = len(of_domains(data, names)), len(of_domains(data, whole))
    return {
        "hosts": len(names),
        "share_of_hosts": Share(len(names), len(whole)),
        "domains": domains,
        "share_of_domains": Share(domains, of_whole),
    }


def read(data):
    """Returns, for each host that has a robots.txt, the capture whose file speaks for it."""
    ends = {host: data.end(capture, data.reference) for host, capture in hosts(data).items()}
    return {host: end.capture for host, end in ends.items() if data.has_robots_txt(end)}


def files(data):
    """Yields (host, lines as the reference dialect reads them) of each host whose file was read."""
    for host, capture in read(data).items():
        yield host, data.meaning(capture).file


def shown(raw):
    """Returns bytes as a text column shows them."""
    return raw.decode("utf-8", "replace")


def first(rows, n, *columns):
    """Returns the first rows when those of most domains come first, then those of most hosts, then the columns rise."""
    return sorted(rows, key=lambda row: (-row["domains"], -row["hosts"], *(row[column] for column in columns)))[:n]


class Tally(dict):
    """Counts by name, for each key, which hosts and how often."""

    def __missing__(self, key):
        self[key] = collections.Counter()
        return self[key]
