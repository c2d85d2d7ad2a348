"""The product token of a crawler's User-Agent header."""

from __future__ import annotations

import re

# A browser's header is that of several products; what follows "compatible;" is the crawler's own.
_COMPATIBLE = re.compile(r"\bcompatible;\s*([^\s;/()]+)", re.IGNORECASE)
_FIRST = re.compile(r"[^\s;/()]+")


def product_token(user_agent: str) -> str:
    """Returns the product token of a ``User-Agent`` header, by which a robots.txt names a crawler.

    A robots.txt names a crawler by a token that is part of its header (RFC 9309, 2.2.1). That is
    what follows ``compatible;``, as in the headers of most search engines, else the first product
    of the header (RFC 9110, 10.1.5). A text that is a token already is returned as it is.

    >>> product_token("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
    'Googlebot'
    >>> product_token("Scrapy/2.19 (+https://scrapy.org)")
    'Scrapy'
    >>> product_token("GPTBot")
    'GPTBot'
    """
    found = _COMPATIBLE.search(user_agent)
    if found:
        return found.group(1)
    first = _FIRST.search(user_agent)
    return first.group() if first else user_agent.strip()
