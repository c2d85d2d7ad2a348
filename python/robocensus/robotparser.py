"""The class of ``urllib.robotparser`` with the answers of this parser.

Change one import::

    from robocensus.robotparser import RobotFileParser
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from urllib.parse import urlparse
from urllib.robotparser import RequestRate

from . import directives
from ._native import Dialect, Robots, decide_access
from .agents import product_token

__all__ = ["RequestRate", "RobotFileParser"]

# What ends a line for ``str.splitlines``.
_LINE_ENDS = "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class RobotFileParser:
    """Reads one robots.txt and answers questions about it.

    Methods, arguments and results are those of ``urllib.robotparser.RobotFileParser``. Other than
    there, answers are those of the dialect, by default Google's, and so are what a status of the
    fetch means, and which groups delays and rates are in; see :mod:`robocensus.directives`.

    >>> parser = RobotFileParser()
    >>> parser.parse(["User-agent: *", "Disallow: /*.pdf$"])
    >>> parser.can_fetch("MyCrawler/1.0", "https://example.com/a.pdf")
    False
    """

    def __init__(self, url: str = "", dialect: str | Dialect = "google") -> None:
        self.dialect = dialect
        self.disallow_all = False
        self.allow_all = False
        self.last_checked: float = 0
        self.robots = Robots(b"")
        self.set_url(url)

    def mtime(self) -> float:
        """Returns when the file was fetched, in seconds since 1970; 0 is never."""
        return self.last_checked

    def modified(self) -> None:
        """Sets the time of the fetch to now."""
        self.last_checked = time.time()

    def set_url(self, url: str) -> None:
        """Sets the URL of the robots.txt."""
        self.url = url
        self.host, self.path = urlparse(url)[1:3]

    def read(self) -> None:
        """Fetches the file and parses it; what an earlier fetch found is forgotten.

        Raises:
            urllib.error.URLError: The server does not answer.
        """
        try:
            with urllib.request.urlopen(self.url) as response:
                body = response.read()
        except urllib.error.HTTPError as error:
            access = decide_access(error.code, self.dialect)
            self.disallow_all = access == "full_disallow"
            self.allow_all = access == "full_allow"
            error.close()
        else:
            self.disallow_all = self.allow_all = False
            self._parse(body)

    def parse(self, lines: Iterable[str]) -> None:
        """Parses the lines of a file, with or without their line ends."""
        self._parse("\n".join(map(_without_end, lines)))

    def _parse(self, body: str | bytes) -> None:
        self.robots = Robots(body)
        self.modified()

    def can_fetch(self, useragent: str | bytes, url: str) -> bool:
        """Returns whether a crawler may fetch a URL; no, until the file was read.

        `useragent` is a product token, or a header, whose token is taken (`product_token`).
        """
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        if not self.last_checked:
            return False
        return self.robots.can_fetch(product_token(useragent), url, self.dialect)

    def crawl_delay(self, useragent: str | bytes) -> float | int | None:
        """Returns the seconds of ``Crawl-delay``, an `int` where they are a whole number."""
        if not self.last_checked:
            return None
        seconds = directives.crawl_delay(self.robots, product_token(useragent), self.dialect)
        return int(seconds) if seconds is not None and seconds.is_integer() else seconds

    def request_rate(self, useragent: str | bytes) -> RequestRate | None:
        """Returns the ``Request-rate``, without the period that it may be limited to."""
        if not self.last_checked:
            return None
        rate = directives.request_rate(self.robots, product_token(useragent), self.dialect)
        return rate and RequestRate(rate.requests, rate.seconds)

    def site_maps(self) -> list[str] | None:
        """Returns the URLs of sitemaps, or `None` where the file names none."""
        return self.robots.sitemaps(self.dialect) or None

    def __str__(self) -> str:
        """Returns the file as it was read."""
        return self.robots.body.decode("utf-8", "surrogateescape")


def _without_end(line: str) -> str:
    """Returns a line without its end.

    A blank is left of a line that is nothing else: for CPython such a line is not empty, and ends
    no group.
    """
    return line and (line.rstrip(_LINE_ENDS) or " ")
