"""The protocol `robocensus-parser/1` on standard input and output, for parsers in Python."""

import base64
import json
import sys

PROTOCOL = "robocensus-parser/1"

# What a parser prints is no answer.
answers, sys.stdout = sys.stdout, sys.stderr


def say(message):
    print(json.dumps(message), file=answers, flush=True)


def serve(name, version, parse):
    """Answers requests until there are no more.

    `parse` takes the bytes of a robots.txt and returns a function of an agent and a URL, which returns whether the
    agent may fetch the URL, or a verdict of the protocol. Where that raises ValueError the verdict is `error`.
    """
    hello = json.loads(sys.stdin.readline())
    if hello["protocol"] != PROTOCOL:
        sys.exit(f"expected the protocol {PROTOCOL}, but found {hello['protocol']}")
    say({"protocol": PROTOCOL, "name": name, "version": version})
    for line in sys.stdin:
        request = json.loads(line)
        can_fetch = parse(base64.b64decode(request["robots_b64"]))
        verdicts = [verdict(can_fetch, query) for query in request["queries"]]
        say({"id": request["id"], "verdicts": verdicts})


def verdict(can_fetch, query):
    try:
        answer = can_fetch(query["agent"], query["url"])
    except ValueError:
        return "error"
    return answer if isinstance(answer, str) else "allow" if answer else "disallow"
