"""A parser that does wrong what a robots.txt tells it to: a file whose first line is `# die` ends it, and so on.

All other files are answered by `disallow` for every query, with line 1. `long FILE` is at fault on files below 100 bytes, and appends a byte to FILE
each time.
"""

import base64
import json
import sys
import time


def say(message):
    print(json.dumps(message), flush=True)


def main():
    start = sys.argv[1] if len(sys.argv) > 1 else ""
    hello = json.loads(sys.stdin.readline())
    if start == "silent":
        time.sleep(60)
    if start == "other-protocol":
        say({"protocol": "robots/9", "name": "hostile", "version": "1"})
        return
    if start == "ends":
        sys.exit(3)
    if start == "once":
        try:
            open(sys.argv[2], "x").close()
        except FileExistsError:
            sys.exit(3)
    say({"protocol": hello["protocol"], "name": "hostile", "version": "1"})
    previous = None
    for n_files, line in enumerate(sys.stdin):
        if start == "tires" and n_files == 20:
            sys.exit(5)
        request = json.loads(line)
        body = base64.b64decode(request["robots_b64"])
        first = body.split(b"\n")[0]
        n = len(request["queries"])
        answer = {"id": request["id"], "verdicts": ["disallow"] * n, "lines": [1] * n}
        act = first.removeprefix(b"# ").decode("latin-1")
        if start == "long" and len(body) < 100:
            open(sys.argv[2], "a").write(".")
            act = "garbage"
        if act == "die":
            sys.stderr.write("dying\n")
            sys.exit(7)
        elif act == "hang":
            time.sleep(60)
        elif act == "flood":
            while True:
                sys.stdout.write("x" * 65536)
        elif act == "garbage":
            print("Traceback (most recent call last):", flush=True)
        elif act == "short":
            answer["verdicts"].pop()
            say(answer)
        elif act == "other-word":
            answer["verdicts"][0] = "perhaps"
            say(answer)
        elif act == "repeat":
            say(answer)
            say(answer)
        elif act == "chatter":
            say(answer)
            print("done", flush=True)
        elif act == "lie":
            answer["id"] = 123456789
            say(answer)
        elif act == "slow":
            time.sleep(0.2)
            say(answer)
        elif act == "error":
            answer["verdicts"] = ["error"] * n
            say(answer)
        elif act == "once":
            # The processes of a side share what they have answered.
            try:
                open(sys.argv[2], "x").close()
            except FileExistsError:
                sys.exit(9)
            say(answer)
        elif act == "late-once":
            try:
                open(sys.argv[2], "x").close()
                time.sleep(60)
            except FileExistsError:
                say(answer)
        elif act == "late":
            previous = answer
        else:
            say(answer)
            if previous:
                say(previous)
                previous = None


main()
