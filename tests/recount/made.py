"""Writes archives that hold every shape that a recount must meet: patterns, groups, fields, redirects, statuses, codings, pages, hosts, crawls.

    python3 tests/recount/made.py DIR

The bytes depend on nothing but this file. Names end in `-example` and a suffix that `address` knows, or in the reserved `example`
(RFC 2606), which is no public suffix, so that such a name has no registered domain.
"""

import datetime
import gzip
import itertools
import os
import random
import sys
import zlib

PATTERNS = (
    "/", "", "*", "/*", "/*/", "*/", "/**", "/$", "*$", "/*$", "$", "*.pdf", "*.pdf$", "*.css", "/*.css", "*.js*", "/a", "/a/", "/a*", "/a/*", "/a$",
    "private", "private/", "?q=", "*?q=", "/*?", "/?", "/search", "/search?q=", "/wp-admin/", "/wp-admin/admin-ajax.php", "/images/*.png$", "/index.html",
    "/index.htm", "/d/index.html", "/about", "/%61bout", "/%7Ea", "/caf\u00e9", "/caf%c3%a9", "/a%2Fb", "/a%2a", "/a%24", "/x*y*z", "*a*b*c*$", "//", "/a b",
    "http://h.example/a", "/robots.txt", "/a?b=%3A%2F", "%2Fa", "/ab$c", "/images/", "/*.png",
)  # fmt: skip
AGENTS = (
    "*", "* ", "*foo", "Googlebot", "googlebot/2.1", "GPTBot", "gptbot", "ClaudeBot", "CCBot", "ccbot/2.0", "MJ12bot", "mj12bot/v1.4", "anthropic-ai",
    "Google-Extended", "Applebot", "Applebot-Extended", "bingbot", "Bytespider (x)", "OAI-SearchBot", "PerplexityBot", "Amazonbot, GPTBot", "AhrefsBot",
    "SemrushBot;", "Baiduspider", "meta-externalagent", "archive.org_bot", "GPTBot ClaudeBot", "",
)  # fmt: skip
SHAPES = (
    "User-agent: *\nDisallow: *.pdf\n",
    "User-agent: *\nDisallow: /\nAllow: *.css\n",
    "User-agent: *\nDisallow: /\nAllow: /$\n",
    "User-agent: *\nDisallow: /*\nAllow: /\n",
    "User-agent: *\nDisallow: /\nAllow: /*\n",
    "User-agent: *\nDisallow: /\nAllow: *\n",
    "User-agent: GPTBot\nAllow: *\n",
    "User-agent: GPTBot\nAllow: /*\n",
    "User-agent: GPTBot\nAllow:\n\nUser-agent: *\nDisallow: /\n",
    "User-agent: GPTBot\nDisallow:\nDisallow:\n",
    "User-agent: GPTBot\nDisallow: /\nDisallow: /\n",
    "User-agent: GPTBot\nDisallow: /a\nAllow: /a\n",
    "User-agent: GPTBot\nDisallow: /?\nUser-agent: *\nDisallow: /x?y\n",
    "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: MJ12bot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n",
    "User-agent: GPTBot\n\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
    "User-agent: *\nUser-agent: GPTBot\nDisallow: /\nUser-agent: CCBot\nAllow: /\n",
    "User-agent: GPTBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: gptbot\nDisallow: /\n",
    "User-agent: MJ12bot\nDisallow: /\nCrawl-delay: 5\n",
    "User-agent: mj\nDisallow: /\n",
    "User-agent: *\nAllow: /index.html\nDisallow: /\n",
    "User-agent: *\nAllow: /d/index.htm\nDisallow: /d/\n",
    "User-agent: *\nDisallow /a\ndissallow: /b\nAllowed: /c\nDisallowAITraining: /\nuser agent: x\n",
    "Disallow: /\nAllow: /\n",
    "Sitemap: /sitemap.xml\nSitemap: https://www.one.example/s.xml.gz\nsite-map: https://other.test/s.xml\nSitemap:\n",
    "# nothing\n",
    "",
    "\ufeffUser-agent: *\nDisallow: /\n",
    "\ufeff\ufeffUser-agent: *\nDisallow: /\n",
    "User-agent: *\rDisallow: /a\r\nDisallow: /b\n\rDisallow: /c",
    "User-agent: *\nDisallow: /" + "x" * 20_000 + "\nDisallow: /y\n",
    "User-agent: *\nDisallow: /a\x00b\nDisallow: /c#d\n#e\n",
    "User-agent: *\nCrawl-delay: -1\n\nUser-agent: GPTBot\nCrawl-delay: 1,0\n\nUser-agent: CCBot\nCrawl-delay: 5\nCrawl-delay: 0.5\nDisallow: /a\n",
    "User-agent: *\nCrawl-delay: 0\nCrawl-delay: 400\nCrawl-delay: 61\nCrawl-delay: 30\nCrawl-delay: 1\nCrawl-delay: ten\nCrawl-delay:\n",
    "Crawl-delay: 7\nHost: one.example\nClean-param: a&b /c\nColor: blue\nNoindex: /n\nRequest-rate: 1/5\n",
    "Content-Signal: search=yes, ai-train=no\nUser-agent: *\nContent-Signal: ai-input=maybe\nContent-Signal: search=yes,search=no\nAllow: /\n",
    "User-agent: *\nContent-Signal: Search = YES ,AI-Train=no\nContent-Signal: nonsense\nContent-Signal:\nDisallow: /p\n",
    "Content-Usage: train-ai=n, search=y\nContent-Usage: /images/ train-ai=y\nContent-Usage: train-ai=(((\nUser-agent: *\nContent-Usage: /a\n",
    "License: https://one.example/license.xml\nLicense: /license.xml\nLLM-Policy: https://one.example/llm\nLLM-Policy: nowhere\n",
    "DisallowAITraining: /\nAllowAITraining: /open\nDisallowAITraining: x\nUser-agent: *\nDisallow:\nAllowAITraining: /\nNoindex: /thin/\nNoindex: thin\n",
    "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n\nUser-agent: GPTBot\nAllow: /\nDisallow: /a\n",
)
PAGES = (
    "<!DOCTYPE html>\n<html><head></head><body>not found</body></html>",
    "<!doctype html>",
    "\ufeff\ufeff<html><body>x</body></html>",
    "\n" * 3000 + "<html>\n<body>\nUser-agent: *\nDisallow: /\n</body></html>",
    "<!-- a --><html><title>x</title></html>",
    "<html>\nUser-agent: *\nDisallow: /a\ncolor: red\nSitemap: https://one.example/s.xml\n</html>",
    "<pre>User-agent: *\nDisallow: /\n</pre>",
    "<HTML><HEAD><META http-equiv=refresh content='0;url=/'></HEAD></HTML>",
)
TEXT = "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\n"
OTHER = "User-agent: *\nDisallow: /b\n\nUser-agent: CCBot\nDisallow: /\n"


class Archive:
    """Records of one archive, a second apart, each in a gzip member of its own."""

    def __init__(self, year):
        self.bytes = b""
        self.time = datetime.datetime(year, 2, 3, 4, 5, 6)
        self.record("warcinfo", None, b"software: made.py\r\n")

    def record(self, kind, url, block, *fields):
        self.time += datetime.timedelta(seconds=1)
        where = [f"WARC-Target-URI: {url}"] if url else []
        head = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Date: {self.time.isoformat()}Z", *where, *fields, f"Content-Length: {len(block)}", "", ""]
        self.bytes += gzip.compress("\r\n".join(head).encode() + block + b"\r\n\r\n", mtime=0)

    def answer(self, url, status, body=b"", *fields, warc=()):
        """Adds a response; the status is the rest of a status line."""
        body = body.encode() if isinstance(body, str) else body
        head = "\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode()
        self.record("response", url, head + body, "Content-Type: application/http; msgtype=response", *warc)

    def file(self, host, body, scheme="https", **more):
        self.answer(f"{scheme}://{host}/robots.txt", "200 OK", body, "Content-Type: text/plain", **more)

    def move(self, url, target, status="301 Moved"):
        self.answer(url, status, b"", *([f"Location: {target}"] if target is not None else []))


def robots(host, scheme="https"):
    return f"{scheme}://{host}/robots.txt"


def shapes(archive, chance):
    """Files of all shapes, each on a host of its own, and mixtures of them."""
    for at, body in enumerate(SHAPES):
        archive.file(f"shape-{at}.example", body)
    for at, pattern in enumerate(PATTERNS):
        archive.file(f"pattern-{at}.example", f"User-agent: *\nDisallow: {pattern}\n\nUser-agent: GPTBot\nDisallow: /\nAllow: {pattern}\n")
    for at in range(300):
        lines = []
        for _ in range(chance.randrange(1, 4)):
            lines += [f"User-agent: {chance.choice(AGENTS)}" for _ in range(chance.randrange(1, 4))]
            lines += [f"{chance.choice(('Disallow', 'Disallow', 'Allow'))}: {chance.choice(PATTERNS)}" for _ in range(chance.randrange(5))]
            lines += [""] * chance.randrange(2)
        archive.file(f"mixed-{at}-example.{chance.choice(('com', 'org', 'co.uk'))}", chance.choice(("\n", "\r\n")).join(lines))
    for at, page in enumerate(PAGES):
        archive.file(f"page-{at}.example", page)


def statuses(archive):
    for status in ("401", "403", "404", "410", "418", "429", "500", "503", "599", "204", "206"):
        archive.answer(robots(f"status-{status}-example.com"), f"{status} x", TEXT)
    archive.answer(robots("status-none-example.com"), "none at all", TEXT)
    archive.answer(robots("down-example.com"), "200 OK", TEXT)
    archive.answer(robots("down-example.com"), "503 x")
    archive.answer(robots("gone-example.com"), "200 OK", TEXT)
    archive.answer(robots("gone-example.com"), "404 x")
    archive.answer(robots("unchanged-example.com"), "200 OK", TEXT)
    archive.answer(robots("unchanged-example.com"), "304 Not Modified")
    archive.answer(robots("unchanged-alone-example.com"), "304 Not Modified")


def codings(archive):
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (b"User-agent: *\n", b"Disallow: /a\n"))
    packed = gzip.compress(TEXT.encode(), mtime=0)
    chunk, zipped = ("Transfer-Encoding: chunked",), ("Content-Encoding: gzip",)
    for name, body, fields, warc in (
        ("chunked", chunked + b"0\r\n\r\n", chunk, ()),
        ("chunked-stored", TEXT.encode(), chunk, ()),
        ("chunked-cut", chunked[:-8], chunk, ()),
        ("chunked-bad", chunked + b"zz\r\nUser-agent: x\r\n", chunk, ()),
        ("chunked-on-purpose", chunked, chunk, ("WARC-Truncated: length",)),
        ("gzip", packed, zipped, ()),
        ("gzip-stored", TEXT.encode(), zipped, ()),
        ("gzip-cut", packed[:-20], zipped, ()),
        ("gzip-wrong", packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:], zipped, ()),
        ("gzip-unannounced", packed, (), ()),
        ("gzip-empty", gzip.compress(b"", mtime=0), (), ()),
        ("deflate", zlib.compress(TEXT.encode()), ("Content-Encoding: deflate",), ()),
        ("long", "User-agent: *\nDisallow: /a\n" + "# x\n" * 130_000 + "Disallow: /\n", (), ()),
        ("cut-on-purpose", "User-agent: *\nDisallow: /a\nDisal", (), ("WARC-Truncated: length",)),
        ("cut-off", "User-agent: *\nDisallow: /a\nDisal", (), ("WARC-Truncated: disconnect",)),
    ):
        archive.answer(robots(f"{name}-example.com"), "200 OK", body, *fields, warc=warc)


def redirects(archive):
    for hops in range(1, 13):
        names = [f"hop-{at}-of-{hops}-example.com" for at in range(hops + 1)]
        for one, two in zip(names, names[1:]):
            archive.move(robots(one), robots(two), ("301 x", "302 x", "303 x", "307 x", "308 x")[hops % 5])
        archive.file(names[-1], TEXT if hops % 2 else OTHER)
    for size in (1, 2, 3, 7):
        names = [f"loop-{at}-of-{size}-example.com" for at in range(size)]
        for one, two in zip(names, names[1:] + names[:1]):
            archive.move(robots(one), robots(two))
        archive.move(robots(f"to-loop-of-{size}-example.com"), robots(names[0]))
    archive.move(robots("cookie-example.com"), robots("cookie-example.com"), "302 x")
    archive.file("cookie-example.com", TEXT)
    archive.move(robots("to-nothing-example.com"), robots("nowhere-example.com"))
    archive.move(robots("to-path-example.com"), "/files/robots.txt")
    archive.answer("https://to-path-example.com/files/robots.txt", "200 OK", TEXT)
    archive.answer("https://to-path-example.com/elsewhere", "200 OK", TEXT)
    archive.move(robots("to-dots-example.com"), "https://to-path-example.com/x/../files/./robots.txt")
    archive.move(robots("to-404-example.com"), robots("status-404-example.com"))
    archive.move(robots("to-429-example.com"), robots("status-429-example.com"))
    archive.move(robots("to-503-example.com"), robots("status-503-example.com"))
    archive.move(robots("to-broken-example.com"), robots("gzip-cut-example.com"))
    for name, status, target in (("no-location", "301 x", None), ("ftp", "301 x", "ftp://ftp-example.com/"), ("choices", "300 x", robots("one-example.com"))):
        archive.move(robots(f"{name}-example.com"), target, status)
    archive.move(robots("secure-example.com", "http"), robots("secure-example.com"))
    archive.file("secure-example.com", TEXT)
    archive.file("twice-example.com", TEXT)
    archive.move(robots("to-twice-example.com"), robots("twice-example.com"))
    archive.time += datetime.timedelta(days=3)
    archive.file("twice-example.com", OTHER)
    archive.move(robots("to-twice-late-example.com"), robots("twice-example.com"))


def hosts(archive):
    """Several hosts of one registered domain, schemes, ports, an address."""
    for at, (name, scheme) in enumerate(itertools.product(("one-example.com", "www.one-example.com", "a.one-example.com", "b.one-example.com"), ("http", "https"))):
        archive.file(name, OTHER if at in (0, 3) else TEXT, scheme)
    for name in ("two-example.com", "www.two-example.com"):
        archive.file(name, TEXT, "http")
        archive.answer(robots(name), "404 x")
    for at in range(40):
        archive.file(f"shop-{at}.hoster-example.com", TEXT)
    archive.file("192.0.2.7", TEXT, "http")
    archive.file("ported-example.com:8443", TEXT)
    archive.file("ported-example.com", OTHER)
    archive.file("usual-example.com:443", TEXT)
    archive.file("usual-example.com:8443", OTHER)
    archive.file("www.usual-example.com:80", TEXT, scheme="http")
    archive.file("document-example.com", b"<?xml version='1.0'?><Error><Message>None.\nRequestId:1\nTime:2\n</Message></Error>")
    archive.file("slash-example.com", b"User-agent: */\nDisallow: /")
    archive.file("worded-example.com", b"User-agent: * everybody\nDisallow: /")
    archive.file("WWW.Upper-Example.com", TEXT)
    archive.answer("https://asked-example.com/robots.txt?x=1", "200 OK", TEXT)


def main(folder):
    chance = random.Random(12)
    for year, crawl in ((2015, "CC-MAIN-2015-06"), (2024, "CC-MAIN-2024-10"), (2026, "CC-MAIN-2026-05")):
        archive = Archive(year)
        if year != 2024:
            archive.record("request", robots("one-example.com"), b"GET /robots.txt HTTP/1.1\r\n\r\n")
            archive.record("metadata", robots("one-example.com"), b"x: y\r\n")
        if year == 2015:
            hosts(archive)
        if year == 2024:
            for at in range(30):
                archive.file(f"shape-{at}.example", SHAPES[(at + chance.randrange(2)) % len(SHAPES)])
                archive.file(f"shop-{at}.hoster-example.com", chance.choice((TEXT, OTHER)))
        if year == 2026:
            shapes(archive, chance)
            statuses(archive)
            codings(archive)
            redirects(archive)
        os.makedirs(os.path.join(folder, crawl), exist_ok=True)
        with open(os.path.join(folder, crawl, f"{crawl}-made.warc.gz"), "wb") as file:
            file.write(archive.bytes)


if __name__ == "__main__":
    main(sys.argv[1])
