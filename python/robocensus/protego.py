"""The interface of Protego with the answers of this parser.

Change one import::

    from robocensus.protego import Protego
"""

from __future__ import annotations

from collections.abc import Iterator

from . import directives
from ._native import Dialect, Robots
from .agents import product_token
from .directives import RequestRate, VisitTime

__all__ = ["Protego", "RequestRate", "VisitTime"]


class Protego:
    """One robots.txt. Mind the order of arguments, which is Protego's: URL, then crawler.

    A crawler is a product token, or a header, whose token is taken (`product_token`). Groups are
    those of the dialect, so that delays and rates may be those of other groups than in Protego; see
    :mod:`robocensus.directives`.

    >>> robots = Protego.parse("User-agent: *\\nDisallow: /private\\nCrawl-delay: 2\\n")
    >>> robots.can_fetch("https://example.com/private", "MyCrawler")
    False
    >>> robots.crawl_delay("MyCrawler")
    2.0
    """

    def __init__(self, robots: Robots | None = None, dialect: str | Dialect = "google") -> None:
        self.robots = Robots(b"") if robots is None else robots
        self.dialect = dialect

    @classmethod
    def parse(cls, content: str | bytes, dialect: str | Dialect = "google") -> Protego:
        """Parses a file. Other than Protego's, this takes `bytes` too."""
        return cls(Robots(content), dialect)

    def can_fetch(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Returns whether a crawler may fetch a URL."""
        return self.robots.can_fetch(product_token(user_agent), url, self.dialect)

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Returns the seconds of ``Crawl-delay``."""
        return directives.crawl_delay(self.robots, product_token(user_agent), self.dialect)

    def request_rate(self, user_agent: str | bytes) -> RequestRate | None:
        """Returns the ``Request-rate``."""
        return directives.request_rate(self.robots, product_token(user_agent), self.dialect)

    def visit_time(self, user_agent: str | bytes) -> VisitTime | None:
        """Returns the ``Visit-time``."""
        return directives.visit_time(self.robots, product_token(user_agent), self.dialect)

    @property
    def sitemaps(self) -> Iterator[str]:
        """The URLs of sitemaps, without empty values."""
        return (url for url in self.robots.sitemaps(self.dialect) if url)

    @property
    def preferred_host(self) -> str | None:
        """The value of ``Host``."""
        return directives.preferred_host(self.robots, self.dialect)
