"""What each stored query takes on 300,000 generated captures, as Markdown.

It measures the CPU time of the released program with DuckDB, the least of two rounds; queries that want pages, a list or
a second dataset are left out. The table goes to standard output and replaces the text between two markers of RESULTS.md.
"""

import argparse
import statistics
from pathlib import Path

from measure import measure
from plan import seconds_of_queries
from table import replace_between

BEGIN, END = "<!-- queries -->\n", "<!-- end of queries -->"
CAPTURES = 300_000
SEED = 7
DIALECTS = "google,rfc9309"
ROUNDS = 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    archive, out = options.work / "queries.warc.gz", options.work / "queries"
    measure([options.program, "sample", "--captures", CAPTURES, "--seed", SEED, "--out", archive, "--overwrite"])
    measure([options.program, "run", archive, "--out", out, "--dialects", DIALECTS, "--overwrite", "--quiet"])
    rounds = [seconds_of_queries(options.program, out) for _ in range(ROUNDS)]
    least = {name: min(seconds[name] for seconds in rounds) for name in rounds[0]}
    text = "\n".join(rows(least)) + "\n"
    replace_between(Path(__file__).with_name("RESULTS.md"), BEGIN, END, text)
    print(text)


def rows(seconds):
    """Yields the lines of the table, the slowest query first."""
    yield "| query | CPU time |"
    yield "|---|---|"
    yield f"| median of {len(seconds)} | {statistics.median(seconds.values()):.2f} s |"
    for name in sorted(seconds, key=seconds.get, reverse=True):
        yield f"| {name} | {seconds[name]:.2f} s |"


if __name__ == "__main__":
    main()
