"""Protego, the parser of Scrapy."""

from importlib.metadata import version

from adapter import serve
from protego import Protego


def parse(body):
    # Scrapy decodes a file so.
    rules = Protego.parse(body.decode("utf-8", "ignore"))
    return lambda agent, url: rules.can_fetch(url, agent)


serve("protego", version("protego"), parse)
