"""This parser in Scrapy.

One line in ``settings.py``::

    ROBOTSTXT_PARSER = "robocensus.scrapy.RobotParser"
"""

from __future__ import annotations

from typing import Any

# Absolute imports: this module has the name of the package that it imports.
from scrapy.robotstxt import RobotParser as _RobotParser

from . import directives
from ._native import Robots
from .agents import product_token

__all__ = ["RobotParser"]


class RobotParser(_RobotParser):  # type: ignore[misc, unused-ignore]
    """A parser for the setting ``ROBOTSTXT_PARSER`` that answers as Google's does.

    The setting ``ROBOCENSUS_DIALECT`` names another dialect.
    """

    def __init__(self, robots: Robots, dialect: Any = "google") -> None:
        self.robots = robots
        self.dialect = dialect

    @classmethod
    def from_crawler(cls, crawler: Any, robotstxt_body: bytes) -> RobotParser:
        """Parses a body; Scrapy calls it."""
        dialect = crawler.settings.get("ROBOCENSUS_DIALECT", "google") if crawler else "google"
        return cls(Robots(robotstxt_body), dialect)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Returns whether a crawler may fetch a URL."""
        return self.robots.can_fetch(product_token(user_agent), url, self.dialect)

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Returns the seconds of ``Crawl-delay``."""
        return directives.crawl_delay(self.robots, product_token(user_agent), self.dialect)
