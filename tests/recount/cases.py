"""Holds the recount's own parser and matcher against cases: FILE.jsonl[.gz] ..., each line a robots.txt, an agent, a URL and a verdict.

Cases of dialects that the recount does not know are passed over. Ends with the number of cases, and 1 where one differs.
"""

import base64
import gzip
import json
import sys

import robots
import verdicts


def main(paths):
    asked = differing = 0
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                if case.get("dialect") not in robots.DIALECTS or "agent" not in case and "queries" not in case:
                    continue
                body = base64.b64decode(case["robots_b64"]) if "robots_b64" in case else case["robots"].encode()
                file = robots.parse(body, case["dialect"])
                for query in case.get("queries", [case]):
                    selected = verdicts.Selected(file, query["agent"], case["dialect"])
                    found = selected.ask(verdicts.path_of(query["url"].encode(), case["dialect"]))
                    asked += 1
                    is_line = "line" not in query or query["line"] == (found.line or 0)
                    if found.verdict != query["expect"] or not is_line:
                        differing += 1
                        print(case["id"], query["agent"], query["url"], query["expect"], query.get("line"), found)
    print(f"{asked} cases, {differing} differ")
    return differing > 0 or asked == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
