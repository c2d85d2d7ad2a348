"""The interfaces of other parsers: the same methods, arguments and types, with our answers."""

from __future__ import annotations

import copy
import inspect
import io
import multiprocessing
import pickle
import threading
import urllib.error
import urllib.robotparser
from collections.abc import Iterator
from datetime import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from robocensus import Dialect, Robots
from robocensus.protego import Protego
from robocensus.robotparser import RobotFileParser

BODY = """\
User-agent: MyCrawler
Crawl-delay: 2.5
Request-rate: 3/2m 0800-1730
Visit-time: 0600-0845
Disallow: /*.pdf$

User-agent: *
Crawl-delay: 7
Request-rate: 1/10
Disallow: /private
Sitemap: https://example.com/a.xml
Sitemap: https://example.com/b.xml
Host: example.com
"""


def public(value: type) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


def test_the_interface_of_the_standard_library() -> None:
    theirs, ours = urllib.robotparser.RobotFileParser, RobotFileParser
    assert public(theirs) <= public(ours)
    for name in public(theirs):
        their, our = (inspect.signature(getattr(value, name)) for value in (theirs, ours))
        assert list(their.parameters) == list(our.parameters), name
    parsers: list[Any] = [theirs(), ours()]
    for parser in parsers:
        assert not parser.can_fetch("a", "/") and parser.crawl_delay("a") is None
        parser.parse(BODY.replace("2.5", "2").replace(" 0800-1730", "").splitlines())
        assert parser.mtime() > 0
    their, our = parsers
    assert their.can_fetch("x", "http://a/private") == our.can_fetch("x", "http://a/private")
    assert their.crawl_delay("MyCrawler/2.0") == our.crawl_delay("MyCrawler/2.0") == 2
    assert type(our.crawl_delay("MyCrawler")) is int
    assert their.request_rate("x") == our.request_rate("x") == (1, 10)
    assert type(our.request_rate("x")) is type(their.request_rate("x"))
    requests, seconds = our.request_rate("MyCrawler")
    assert (requests, seconds) == (3, 120)
    assert their.site_maps() == our.site_maps()
    # Where the two differ, the answer is Google's: wildcards.
    url = "https://example.com/a.pdf"
    assert their.can_fetch("MyCrawler", url) and not our.can_fetch("MyCrawler", url)
    python = ours(dialect="python")
    python.parse(BODY.splitlines())
    assert python.can_fetch("MyCrawler", url)
    assert ours().site_maps() is None and "User-agent" in str(python)


LINES = [
    "User-agent: a\nDisallow: /x\n\nUser-agent: b\n\nDisallow: /y\nUser-agent: *\n\n",
    "User-agent: a\n\nUser-agent: b\nDisallow: /x\n \nDisallow: /y\n\n\nUser-agent: *\nDisallow: /\n",
    "User-agent: *\n# x\nDisallow: /x\n#\n\nAllow: /y",
]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("body", LINES)
def test_lines_with_their_ends_are_those_of_the_standard_library(body: str, end: str) -> None:
    text = body.replace("\n", end)
    for lines in (
        text.splitlines(),
        text.splitlines(keepends=True),
        io.StringIO(text, newline="").readlines(),
        io.TextIOWrapper(io.BytesIO(text.encode())),
    ):
        lines = list(lines)
        theirs, ours = urllib.robotparser.RobotFileParser(), RobotFileParser(dialect="python")
        old = RobotFileParser(dialect="original-1994")
        parsers: list[Any] = [theirs, ours, old]
        for parser in parsers:
            parser.parse(lines)
        for agent in "abc":
            for url in ("/x", "/y", "/z"):
                assert theirs.can_fetch(agent, url) == ours.can_fetch(agent, url), (lines, agent)
                wanted = Robots(text).can_fetch(agent, url, "original-1994")
                assert old.can_fetch(agent, url) == wanted, (lines, agent)


def test_the_last_of_several_delays_rates_and_times_counts() -> None:
    theirs = pytest.importorskip("protego").Protego
    body = "User-agent: *\nCrawl-delay: 1\nRequest-rate: 1/2\nVisit-time: 0600-0800\n"
    body += "Crawl-delay: 3\nRequest-rate: 3/4 900-1700\nVisit-time: 900-1000\n"
    body += "Crawl-delay: soon\nRequest-rate: 9/banana\nVisit-time: noon\n"
    for name in ("crawl_delay", "request_rate", "visit_time"):
        assert getattr(Protego.parse(body), name)("a") == getattr(theirs.parse(body), name)("a")
    cpython = urllib.robotparser.RobotFileParser()
    cpython.parse(body.replace(" 900-1700", "").splitlines())
    parser = RobotFileParser()
    parser.parse(body.splitlines())
    assert parser.crawl_delay("a") == cpython.crawl_delay("a") == 3
    assert parser.request_rate("a") == cpython.request_rate("a") == (3, 4)


def answers(parser: RobotFileParser | Protego) -> list[Any]:
    """What a parser answers; another process imports this function by its name."""
    urls = ["/a.pdf", "/private", "/b"]
    if isinstance(parser, Protego):
        return [parser.can_fetch(url, "x") for url in urls] + list(parser.sitemaps)
    return [parser.can_fetch("x", url) for url in urls] + [parser.mtime(), parser.site_maps()]


def test_dropins_and_files_are_pickled_and_copied() -> None:
    dialects: list[str | Dialect] = ["python", Dialect("rfc9309")]
    dialects.append(Dialect({"base": "google", "name": "mine", "missing_colon": "rejected"}))
    parsers: list[Any] = []
    for dialect in dialects:
        parser = RobotFileParser("https://example.com/robots.txt", dialect)
        parser.parse(BODY.splitlines())
        parsers += [parser, Protego.parse(BODY + "Disallow /b\n", dialect)]
    for parser in parsers:
        copies = [copy.copy(parser), copy.deepcopy(parser)]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            copies.append(pickle.loads(pickle.dumps(parser, protocol)))
        for other in copies:
            assert answers(other) == answers(parser)
            assert other.dialect == parser.dialect
    robots = Robots(b"User-agent: *\nDisallow: /caf\xe9\n")
    assert pickle.loads(pickle.dumps(robots)).body == copy.deepcopy(robots).body == robots.body


def test_dropins_pass_to_another_process() -> None:
    parser = RobotFileParser(dialect=Dialect({"base": "google", "missing_colon": "rejected"}))
    parser.parse(BODY.splitlines())
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(pickle.loads, (pickle.dumps(parser),)).mtime() == parser.mtime()
        assert pool.apply(parser.can_fetch, ("x", "/private")) is False


@pytest.fixture
def server() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = int(self.path.split("/")[1])
            body = b"User-agent: *\nDisallow: /caf\xe9\n"
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("status, may", [(200, False), (404, True), (403, True), (503, False)])
def test_a_fetch_is_read_with_its_status(server: str, status: int, may: bool) -> None:
    parser = RobotFileParser(f"{server}/{status}/robots.txt")
    parser.read()
    assert parser.can_fetch("x", f"{server}/caf%E9") is may


def test_a_server_that_is_not_there() -> None:
    parser = RobotFileParser("http://127.0.0.1:9/robots.txt")
    with pytest.raises(urllib.error.URLError):
        parser.read()
    assert not parser.can_fetch("x", "/")


@pytest.mark.parametrize("status", [503, 404])
def test_a_later_fetch_replaces_what_a_status_meant(server: str, status: int) -> None:
    parser = RobotFileParser(f"{server}/{status}/robots.txt")
    parser.read()
    parser.set_url(f"{server}/200/robots.txt")
    parser.read()
    assert parser.can_fetch("x", "/ok") and not parser.can_fetch("x", "/caf%E9")


def test_a_user_agent_may_be_bytes() -> None:
    python = RobotFileParser()
    python.parse(BODY.splitlines())
    header = b"Mozilla/5.0 (compatible; MyCrawler/1.0; +https://example.com)"
    assert not python.can_fetch(header, "/a.pdf") and python.crawl_delay(header) == 2.5
    protego = Protego.parse(BODY)
    assert not protego.can_fetch(b"/a.pdf", header) and protego.can_fetch("/a.pdf", b"Other/1.0")
    assert protego.request_rate(header) == protego.request_rate("MyCrawler")
    assert protego.visit_time(header) == protego.visit_time("MyCrawler")
    assert protego.crawl_delay(b"\xff/1.0") == 7


def test_empty_sitemaps_are_those_of_the_other_parsers() -> None:
    theirs = pytest.importorskip("protego").Protego
    body = "Sitemap:\nSitemap: https://example.com/a.xml\n"
    assert list(Protego.parse(body).sitemaps) == list(theirs.parse(body).sitemaps)
    assert list(Protego.parse(body).sitemaps) == ["https://example.com/a.xml"]
    parsers: list[Any] = [urllib.robotparser.RobotFileParser(), RobotFileParser()]
    for parser in parsers:
        parser.parse(body.splitlines())
    assert parsers[0].site_maps() == parsers[1].site_maps()


def test_delays_are_in_the_groups_of_the_dialect() -> None:
    theirs = pytest.importorskip("protego").Protego
    body = "User-agent: A\nCrawl-delay: 120\n\nUser-agent: *\nCrawl-delay: 1\nDisallow: /x\n"
    assert Protego.parse(body).crawl_delay("A") == 1
    assert Protego.parse(body, dialect="python").crawl_delay("A") == 120
    assert theirs.parse(body).crawl_delay("A") == 120
    parser = RobotFileParser(dialect="python")
    parser.parse(body.splitlines())
    assert parser.crawl_delay("A") == 120


@pytest.mark.parametrize("digits", [10, 5000])
def test_numbers_of_many_digits_are_no_rate_and_no_error(digits: int) -> None:
    many = "9" * digits
    for value in (f"1/{many}s", f"{many}/1", f"{many}/{many}"):
        robots = Protego.parse(f"User-agent: *\nRequest-rate: {value}\nRequest-rate: 1/2\n")
        assert robots.request_rate("a") == (1, 2, None, None)
    robots = Protego.parse(f"User-agent: *\nCrawl-delay: {'9' * 5000}\nCrawl-delay: 3\n")
    assert robots.crawl_delay("a") == 3


def test_the_interface_of_protego() -> None:
    protego = pytest.importorskip("protego")
    theirs, ours = protego.Protego, Protego
    assert public(theirs) <= public(ours)
    for name in ("can_fetch", "crawl_delay", "request_rate", "visit_time"):
        their, our = (inspect.signature(getattr(value, name)) for value in (theirs, ours))
        assert list(their.parameters) == list(our.parameters), name
    their, our = theirs.parse(BODY), ours.parse(BODY)
    header = "Mozilla/5.0 (compatible; MyCrawler/1.0; +https://example.com)"
    for agent in ("MyCrawler", header, "Other/1.0"):
        for name in ("crawl_delay", "request_rate", "visit_time"):
            assert getattr(their, name)(agent) == getattr(our, name)(agent), (name, agent)
        for url in ("https://a/x.pdf", "https://a/private", "https://a/robots.txt", "https://a/"):
            assert their.can_fetch(url, agent) == our.can_fetch(url, agent), (url, agent)
    assert list(their.sitemaps) == list(our.sitemaps)
    assert their.preferred_host == our.preferred_host == "example.com"
    assert our.request_rate("MyCrawler") == (3, 120, time(8, 0), time(17, 30))
    empty = ours.parse(b"\xff")
    assert empty.crawl_delay("a") is empty.request_rate("a") is empty.visit_time("a") is None
    assert empty.preferred_host is None and list(empty.sitemaps) == []


@pytest.mark.parametrize("value", ["-1", "nan", "inf", "1e999", "soon", ""])
def test_a_delay_that_is_none(value: str) -> None:
    robots = Protego.parse(f"User-agent: *\nCrawl-delay: {value}\nCrawl-delay: 3\n")
    assert robots.crawl_delay("a") == 3


@pytest.mark.parametrize("value", ["0/5", "5/0", "1", "a/b", "1/5x", "1/5 2500-2600", "1/5 noon"])
def test_a_rate_that_is_none(value: str) -> None:
    assert Protego.parse(f"User-agent: *\nRequest-rate: {value}\n").request_rate("a") is None
