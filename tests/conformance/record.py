"""Asks the original for the verdicts of cases, and prints the cases with them.

Cases come on standard input, an object of JSON a line, as `cases.py` makes them or as a recording holds them; what they expect is
replaced. So `record.py ... < recording` prints the same recording again, unless the original answers otherwise.

    record.py google PROGRAM   PROGRAM is google.cc beside the parser and matcher of github.com/google/robotstxt
    record.py python           urllib.robotparser of the Python that runs this, which must be 3.11
"""

import base64
import json
import subprocess
import sys
import urllib.robotparser


def body_of(case):
    """Returns the bytes of the file of a case."""
    return case["robots"].encode() if "robots" in case else base64.b64decode(case["robots_b64"])


def octets(text):
    """Returns the bytes of a text of JSON, in which a lone surrogate stands for a byte that is not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def ask_google(cases, program):
    """Adds verdicts and lines: all cases go to one process, which answers 5 bytes a query."""

    def text(value):
        return len(value).to_bytes(4, "little") + value

    messages = []
    for case in cases:
        messages.append(b"B" + text(body_of(case)))
        for query in case["queries"]:
            agents = query["agents"] if "agents" in query else [query["agent"]]
            messages.append(b"Q" + text(octets(query["url"])) + len(agents).to_bytes(4, "little"))
            messages += [text(octets(agent)) for agent in agents]
    answers = subprocess.run([program], input=b"".join(messages), stdout=subprocess.PIPE, check=True).stdout
    queries = [query for case in cases for query in case["queries"]]
    assert len(answers) == 5 * len(queries), f"{len(answers)} bytes for {len(queries)} queries"
    for number, query in enumerate(queries):
        verdict, *line = answers[5 * number : 5 * number + 5]
        query["expect"] = {ord("a"): "allow", ord("d"): "disallow"}[verdict]
        query["line"] = int.from_bytes(line, "little")


def ask_python(cases):
    """Adds verdicts; `undefined` where the library raises an error for the URL."""
    assert sys.version_info[:2] == (3, 11), f"expected Python 3.11, but found {sys.version}"
    for case in cases:
        parser = urllib.robotparser.RobotFileParser()
        try:
            parser.parse(body_of(case).decode("utf-8", "replace").splitlines())
        except ValueError:
            pass  # The rules before the line that it fails on count.
        for query in case["queries"]:
            try:
                query["expect"] = "allow" if parser.can_fetch(query["agent"], query["url"]) else "disallow"
            except ValueError:
                query["expect"] = "undefined"


cases = [json.loads(line) for line in sys.stdin]
dialect, *words = sys.argv[1:]
{"google": ask_google, "python": ask_python}[dialect](cases, *words)
for case in cases:
    print(json.dumps(case, separators=(",", ":")))
