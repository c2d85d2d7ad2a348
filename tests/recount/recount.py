"""Recounts what robocensus says of archives, by programs that share nothing with it but the documents.

    python3 tests/recount/recount.py --program target/release/robocensus --work DIR ARCHIVE...

Reads the archives, runs the program on them into DIR, asks it the queries of the registry and compares every figure. Prints a line for each that
differs (query, column, row, expected, found) and `N figures of M queries compared, K differ`. Exit codes: 0 none differs, 1 some do, 2 it could
not be done.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys

import address
import compare
import count_cohorts
import count_fetches
import count_lines
import count_policies
import count_summary
import count_verdicts
import counts
import dataset
import robots

MODULES = (count_fetches, count_policies, count_verdicts, count_lines, count_cohorts, count_summary)


def main():
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("--program", required=True, help="the robocensus to ask")
    words.add_argument("--work", required=True, help="folder for the dataset")
    words.add_argument("--suffixes", help="public suffix list; without it hosts may only be under a few known suffixes")
    words.add_argument("--only", default="", help="ask queries whose name has this in it")
    words.add_argument("archives", nargs="+", help="archives and folders of archives")
    words = words.parse_args()
    program = Program(words.program, words.work, words.archives)
    data = dataset.Dataset(archives_of(words.archives), program.matrix(), address.Suffixes(words.suffixes))
    program.run(data.matrix.dialects)
    ids = collections.defaultdict(list)
    for row in program.ask("SELECT capture_id, warc_filename, warc_record_offset FROM captures"):
        ids[os.path.basename(row["warc_filename"]), row["warc_record_offset"]].append(row["capture_id"])
    data.name(ids)
    result = compare.Result()
    result.compare_summary(count_summary.summary(data), program.summary())
    ranks = os.path.join(words.work, "ranks.csv")
    write_ranks(data, ranks)
    for query in counts.QUERIES:
        if words.only in query.name:
            options = {name: ranks if value is True else value for name, value in query.options.items()}
            result.compare(query, options, query.count(data, options), program.ask(query.name, options))
    return result.end()


def archives_of(paths):
    """Returns the archives among files and below folders, by name."""
    found = []
    for path in paths:
        if os.path.isdir(path):
            found += sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if name.endswith((".warc", ".warc.gz")))
        else:
            found.append(path)
    return found


def write_ranks(data, path):
    """Writes a list of ranks in which every third domain is not, the others spread over the strata."""
    domains = sorted({capture.domain for capture in data.captures if capture.domain})
    with open(path, "w", encoding="utf-8") as ranks:
        for at, domain in enumerate(domains):
            if at % 3:
                ranks.write(f"{1 + at * 7919 % 2_500_000},{domain}\n")


class Program:
    """The program under test, and the dataset it makes."""

    def __init__(self, path, work, archives):
        self.path = path
        self.archives = archives
        self.data = os.path.join(work, "data")
        self.figures = os.path.join(work, "summary.json")
        os.makedirs(work, exist_ok=True)

    def _output(self, *words):
        ran = subprocess.run([self.path, *words], capture_output=True, stdin=subprocess.DEVNULL, check=False)
        if ran.returncode != 0:
            print(ran.stderr.decode(), f"recount: {' '.join(words)}: exit code {ran.returncode}", sep="", file=sys.stderr)
            sys.exit(2)
        return ran.stdout.decode()

    def matrix(self):
        """Returns the built-in matrix, as the program prints it, with the dialects of the recount."""
        agents, paths, into = [], [], None
        for line in self._output("run", "--print-matrix").splitlines():
            head = re.match(r"# \d+ (agents|paths|dialects)", line)
            if head:
                into = head[1]
            elif line and not line.startswith("#") and into == "agents":
                agents.append(tuple(line.split("\t")))
            elif line and not line.startswith("#") and into == "paths":
                paths.append(line)
        return dataset.Matrix(agents, paths, list(robots.DIALECTS))

    def run(self, dialects):
        words = ("--out", self.data, "--overwrite", "--quiet", "--dialects", ",".join(dialects), "--summary-json", self.figures)
        self._output("run", *words, *self.archives)

    def summary(self):
        with open(self.figures, encoding="utf-8") as figures:
            return json.load(figures)

    def ask(self, query, options=()):
        settings = [word for name in options for word in ("--set", f"{name}={options[name]}")]
        output = self._output("query", query, "--data", self.data, "--format", "json", *settings)
        return json.loads(output) if output.strip() else []


if __name__ == "__main__":
    sys.exit(main())
