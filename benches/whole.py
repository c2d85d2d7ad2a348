"""Whole runs of the released program beside peers, process by process.

Enters: the program, the program `limit`, and where FastWARC and Protego are installed. Leaves: `whole.json` in the work folder, or with
`--large` `large.json`: for each input and side the best cost of several rounds (`measure.py`). Archives are made by `robocensus sample` with
fixed seeds; those of `../shared/corpus` are measured too where they lie beside the package. Every side's answer is compared: bytes
inflated, captures, verdicts, and the hosts that shut an agent out of `/`. What ratios are to be made of it is not known here (`table.py`).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from measure import measure, take_turns

PACKAGE = Path(__file__).resolve().parent.parent
CORPUS = PACKAGE.parent / "shared" / "corpus"
ROUNDS = 5
# The script takes much longer, and what disturbs a second hardly disturbs a minute.
PEER_ROUNDS, PEER_ARCHIVES = 2, 4
SEED = 2026
# Some eleven tasks of 8 MiB, which two threads share evenly.
SAMPLE_ARCHIVES, SAMPLE_CAPTURES = 24, 3_000
LARGE_ARCHIVES, LARGE_CAPTURES, LARGE_ROUNDS = 100, 30_000, 2
LARGE_BYTES = 10**9
LOAD_CAPTURES = [100_000, 1_000_000]
AGENTS = """Googlebot bingbot Yandex Baiduspider GPTBot ClaudeBot Bytespider Amazonbot CCBot AhrefsBot SemrushBot
ExampleBot""".split()
PATHS = ["/", "/index.html", "/search?q=test", "/images/logo.png", "/wp-admin/admin-ajax.php"]


class Runs:
    """Runs of the program and of its peers over one list of archives."""

    def __init__(self, options, archives):
        self.options = options
        self.archives = archives
        self.work = options.work

    def run(self, threads, *words):
        out, summary = self.work / "census", self.work / "summary.json"
        shutil.rmtree(out, ignore_errors=True)
        command = [self.options.program, "run", *self.archives, "--out", out, "--threads", threads]
        cost, _ = measure([*command, "--quiet", "--summary-json", summary, *words])
        answer = json.loads(summary.read_text())
        for key in ["seconds", "captures_per_second"]:
            del answer[key]
        return cost, answer

    def inflate(self):
        cost, out = measure([self.options.limit, "inflate", self.work, *self.archives])
        return cost, {"bytes_inflated": int(out)}

    def index(self):
        measure([self.options.limit, "index", self.work, *self.archives])

    def script(self, agents, paths):
        script = Path(__file__).with_name("peer.py")
        environment = {**os.environ, "PYTHONPATH": str(self.options.packages)}
        cost, out = measure([sys.executable, script, agents, paths, *self.archives], environment)
        return cost, json.loads(out)


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.large:
        name, results = "large.json", large(options)
    else:
        name, results = "whole.json", whole(options)
    shutil.rmtree(options.work / "census", ignore_errors=True)
    (options.work / name).write_text(json.dumps(results, indent=1) + "\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--limit", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--large", action="store_true")
    return parser.parse_args()


def whole(options):
    """Returns costs by input and side."""
    inputs = {"sample": make_sample(options, "sample", SAMPLE_ARCHIVES, SAMPLE_CAPTURES)}
    inputs["corpus"] = sorted(CORPUS.glob("*.warc.gz"))
    if not inputs["corpus"]:
        print(f"Left out: {CORPUS}: no archive is there")
        del inputs["corpus"]
    results = {}
    for name, archives in inputs.items():
        results[name] = beside_limit(Runs(options, archives))
        results[name].update(beside_script(Runs(options, archives[:PEER_ARCHIVES])))
    return results


def beside_limit(runs):
    """Measures runs with one and two threads, and the inflating of the same archives."""
    runs.index()
    formats = verdict_formats(runs.options.program)
    sides = {"limit": runs.inflate}
    for name, words in formats.items():
        for threads in [1, 2]:
            sides[f"{name}-{threads}"] = lambda threads=threads, words=words: runs.run(threads, *words)
    found = take_turns(sides, ROUNDS)
    for name in formats:
        one, two = found[f"{name}-1"][1], found[f"{name}-2"][1]
        require(one == two, f"two threads found {two}, one found {one}")
        inflated = found["limit"][1]["bytes_inflated"]
        require(one["bytes_inflated"] == inflated, f"a run inflated {one['bytes_inflated']} bytes, libdeflate {inflated}")
    return costs(found, captures=found["rows-1"][1]["captures"])


def verdict_formats(program):
    """Returns the ways in which the program can write verdicts, with the words that ask for them."""
    help_text = subprocess.run([program, "run", "--help"], check=True, capture_output=True, text=True)
    if "--verdicts" in help_text.stdout:
        return {name: ["--verdicts", name] for name in ["rows", "sets"]}
    return {"rows": []}


def beside_script(runs):
    """Measures a run beside the Python script with the same agents and paths."""
    probe = "import fastwarc.warc, protego"
    environment = {**os.environ, "PYTHONPATH": str(runs.options.packages)}
    if subprocess.run([sys.executable, "-c", probe], env=environment, capture_output=True).returncode != 0:
        print("Left out: the Python script: FastWARC and Protego are not installed")
        return {}
    agents, paths = runs.work / "agents.tsv", runs.work / "paths.txt"
    # A category for each agent, so that the summary counts hosts for each.
    agents.write_text("".join(f"{agent}\t{agent}\n" for agent in AGENTS))
    paths.write_text("".join(f"{path}\n" for path in PATHS))
    # With few agents the tables decide, not the format of verdicts; rows are what the script counts.
    words = verdict_formats(runs.options.program)["rows"]
    sides = {
        "few-cells": lambda: runs.run(1, "--agents", agents, "--urls", paths, *words),
        "script": lambda: runs.script(agents, paths),
    }
    found = take_turns(sides, PEER_ROUNDS)
    ours, theirs = found["few-cells"][1], found["script"][1]
    for key in ["captures", "verdicts"]:
        require(ours[key] == theirs[key], f"{key}: {theirs[key]} by the script, ours {ours[key]}")
    for agent, hosts in theirs["shut_out"].items():
        expected = ours["host_names_root_disallowed_by_category"][agent]["any_agent"]["hosts"]
        # Protego reads user-agent lines and escapes otherwise than google's parser does, and the sample is full of those.
        require(abs(hosts - expected) <= 2 + expected / 10, f"hosts without {agent}: {hosts} by the script, ours {expected}")
    return costs(found)


def large(options):
    """Returns costs of one archive of 1 GB, of a hundred archives, and of single archives by their captures."""
    archives = make_sample(options, "large", LARGE_ARCHIVES, LARGE_CAPTURES)
    one = options.work / "large" / "one.warc.gz"
    joined = join(archives, one)
    runs = Runs(options, [one])
    found = take_turns({f"rows-{threads}": lambda threads=threads: runs.run(threads) for threads in [1, 2]}, LARGE_ROUNDS)
    for _, answer in found.values():
        require(answer["captures"] == joined * LARGE_CAPTURES, f"{answer['captures']} captures in {joined} archives")
    results = {"one": costs(found)}
    small, whole_list = Runs(options, archives[:1]), Runs(options, archives)
    found = take_turns({"small": lambda: small.run(1), "large": lambda: whole_list.run(1)}, LARGE_ROUNDS)
    for name, n_archives in [("small", 1), ("large", LARGE_ARCHIVES)]:
        captures = found[name][1]["captures"]
        require(captures == n_archives * LARGE_CAPTURES, f"{name}: {captures} captures")
        results[name] = costs({"rows-1": found[name]}, captures=captures)
    shutil.rmtree(options.work / "large")
    results["load"] = {captures: load(options, captures) for captures in LOAD_CAPTURES}
    return results


def load(options, captures):
    """Returns costs of one archive of so many captures, with one and two threads."""
    runs = Runs(options, make_sample(options, "load", 1, captures))
    found = take_turns({f"rows-{threads}": lambda threads=threads: runs.run(threads) for threads in [1, 2]}, LARGE_ROUNDS)
    for _, answer in found.values():
        require(answer["captures"] == captures, f"{answer['captures']} captures in an archive of {captures}")
    shutil.rmtree(options.work / "load")
    return costs(found)


def make_sample(options, name, n_archives, captures):
    """Makes archives of captures with seeds of their own."""
    folder = options.work / name
    folder.mkdir(exist_ok=True)
    archives = [folder / f"{name}-{number:03}.warc.gz" for number in range(n_archives)]
    for number, archive in enumerate(archives):
        words = ["--captures", captures, "--seed", SEED + number, "--out", archive, "--overwrite"]
        measure([options.program, "sample", *words])
    return archives


def join(archives, whole_archive):
    """Writes archives behind each other, which is an archive, until it has 1 GB; returns how many."""
    with open(whole_archive, "wb") as out:
        for number, archive in enumerate(archives, start=1):
            with open(archive, "rb") as source:
                shutil.copyfileobj(source, out)
            if out.tell() >= LARGE_BYTES:
                return number
    sys.exit(f"expected {LARGE_BYTES} bytes in {len(archives)} archives, but found {whole_archive.stat().st_size}")


def costs(found, **facts):
    return {**{name: cost for name, (cost, _) in found.items()}, **facts}


def require(condition, message):
    if not condition:
        sys.exit(message)


if __name__ == "__main__":
    main()
