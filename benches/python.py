"""The Python package against other parsers for Python, in one process, alternating.

It runs in an environment with the package and the peers, and writes `python.json` to the work folder: the best of
several rounds for each input and side, in seconds. Where two sides state the same, they are compared: `decide_many`
with the program `decide`, which does the same in Rust. Other parsers differ by design, so their verdicts are only counted.
"""

import argparse
import collections
import importlib
import itertools
import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow
import robocensus

from whole import AGENTS, CORPUS, PATHS, require

ROUNDS = 3
# Distinct files that are asked about one by one, spread evenly.
FILES = 400
QUERIES = [1, 10, 100]
IMPORTS = 15
ORIGIN = "https://example.com"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--decide", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    inputs = {"sample": sorted((options.work / "sample").glob("*.warc.gz"))[:8], "corpus": sorted(CORPUS.glob("*.warc.gz"))}
    results = {"import": import_time()}
    for name, archives in inputs.items():
        if not archives:
            print(f"Excluded: {name}: no archive found")
            continue
        bodies = [body for batch in robocensus.read(archives) for body in batch["body"].to_pylist()]
        results[name] = {"many": many(options, bodies, archives), "one": one_by_one(bodies)}
        (options.work / "python.json").write_text(json.dumps(results, indent=1) + "\n")


def import_time():
    """Returns the seconds of the interpreter with the package, and alone."""

    def best(code):
        times = []
        for _ in range(IMPORTS):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - start)
        return min(times)

    return {"robocensus": best("import robocensus"), "python": best("pass")}


def many(options, bodies, archives):
    """Returns the seconds of all bodies x 12 agents x 5 URLs on one thread, here and in Rust."""
    column = pyarrow.array(bodies, pyarrow.large_binary())
    best = float("inf")
    rust = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        batch = robocensus.decide_many(column, AGENTS, PATHS, threads=1)
        best = min(best, time.perf_counter() - start)
        found = subprocess.run([options.decide, *archives], check=True, capture_output=True, text=True)
        disallowed, seconds = found.stdout.split()
        rust.append(float(seconds))
    ours = batch["verdict"].to_pylist().count("disallow")
    require(ours == int(disallowed), f"expected {disallowed} verdicts disallow as in Rust, but found {ours}")
    return {"python": best, "rust": min(rust), "cells": len(batch)}


def one_by_one(bodies):
    """Returns the seconds of each parser to parse files and answer 1, 10 and 100 queries about each."""
    texts = sorted({body.decode("utf-8", "replace") for body in bodies if b"\n" in body})
    step = max(1, len(texts) // FILES)
    sides = {name: side for name, side in SIDES.items() if has(name)}
    texts, refused = answered(texts[::step][:FILES], sides)
    for (name, error), number in refused.items():
        print(f"Excluded: {number} files on which {name} raises {error}")
    urls = [f"{ORIGIN}{path}" for path in [*PATHS, "/a/b/c", "/product/1.html", "/cart", "/?s=x", "/feed/"]]
    found = {}
    for number in QUERIES:
        queries = Queries([(agent, url) for agent in AGENTS[:10] for url in urls][:: 100 // number][:number])
        seconds = {name: float("inf") for name in sides}
        for _ in range(ROUNDS):
            for name, side in sides.items():
                start = time.perf_counter()
                for text in texts:
                    side(text, queries)
                seconds[name] = min(seconds[name], time.perf_counter() - start)
        found[number] = {name: value / len(texts) for name, value in seconds.items()}
    return found


def answered(texts, sides):
    """Returns the files about which every parser answers, and a count of the errors on the others."""
    found, refused = [], collections.Counter()
    for text in texts:
        for name, side in sides.items():
            try:
                side(text, Queries([("*", f"{ORIGIN}/")]))
            except Exception as error:
                refused[name, repr(error)] += 1
                break
        else:
            found.append(text)
    return found, refused


def has(name):
    module = {"robotspy": "robots"}.get(name, name.split(",")[0])
    try:
        importlib.import_module(module)
    except ImportError:
        print(f"Excluded: {name}: not installed")
        return False
    return True


class Queries(list):
    """Pairs of agent and URL, and the same URLs grouped by agent."""

    def __init__(self, queries):
        super().__init__(queries)
        self.by_agent = [(agent, [url for _, url in of]) for agent, of in itertools.groupby(queries, lambda query: query[0])]


def ask_robocensus(text, queries):
    robots = robocensus.Robots(text)
    return [bool(robots.decide(agent, url)) for agent, url in queries]


def ask_can_fetch(text, queries):
    robots = robocensus.Robots(text)
    return [robots.can_fetch(agent, url) for agent, url in queries]


def ask_can_fetch_each(text, queries):
    robots = robocensus.Robots(text)
    return [may for agent, urls in queries.by_agent for may in robots.can_fetch_each(agent, urls)]


def ask_protego(text, queries):
    from protego import Protego

    robots = Protego.parse(text)
    return [robots.can_fetch(url, agent) for agent, url in queries]


def ask_urllib(text, queries):
    from urllib.robotparser import RobotFileParser

    robots = RobotFileParser()
    robots.parse(text.splitlines())
    return [robots.can_fetch(agent, url) for agent, url in queries]


def ask_robotspy(text, queries):
    import robots

    parser = robots.RobotsParser.from_string(text)
    return [parser.can_fetch(agent, url) for agent, url in queries]


def ask_gpyrobotstxt(text, queries):
    from gpyrobotstxt.robots_cc import RobotsMatcher

    # It parses the file for each query, as the original does.
    matcher, body = RobotsMatcher(), text.encode()
    return [matcher.one_agent_allowed_by_robots(body, agent, url) for agent, url in queries]


SIDES = {
    "robocensus": ask_robocensus,
    "robocensus, can_fetch": ask_can_fetch,
    "robocensus, can_fetch_each": ask_can_fetch_each,
    "protego": ask_protego,
    "urllib.robotparser": ask_urllib,
    "robotspy": ask_robotspy,
    "gpyrobotstxt": ask_gpyrobotstxt,
}


if __name__ == "__main__":
    main()
