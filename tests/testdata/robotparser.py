"""Prints cases with the verdicts of urllib.robotparser, a JSON object a line.

Words: seed, number of files to make up, folder of more files. Where the library raises an error for a URL, the verdict is "undefined".
"""

import base64
import json
import pathlib
import random
import sys
import urllib.parse
import urllib.robotparser

chance = random.Random(int(sys.argv[1]))
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


def spoilt(url):
    """Returns the URL, now and then with a byte put into it that need not be UTF-8, as a program reads it from its command line."""
    octets = url.encode("utf-8", "surrogateescape")
    if chance.random() < 0.1:
        at = chance.randrange(min(len(octets), 16) + 1)
        octets = octets[:at] + bytes([chance.randrange(128, 256)]) + octets[at:]
    return octets.decode("utf-8", "surrogateescape")


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
    return body, [agent, agent.swapcase(), "a", "%61"], [spoilt(chance.choice(fronts) + url) for url in urls]


def disorderly():
    """Returns a file of words in any order."""
    return text(WORDS, 40).encode(), ["a", "bot/1", "", text(WORDS, 2)], [spoilt(text(PIECES, 4)) for _ in range(4)]


def ask(number, body, agents, urls):
    parser = urllib.robotparser.RobotFileParser()
    try:
        parser.parse(body.decode("utf-8", "replace").splitlines())
    except ValueError:
        pass  # What was read before counts.
    queries = []
    for agent, url in zip(agents, urls):
        try:
            verdict = "allow" if parser.can_fetch(agent, url) else "disallow"
        except ValueError:
            verdict = "undefined"
        queries.append({"agent": agent, "url": url, "expect": verdict})
    print(json.dumps({"id": number, "dialect": "python", "robots_b64": base64.b64encode(body).decode(), "queries": queries}))


for number in range(int(sys.argv[2])):
    ask(number, *chance.choice([orderly, orderly, disorderly])())
for file in sorted(pathlib.Path(sys.argv[3]).iterdir()):
    body = file.read_bytes()
    values = [line.partition(":")[2].split("#")[0].strip() for line in body.decode("utf-8", "replace").splitlines()][:200]
    for agent in ["*", "Googlebot", "MJ12bot", "GPTBot/1.0"]:
        ask(file.name, body, [agent] * len(values), values)
