"""The product token of a crawler's User-Agent header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

_TOKEN = re.compile(r"[\w.-]+")
# A name begins a text and ends before its version, a comment or other text.
_NAME = re.compile(r"[\w.-]+(?=[\s/+,;()]|$)")
_PRODUCT = re.compile(r"[\w.-]+/[^\s/]+")
_COMPATIBLE = re.compile(r"\bcompatible;([^()]*)", re.IGNORECASE)
_COMMENT = re.compile(r"\(([^()]*)\)")
_CONTACT = re.compile(r"\+|https?:|www\.|\S+@", re.IGNORECASE)

# Products of browsers and their engines, which crawlers copy; no crawler has such a name.
_BROWSER_NAMES = """
applewebkit chrome chromium crios edg edga edge edgios firefox fxios gecko iemobile khtml like
mobile mozilla msie opera opr presto safari samsungbrowser trident ubrowser version vivaldi
yabrowser
"""
_BROWSERS = frozenset(_BROWSER_NAMES.split())
# First words of entries of a comment on the system of a browser.
_SYSTEM_WORDS = """
android arm cpu cros intel ipad iphone ipod linux macintosh nokia touch u ubuntu unknown win64
windows wow64 x11 x64 x86_64
"""
_NO_CRAWLERS = _BROWSERS.union(_SYSTEM_WORDS.split()) - {"mozilla"}


@lru_cache(maxsize=1024)
def product_token(user_agent: str | bytes) -> str:
    """Returns the product token of a ``User-Agent`` header, by which a robots.txt names a crawler.

    A robots.txt names a crawler by a token that is part of its header (RFC 9309, 2.2.1). A header is
    products, each with a version, and comments (RFC 9110, 10.1.5). A crawler either is the first
    product, or has the header of a browser, which begins with ``Mozilla``, and is, in this order:

    1. the first entry behind ``compatible;`` that names no browser or system, whatever the first
       product is; if that entry is ``Mozilla``, the comment is about compatibility alone;
    2. the entry of a comment before the crawler's address, or an entry with a version;
    3. the first product that is not of a browser.

    1 is the form that Google, Microsoft and OpenAI document, 2 that of Applebot and Storebot-Google,
    3 that of BingPreview. A header of a browser gives ``Mozilla``. Of a name of several words the
    first that has the characters of a token is taken. A token is returned as it is.

    >>> product_token("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
    'Googlebot'
    >>> product_token("Scrapy/2.19 (+https://scrapy.org)")
    'Scrapy'
    >>> product_token("GPTBot")
    'GPTBot'
    """
    if isinstance(user_agent, bytes):
        user_agent = user_agent.decode("utf-8", "surrogateescape")
    text = user_agent.strip()
    if _TOKEN.fullmatch(text):
        return text
    for comment in _COMPATIBLE.finditer(text):
        found = next(_names(comment.group(1).split(";")), "mozilla")
        if found.lower() != "mozilla":
            return found
    first = _name(text) or text
    if first.lower() != "mozilla":
        return first
    comments = [comment.group(1) for comment in _COMMENT.finditer(text)]
    for found in (*_of_comments(comments), *_names(_COMMENT.sub(" ", text).split())):
        if found.lower() not in _BROWSERS:
            return found
    return first


def _of_comments(comments: list[str]) -> Iterator[str]:
    """Yields what comments without ``compatible`` name: before an address, then with a version."""
    split = [[entry.strip() for entry in comment.split(";")] for comment in comments]
    for entries in split:
        for entry, following in pairwise(entries):
            if _CONTACT.match(following):
                yield from _names([entry])
    for entries in split:
        yield from _names(entry for entry in entries if _PRODUCT.fullmatch(entry))


def _names(entries: Iterable[str]) -> Iterator[str]:
    """Yields the names of entries that are no address, no browser but Mozilla, and no system."""
    for entry in entries:
        found = "" if _CONTACT.match(entry.strip()) else _name(entry)
        if found and found.lower() not in _NO_CRAWLERS:
            yield found


def _name(text: str) -> str:
    """Returns the first word that has the characters of a token, without its version."""
    return next((found.group() for word in text.split() if (found := _NAME.match(word))), "")
