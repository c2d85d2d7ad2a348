"""A parser that reads user-agent, allow and disallow lines, and has the regressions that its arguments name.

`cr`, `indented`, `blank` and `case` make it miss lines that end with CR alone, that are indented, that have a blank before the colon, and
whose key is not written as `Disallow`; with `wild` it reads * and $, and puts a slash before patterns without one, with `star` not before a *,
and with `open` it takes $ for nothing; with `bracket` no pattern with [ matches, with `ampersand` none with &; with `moody` every other
answer is the opposite, with `crash` it ends at a file with `# crash`, and with `greedy` it takes half a second of processor time for each
file and 64 MiB of memory.
"""

import base64
import json
import re
import sys
import time


def matches(pattern, path, regressions):
    if ("bracket" in regressions and "[" in pattern) or ("ampersand" in regressions and "&" in pattern):
        return False
    if "wild" not in regressions:
        return path.startswith(pattern)
    if pattern[0] != "/" and not ("star" in regressions and pattern[0] == "*"):
        pattern = "/" + pattern
    end = r"\Z" if pattern.endswith("$") and "open" not in regressions else ""
    pieces = pattern.removesuffix("$").split("*")
    return re.match(".*".join(map(re.escape, pieces)) + end, path)


def forbids(body, path, regressions):
    """Returns whether a file forbids a path to every crawler, by the longest pattern."""
    longest = {"allow": -1, "disallow": -1}
    applies = False
    for line in re.split(r"\r\n|\n" if "cr" in regressions else r"\r\n|\r|\n", body):
        key, _, value = line.partition(":")
        if "indented" in regressions and key != key.lstrip():
            continue
        if "blank" in regressions and key != key.rstrip():
            continue
        key = key.strip()
        if "case" in regressions and key != key.capitalize():
            continue
        key, value = key.lower(), value.split("#")[0].strip()
        if key == "user-agent":
            applies = value == "*"
        elif key in longest and applies and value and matches(value, path, regressions):
            longest[key] = max(longest[key], len(value))
    return longest["disallow"] > longest["allow"]


def main():
    regressions = sys.argv[1:]
    hello = json.loads(sys.stdin.readline())
    print(json.dumps({"protocol": hello["protocol"], "name": "regressed", "version": "1"}), flush=True)
    n_answers = 0
    for line in sys.stdin:
        request = json.loads(line)
        body = base64.b64decode(request["robots_b64"]).decode("latin-1")
        if "crash" in regressions and "# crash" in body:
            sys.exit(7)
        if "greedy" in regressions:
            _hoard = b"x" * (64 << 20)
            until = time.process_time() + 0.5
            while time.process_time() < until:
                pass
        n_answers += 1
        is_moody = "moody" in regressions and n_answers % 2 == 1
        verdicts = []
        for query in request["queries"]:
            path = query["url"].removeprefix("https://example.com")
            is_forbidden = forbids(body, path, regressions) != is_moody
            verdicts.append("disallow" if is_forbidden else "allow")
        print(json.dumps({"id": request["id"], "verdicts": verdicts}), flush=True)


if __name__ == "__main__":
    main()
