"""Scrapy crawls a site on the loopback address with this parser in the place of Protego."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

# Protego takes the misspelled line as no rule, and Google as one; Python knows no wildcard.
ROBOTS = b"User-agent: *\nDisallow /secret\nDisallow: /*.pdf$\nCrawl-delay: 0\n\xff\n"
PAGES = {
    "/": b'<a href="/open">o</a><a href="/secret/a">s</a><a href="/a.pdf">p</a>'
    b'<a href="/a.pdf?x">q</a>',
    "/open": b"open",
    "/secret/a": b"secret",
    "/a.pdf": b"pdf",
    "/a.pdf?x": b"pdf with a query",
}

SPIDER = """
import scrapy, json, sys
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = "site"
    start_urls = [sys.argv[1] + "/"]

    def parse(self, response):
        found.append(response.url.removeprefix(sys.argv[1]))
        yield from response.follow_all(css="a")

found = []
process = CrawlerProcess({
    "ROBOTSTXT_OBEY": True,
    "ROBOTSTXT_PARSER": "robocensus.scrapy.RobotParser",
    "ROBOCENSUS_DIALECT": sys.argv[2],
    "USER_AGENT": "MyCrawler/1.0 (+https://example.com)",
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Spider)
process.start()
print(json.dumps(sorted(found)))
"""


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = ROBOTS if self.path == "/robots.txt" else PAGES[self.path]
            kind = "text/plain" if self.path == "/robots.txt" else "text/html"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    "dialect, crawled",
    [
        ("google", ["/", "/a.pdf?x", "/open"]),
        ("original-1994", ["/", "/a.pdf", "/a.pdf?x", "/open", "/secret/a"]),
    ],
)
def test_a_crawl_obeys_the_parser(
    site: tuple[str, list[str]], dialect: str, crawled: list[str], tmp_path: Path
) -> None:
    origin, asked = site
    done = subprocess.run(
        [sys.executable, "-c", SPIDER, origin, dialect],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.strip().splitlines()[-1]) == crawled, done.stderr
    assert asked[0] == "/robots.txt" and sorted(set(asked) - {"/robots.txt"}) == crawled
