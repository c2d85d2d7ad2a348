"""Makes the cases of the recordings, and prints them without verdicts, an object of JSON a line.

    cases.py google|python [FOLDER]

FOLDER holds inputs of the fuzz target `robots`: a body, and behind bytes 0xFE a crawler and a URL. The same words print the same cases.

Where the bodies come from: `quirk/` those of quirks.py; `sample/` the archive of data-sample/, which `robocensus sample` wrote; `robots/` the files
of data-sample/robots/; `fuzz/` FOLDER; `random/` files put together at random from a grammar of odd lines and patterns; `text/` the same
of Unicode text and odd URLs, for Python, whose parser works on `str`. No file was fetched from a host.
"""

import base64
import gzip
import json
import pathlib
import random
import re
import sys
import urllib.parse

import quirks

SEED = 14
PACKAGE = pathlib.Path(__file__).resolve().parents[2]
# Longer bodies of the sample, and longer lists of its URLs, would fill the recording with one thing.
MOST_BYTES = 8_000
MOST_URLS = 6
CRAWLERS = ["*", "Googlebot", "GPTBot", "MJ12bot"]

chance = random.Random(SEED)


def case(name, body, agents, urls):
    """Returns a case in which every crawler is asked about every URL, each pair once."""
    try:
        robots = {"robots": body.decode()}
    except UnicodeDecodeError:
        robots = {"robots_b64": base64.b64encode(body).decode()}
    queries = []
    for agent in agents:
        for url in dict.fromkeys(urls):
            query = {"agents" if isinstance(agent, list) else "agent": agent, "url": url}
            if query not in queries:
                queries.append(query)
    return {"id": name, "dialect": dialect, **robots, "queries": queries}


def text_of(octets):
    """Returns bytes as a text of JSON, in which a lone surrogate stands for a byte that is not UTF-8."""
    return octets.decode("utf-8", "surrogateescape")


def values(body, keys):
    """Returns the values of lines with these keys, in the plainest way: what they mean is not known here."""
    found = re.findall(rb"(?im)^[ \t]*(?:" + keys + rb")[ \t]*:[ \t]*([^\r\n#]*)", body)
    return list(dict.fromkeys(text_of(value.strip()) for value in found))


def example(pattern):
    """Returns a URL that a pattern may match; mostly escaped, as crawlers write it."""
    path = "".join(chance.choice(["", "x", "/", "a/b"]) if c == "*" else c for c in pattern)
    if chance.random() < 0.8:
        path = re.sub("%[0-9a-fA-F]{2}", lambda escape: escape[0].upper(), path)
        path = re.sub("[^\0-\x7f]", lambda c: urllib.parse.quote(c[0], errors="surrogateescape"), path)
    return path[:-1] if path.endswith("$") else path


# Quirks, files of the sample and of the fuzzer.


def of_quirks():
    counts = {}
    for name, body, agents, urls in quirks.CASES:
        counts[name] = number = counts.get(name, 0) + 1
        if dialect == "python":
            agents = [agent for agent in agents if isinstance(agent, str)]
        yield case(f"quirk/{name}/{number}", body, agents, urls)


def of_archive():
    """Yields the distinct bodies of the sample that were sent with success and without a coding."""
    records = gzip.decompress((PACKAGE / "data-sample/archives/sample-2026.warc.gz").read_bytes())
    bodies = {}
    for record in re.split(rb"WARC/1\.[01]\r\n", records):
        parts = record.split(b"\r\n\r\n", 2)
        if len(parts) < 3 or b"WARC-Type: response" not in parts[0] or not re.match(rb"HTTP/1\.1 200 ", parts[1]):
            continue
        if not re.search(rb"(?i)\r\n(content|transfer)-encoding:", parts[1]):
            bodies[parts[2].removesuffix(b"\r\n\r\n")] = None
    for number, body in enumerate(body for body in bodies if len(body) <= MOST_BYTES):
        yield of_sample(f"sample/{number}", body)


def of_folder():
    for path in sorted((PACKAGE / "data-sample/robots").iterdir()):
        yield of_sample(f"robots/{path.stem}", path.read_bytes())


def of_sample(name, body):
    agents = values(body, rb"user-?agent")
    patterns = values(body, rb"dis+al+ow|allow")
    agents = chance.sample(agents, min(len(agents), 3))
    patterns = chance.sample(patterns, min(len(patterns), MOST_URLS))
    urls = ["/", "https://h.example/about?x=1"] + [example(pattern) for pattern in patterns]
    return case(name, body, list(dict.fromkeys(CRAWLERS + agents)), urls)


def of_fuzzer(folder):
    for number, path in enumerate(sorted(pathlib.Path(folder).iterdir())):
        body, *asked = path.read_bytes().split(b"\xfe", 2)
        agent, url = (text_of(part) for part in (asked + [b"", b""])[:2])
        patterns = values(body, rb"dis+al+ow|allow")[:MOST_URLS]
        yield case(f"fuzz/{number}", body, dict.fromkeys([agent, "a", "b"]), [url, "/a/b", "/d/"] + patterns)


# Files at random from a grammar.

AGENT_KEYS = ["user-agent"] * 6 + ["User-Agent", "USER-AGENT", "useragent", "user agent", "User-agents", "user_agent"]
RULE_KEYS = ["disallow"] * 8 + ["allow"] * 6 + ["Disallow", "ALLOW", "disalow", "dissallow", "dissalow", "diasllow", "disallaw", "disllow", "allowed", "alow", "Disallow /a"]
OTHER_KEYS = ["sitemap", "site-map", "crawl-delay", "host", "noindex", "x", ""]
AGENTS = ["*"] * 12 + ["bot"] * 8 + ["Bot", "BOT/1.0", "bot-news", "bot news", "other", "other_x", "x", "A7bot", "*bot", "* bot", "", "b\u00f6t", "bot;x", "b%6ft", "bot*"]
ASKED = ["bot", "BOT", "bot-news", "other", "x", "*", "", "A7bot", "A", "nobody", ["bot-news", "bot"], ["nobody", "x", "bot"]]
SEGMENTS = ["a", "b", "ab", "a", "b", "index.html", "index.htm", "Index.html", "%61", "%c3%a9", "%C3%A9", "\u00e9", "%2f", "%2F", "%", "%4", "?", "?q=1", ";p", "$", "*", "**", "/", "/", "/", ".php", "~", "A", " ", "%zz", "%2a", "%24", ":", "&"]
HEADS = ["/"] * 16 + ["", "*", "//", "/*", "?", ";"]
TAILS = [""] * 6 + ["$", "*", "*$", "/", "/index.html", "$$"]
FRONTS = [""] * 12 + ["http://h", "https://h.example:8443", "//h", "h", "HTTP://H", "http:/", "x?u=http://h"]
ENDS = [""] * 14 + ["x", "/", "?q=1", "index.html", "#f", "$", ";p", "\0", "%"]
BLANKS = [""] * 8 + [" ", "\t", "  ", "\x0b", "\x0c", "\xa0"]
LINE_ENDS = ["\n"] * 6 + ["\r\n"] * 3 + ["\r"]
ODD_BYTES = b"\0\t\n\r\x0b #$%*/:;?aU\x80\xbb\xbf\xe9\xef\xff"


def blank():
    return chance.choice(BLANKS)


def pattern():
    return chance.choice(HEADS) + "".join(chance.choices(SEGMENTS, k=chance.choice([0, 1, 1, 2, 2, 3]))) + chance.choice(TAILS)


def line(patterns):
    """Returns one line without its end; the pattern of a rule joins `patterns`."""
    kind = chance.random()
    if kind < 0.07:
        return blank()
    if kind < 0.12:
        return blank() + "#" + chance.choice(["", " a comment", "disallow: /", ":"])
    if kind < 0.32:
        key, value = chance.choice(AGENT_KEYS), chance.choice(AGENTS)
    elif kind < 0.9:
        key, value = chance.choice(RULE_KEYS), chance.choice([pattern(), pattern(), pattern(), pattern(), pattern(), "/", ""])
        # Half of the patterns continue or vary another one of the file, so that several rules meet a path.
        if patterns and chance.random() < 0.5:
            value = chance.choice(patterns) + chance.choice(SEGMENTS + TAILS)
        patterns.append(value)
    else:
        key, value = chance.choice(OTHER_KEYS), chance.choice(["/", "1", "http://h.example/s.xml"])
    separator = ":" if chance.random() < 0.95 else chance.choice([" ", "\t", "", "::", "  "])
    comment = chance.choice(["#", " # why", "#:"]) if chance.random() < 0.05 else ""
    return blank() + key + blank() + separator + chance.choice([" ", blank()]) + value + blank() + comment


def spoilt(octets):
    """Returns bytes with one put in, taken out or replaced."""
    at = chance.randrange(len(octets) + 1)
    byte = bytes([chance.choice([chance.choice(ODD_BYTES), chance.randrange(256)])])
    return octets[:at] + chance.choice([byte, b""]) + octets[at + chance.randrange(2) :]


def of_grammar(count):
    for number in range(count):
        patterns = []
        lines = ["user-agent: " + chance.choice(["*", "*", "bot", chance.choice(AGENTS)])] * (chance.random() < 0.9)
        lines += [line(patterns) for _ in range(2 + min(int(chance.expovariate(0.15)), 25))]
        if chance.random() < 0.005:
            at = chance.randrange(len(lines))
            lines[at] = " " * (quirks.LINE - chance.randrange(40)) + lines[at]
        end = chance.choice(LINE_ENDS)
        pure = chance.random() < 0.9
        body = "".join(text + (end if pure else chance.choice(["\n", "\r", "\r\n", "\n\r", ""])) for text in lines).encode()
        body = b"\xef\xbb\xbf"[: chance.randrange(1, 4)] * (chance.random() < 0.05) + body
        while chance.random() < 0.2:
            body = spoilt(body)
        urls = {}
        while len(urls) < 5:
            value = chance.choice(patterns) if patterns and chance.random() < 0.9 else pattern()
            if chance.random() < 0.2:
                value = chance.choice([value.swapcase(), urllib.parse.quote(value, safe="/?;*$"), urllib.parse.unquote(value)])
            url = (chance.choice(FRONTS) + example(value) + chance.choice(ENDS)).encode("utf-8", "surrogateescape")
            urls[text_of(spoilt(url) if chance.random() < 0.05 else url)] = None
        # Crawlers that the file may name, and others.
        own = [agent for agent in ASKED if isinstance(agent, str) and agent and agent.lower() in body.decode("utf-8", "replace").lower()] or ["bot"]
        agents = [*chance.sample(own, min(len(own), 3)), *chance.sample(ASKED, 4)]
        agents = [agent for number, agent in enumerate(agents) if agent not in agents[:number]][:4]
        if dialect == "python":
            agents = [agent for agent in agents if isinstance(agent, str)]
        yield case(f"random/{number}", body, agents, list(urls))


# Files at random for a parser of texts, with a URL splitter of its own.

PIECES = (
    "/ a b %61 %2f %2F % ? # ; = %3F %3b %23 \u00e9 %C3%A9 %c3%a9 %E9 \ufffd // . * $ %20 %0a %09 %00 ~ %7e & + : @ [ ] %25 %252f \" < | ^ ` \\ { ! ' ( ,"
).split(" ") + [" ", "\t", "\x00", "\x1f", "\x7f", "\x85", "\xa0", "\u2028", "//[", "//[::1]", "\uff0f", "\u2100"]
NUMBERS = ["1", "\u00b2", "1/\u00b2", "%C2%B2", "1/2", "\u0661", "3/5s", "1" * 4301, "1" * 4300, "x", " 5 ", "5/"]
WORDS = PIECES + ["user-agent", "Disallow", "ALLOW", "crawl-delay", "sitemap", ":", ":", ":", "\n", "\n", "\n\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\u3000", "\ufeff", "bot"]
SCHEMES = ["", "", "http://h", "https://h:1", "HTTP://h", "//h", "mailto:", "x+y:", "http:", "rtspu://h", "sips:", "svn+ssh:a"]
AUTHORITY = "h a.b : @ [ ] [::1] [::1%1] [1:2:3:4:5:6:7::] [::1.2.3.04] [v1.x] [v.x] %5b %ff \u00e9 \udcff \udce9 \udcc3 \uff0f \u2100 \u2047 \ufe6b + \t".split(" ")


def any_char():
    return chr(chance.choice([chance.randrange(0x3000), chance.randrange(0xE000, 0x10000), chance.randrange(0x10000, 0x110000)]))


def text(pieces, most):
    return "".join(chance.choice(pieces) if chance.random() < 0.95 else any_char() for _ in range(chance.randrange(most + 1)))


def odd_url(url):
    """Returns the URL, now and then with a byte put into it that need not be UTF-8, as a program reads it from its command line."""
    octets = url.encode("utf-8", "surrogateescape")
    if chance.random() < 0.1:
        at = chance.randrange(min(len(octets), 16) + 1)
        octets = octets[:at] + bytes([chance.randrange(128, 256)]) + octets[at:]
    return text_of(octets)


def orderly():
    """Returns a file with one or two groups, and URLs that are like its paths."""
    path = chance.choice(["/", "/", "/", ""]) + text(PIECES, 4)
    agent = chance.choice(["*", "*", "a", "A", "bot", "a/1", "%61", "", any_char()])
    lines = ["User-agent: " + agent]
    for _ in range(chance.randrange(1, 4)):
        lines.append(chance.choice(["Disallow: ", "Disallow:", "Allow: "]) + path[: chance.choice([len(path), chance.randrange(len(path) + 1)])])
        lines += [chance.choice(["Crawl-delay: ", "Request-rate:"]) + chance.choice(NUMBERS)] * (chance.random() < 0.1)
        lines += [""] * (chance.random() < 0.1)
        lines += ["User-agent: " + chance.choice("*b")] * (chance.random() < 0.1)
    body = chance.choice(["\n", "\n", "\r\n", "\r"]).join(lines).encode()
    if chance.random() < 0.1:
        at = chance.randrange(len(body))
        body = body[:at] + bytes([chance.randrange(256)]) + body[at:]
    urls = [path, path + text(PIECES, 1), urllib.parse.quote(path, safe="/?;"), urllib.parse.unquote(path)]
    fronts = SCHEMES + [chance.choice(["http://", "//", "%2f%2f"]) + text(AUTHORITY, 4)] * 6
    return body, [agent, agent.swapcase(), "a", "%61"], [odd_url(chance.choice(fronts) + url) for url in urls]


def disorderly():
    """Returns a file of words in any order."""
    return text(WORDS, 40).encode(), ["a", "bot/1", "", text(WORDS, 2)], [odd_url(text(PIECES, 4)) for _ in range(4)]


def of_texts(count):
    for number in range(count):
        body, agents, urls = chance.choice([orderly, orderly, disorderly])()
        made = case(f"text/{number}", body, [], [])
        made["queries"] = [{"agent": agent, "url": url} for agent, url in zip(agents, urls)]
        yield made


dialect, *folders = sys.argv[1:]
makers = {
    "google": [of_quirks(), of_archive(), of_folder(), *map(of_fuzzer, folders), of_grammar(5_000)],
    "python": [of_quirks(), of_archive(), of_folder(), *map(of_fuzzer, folders), of_grammar(500), of_texts(4_000)],
}
for cases in makers[dialect]:
    for made in cases:
        if made["queries"]:
            print(json.dumps(made, separators=(",", ":")))
