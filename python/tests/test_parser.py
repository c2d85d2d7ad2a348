"""One robots.txt: decisions, parts, explanations, and arguments that are none."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import random
import re
import threading
from array import array
from collections.abc import Iterator
from typing import Any

import pytest
import robocensus
from robocensus import Dialect, Robots, decide_access, product_token

BODY = """\
User-agent: Googlebot-News
Disallow: /news/drafts

User-agent: GPTBot
User-agent: CCBot
Crawl-delay: 2
Disallow: /private
Allow: /private/open
Allow: /*.html$
Content-Signal: ai-train=no, search=yes

User-agent: *
Dissallow: /typo
Disallow:
Sitemap: https://example.com/sitemap.xml
"""


@pytest.fixture(scope="module")
def robots() -> Robots:
    return Robots(BODY)


def test_a_decision_names_its_line(robots: Robots) -> None:
    decision = robots.decide("GPTBot", "https://example.com/private/a")
    assert decision.verdict == "disallow" and not decision
    assert (decision.basis, decision.group_line, decision.rule_line) == ("rule", 4, 7)
    assert decision.group_index == 1 and decision.dialect == "google"
    assert (decision.agent, decision.url) == ("GPTBot", "https://example.com/private/a")
    assert decision.robots.body == BODY.encode()
    allowed = robots.decide("CCBot", "/private/open/x")
    assert allowed and allowed.rule_line == 8
    assert robots.decide("GPTBot", "/other").basis == "no_rule_matched"
    assert repr(decision).startswith('Decision(verdict="disallow", basis="rule", group_line=4')


def test_agents_are_a_token_or_a_chain(robots: Robots) -> None:
    url = "/news/drafts/1"
    assert not robots.decide(["Googlebot-News", "Googlebot"], url)
    assert not robots.decide(("Googlebot-News", b"Googlebot"), url)
    assert robots.decide("Googlebot", url)
    assert robots.groups_for(["Googlebot-News"])[0].line_first == 1


def test_texts_may_have_any_bytes() -> None:
    body = b"User-agent: *\nDisallow: /caf\xe9\n"
    for form in (body, bytearray(body), memoryview(body), body.decode("utf-8", "surrogateescape")):
        robots = Robots(form)
        assert robots.body == body
        assert robots.decide(b"x", b"/caf\xe9", "rfc9309").rule_line == 2
        assert robots.decide("x", "/caf\udce9", "rfc9309").rule_line == 2
        assert robots.rules()[0].value == "/caf\udce9"
        assert robots.line(2) == "Disallow: /caf\udce9"
    # A surrogate that stands for no byte is the three bytes that UTF-8 would have for it.
    assert Robots("\ud800").body == b"\xed\xa0\x80"
    assert robots.line(0) is None and robots.line(99) is None


def test_parts_have_their_lines(robots: Robots) -> None:
    groups = robots.groups()
    assert [(group.line_first, len(group.agents)) for group in groups] == [(1, 1), (4, 2), (12, 1)]
    assert [line.token for line in groups[1].agents] == ["GPTBot", "CCBot"]
    assert groups[2].agents[0].is_wildcard
    assert [(rule.line, rule.kind) for rule in groups[1].rules] == [
        (7, "disallow"),
        (8, "allow"),
        (9, "allow"),
    ]
    html = robots.rules()[3]
    assert (html.value, html.has_wildcard, html.has_anchor, html.group_index) == (
        "/*.html$",
        True,
        True,
        1,
    )
    assert [rule.line for rule in robots.matching("GPTBot", "/private/open/a.html")] == [7, 8, 9]
    fields = [(record.line, record.field) for record in robots.records()]
    assert (6, "crawl-delay") in fields and (15, "sitemap") in fields
    assert robots.sitemaps() == ["https://example.com/sitemap.xml"]
    signals = {signal.key: signal.value for signal in robots.signals()}
    assert signals == {"ai-train": "no", "search": "yes"}
    typo = next(finding for finding in robots.findings() if finding.line == 13)
    assert typo.meant == "disallow" and "google" in typo.accepted_by
    assert typo.sentence and typo.severity in ("error", "warning", "info")


def test_dialects_are_names_toml_dictionaries_and_objects() -> None:
    robots = Robots("User-agent: *\nDisallow /private\n")
    answers = {"base": "google", "missing_colon": "rejected"}
    toml = 'base = "google"\nmissing_colon = "rejected"\n'
    strict = Dialect(answers)
    assert not robots.decide("x", "/private")
    for dialect in (answers, toml, strict):
        assert robots.decide("x", "/private", dialect).basis == "no_rule_matched"
    assert strict == Dialect(toml) and hash(strict) == hash(Dialect(toml))
    assert Dialect(strict.to_toml()) == strict
    named = Dialect({**answers, "name": "mine", "access": {"server_error": "full_allow"}})
    assert named.name == "mine" and decide_access(503, named) == "full_allow"
    assert [Dialect(name).name for name in robocensus.DIALECTS] == robocensus.DIALECTS


@pytest.mark.parametrize(
    "dialect, says",
    [
        ("Google", "expected one of google, rfc9309"),
        ("base = 1", "line 1: base: expected one of google"),
        ({"precedence": "longest"}, 'expected base = "..."'),
        ({"base": "google", "precedence": "shortest"}, "precedence: expected"),
        ({"base": "google", "nonsense": 1}, "nonsense: expected one of"),
        ({"base": "google", "a\nb": 1}, "expected the name of an answer"),
        ({"base": 'go"ogle\n'}, "base: expected one of"),
    ],
)
def test_a_wrong_dialect_has_a_sentence(dialect: Any, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        Robots("").decide("a", "/", dialect)


def recursive() -> dict[str, Any]:
    answers: dict[str, Any] = {"base": "google"}
    answers["access"] = answers
    return answers


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: Robots(None), "body: expected str or bytes, but found NoneType"),
        (lambda: Robots(1), "body: expected str or bytes, but found int"),
        (lambda: Robots(["User-agent: *"]), "body: expected str or bytes, but found list"),
        (lambda: Robots("").decide(None, "/"), "agent: expected str or bytes"),
        (lambda: Robots("").decide("a", 5), "url: expected str or bytes, but found int"),
        (lambda: Robots("").decide([1], "/"), "agent: expected str or bytes, but found int"),
        (lambda: Robots("").decide("a", "/", 1), "dialect: expected a name, TOML text"),
        (lambda: Robots("").decide("a", "/", {"base": 1.5}), "dialect: base: expected a str"),
        (lambda: Robots("").decide("a", "/", recursive()), "dialect: access: expected a str"),
        (lambda: Robots(array("i", [1, 2])), "body: expected str or bytes, but found array"),
        (lambda: Robots("").decide("a", "/", {1: 2}), "dialect: expected the name of an answer"),
        (lambda: decide_access("200"), "status: expected a number from 100 to 999"),
    ],
)
def test_wrong_types_have_a_sentence(call: Any, says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        call()


def test_wrong_values_have_a_sentence() -> None:
    with pytest.raises(ValueError, match="agent: expected at least one token"):
        Robots("").decide([], "/")
    for status in (99, 1000, -1, 2**70):
        with pytest.raises(ValueError, match="expected a number from 100 to 999"):
            decide_access(status)
    assert decide_access(None) == decide_access(503)


def test_an_explanation_marks_the_line_that_decided(robots: Robots) -> None:
    text = str(robots.decide("GPTBot", "/private/open/a.html").explain())
    assert re.search(r"^>\s+8 \| Allow: /private/open   <- decides$", text, re.MULTILINE), text
    assert re.search(r"^-\s+7 \| Disallow: /private   <- lost: shorter$", text, re.MULTILINE), text
    assert "names the agent" in text
    html = robots.decide("GPTBot", "/private/open/a.html")._repr_html_()
    assert "Allow: /private/open" in html and "decides" in html and "shorter" in html


def test_an_explanation_escapes_what_others_wrote() -> None:
    body = "User-agent: *\nDisallow: /<script>alert(1)</script>\x1b[31m\u202e\n"
    decision = Robots(body).decide("<b>", "/<script>alert(1)</script>\x1b[31m\u202e")
    for text in (str(decision.explain()), decision.explain()._repr_html_()):
        assert "\x1b" not in text and "\u202e" not in text
    html = decision._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html and "<b>" not in html


def test_an_explanation_of_a_long_file_is_short() -> None:
    rules = "".join(f"Disallow: /{n}/{'x' * 80}\n" for n in range(5000))
    decision = Robots(f"User-agent: *\n{rules}").decide("a", f"/4321/{'x' * 80}")
    text = str(decision.explain())
    assert decision.rule_line == 4323 and "4323" in text
    assert len(text) < 20_000


@pytest.mark.parametrize(
    "header, token",
    [
        ("GPTBot", "GPTBot"),
        ("GPTBot/1.2", "GPTBot"),
        (
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; "
                "+https://openai.com/gptbot)"
            ),
            "GPTBot",
        ),
        ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot"),
        ("Scrapy/2.19.0 (+https://scrapy.org)", "Scrapy"),
        ("CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"),
        ("*", "*"),
        ("", ""),
    ],
)
def test_the_token_of_a_header(header: str, token: str) -> None:
    assert product_token(header) == token


def test_threads_share_a_file() -> None:
    robots = Robots(BODY)
    wrong = []

    def ask(seed: int) -> None:
        generator = random.Random(seed)
        for _ in range(2000):
            dialect = generator.choice(robocensus.DIALECTS)
            decision = robots.decide("GPTBot", "/private/x", dialect)
            if decision.rule_line not in (7, None) or not robots.findings():
                wrong.append(decision)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_random_bytes_raise_nothing() -> None:
    generator = random.Random(7)
    pieces = [
        b"user-agent:",
        b"disallow:",
        b"\xff",
        b"\0",
        b"\r",
        b"\n",
        b"*",
        b"$",
        b"%",
        b"a" * 99,
    ]
    for _ in range(500):
        body = b"".join(generator.choices(pieces, k=generator.randrange(60)))
        robots = Robots(body)
        for dialect in robocensus.DIALECTS:
            decision = robots.decide(generator.choice(pieces), generator.choice(pieces), dialect)
            str(decision.explain())
            for method in ("groups", "rules", "records", "sitemaps", "signals"):
                getattr(robots, method)(dialect)
        robots.findings()


def test_the_examples_of_the_documentation_hold() -> None:
    native = robocensus._native
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner()
    names = vars(robocensus) | {name: getattr(native, name) for name in dir(native)}
    tests = []
    for name in dir(native):
        # The finder skips what an extension module imports, and that is all of it.
        tests += finder.find(getattr(native, name), name, module=False, globs=dict(names))
    for module in pkgutil.iter_modules(robocensus.__path__):
        if module.name in ("scrapy", "polars", "_native", "__main__"):
            continue
        tests += finder.find(importlib.import_module(f"robocensus.{module.name}"))
    tests += finder.find(robocensus)
    for test in tests:
        runner.run(test)
    assert runner.summarize().failed == 0
    assert runner.tries > 15


def test_many_urls_of_one_crawler_are_decided_at_once() -> None:
    robots = Robots("User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /*.pdf$\n")
    urls = ["/a/1", b"/x.pdf", "https://example.com/", "/a.pdf?", ""]
    for agent in ["GPTBot", "CCBot", ["NoSuch", "GPTBot"]]:
        for dialect in robocensus.DIALECTS:
            wanted = [robots.can_fetch(agent, url, dialect) for url in urls]
            assert robots.can_fetch_each(agent, iter(urls), dialect) == wanted
    assert robots.can_fetch_each("GPTBot", []) == []
    with pytest.raises(TypeError, match="urls: expected an iterable of URLs, but found str"):
        robots.can_fetch_each("GPTBot", "/a")
    with pytest.raises(TypeError, match=r"urls\[1\]: expected str or bytes, but found int"):
        robots.can_fetch_each("GPTBot", ["/a", 5])  # type: ignore[list-item]


def test_decisions_do_not_depend_on_those_before() -> None:
    generator = random.Random(3)
    agents: list[Any] = ["GPTBot", b"gptbot", "*", "CCBot", ["NoSuch", "GPTBot"], "caf\udce9"]
    urls: list[Any] = ["/a/1", b"/a/1", "/caf\udce9", "/x.pdf", "//[", "", "/" + "a" * 5000]
    urls += [f"https://example.com/{letter}/{n}" for letter in "abc" for n in range(100)]
    bodies = [
        "",
        BODY,
        "User-agent: *\nDisallow: /a\nAllow: /a/1\n",
        "User-agent: GPTBot\nDisallow: /",
    ]
    files = [Robots(body) for body in bodies]

    def copied(text: Any) -> Any:
        if isinstance(text, list):
            return [copied(token) for token in text]
        return bytearray(
            text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        )

    for _ in range(20_000):
        index = generator.randrange(len(files))
        agent, url = generator.choice(agents), generator.choice(urls)
        dialect = generator.choice(robocensus.DIALECTS)
        wanted = Robots(bodies[index]).can_fetch(copied(agent), copied(url), dialect)
        assert files[index].can_fetch(agent, url, dialect) == wanted
        assert bool(files[index].decide(agent, url, dialect)) == wanted


def test_a_text_that_changes_is_read_again() -> None:
    robots = Robots("User-agent: GPTBot\nDisallow: /a\n")
    agent, url = bytearray(b"GPTBot"), bytearray(b"/a")
    assert not robots.can_fetch(agent, url)
    url[:] = b"/b"
    assert robots.can_fetch(agent, url)
    url[:] = b"/a"
    agent[:] = b"CCBot."
    assert robots.can_fetch(agent, url)
    chain = ["CCBot"]
    assert robots.can_fetch(chain, "/a")
    chain[0] = "GPTBot"
    assert not robots.can_fetch(chain, "/a")


def test_a_decision_may_be_made_during_another() -> None:
    robots = Robots("User-agent: GPTBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n")

    def urls() -> Iterator[str]:
        for url in ("/a", "/b"):
            yield url
            assert robots.can_fetch("CCBot", "/a") and not robots.can_fetch("CCBot", "/b")

    assert robots.can_fetch_each("GPTBot", urls()) == [False, True]
    with pytest.raises(TypeError, match="url: expected str or bytes"):
        robots.can_fetch("CCBot", None)  # type: ignore[arg-type]
    assert not robots.can_fetch("GPTBot", "/a")
