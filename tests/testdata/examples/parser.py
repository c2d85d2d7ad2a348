# A parser of the protocol robocensus-parser/1 that forbids nothing.
import json, sys
print(json.dumps({**json.loads(sys.stdin.readline()), "name": "mine", "version": "1"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    verdicts = ["allow"] * len(request["queries"])
    print(json.dumps({"id": request["id"], "verdicts": verdicts}), flush=True)
