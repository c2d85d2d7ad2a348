"""What a crawl of Common Crawl and a hundred of them cost, from measurements of this machine, as Markdown.

It measures the released program on 1,000,000 generated captures, and on the real ones of `../shared/corpus` where they
exist: CPU time of `run` on one thread and bytes of each table. These grow with the captures, and so do what the queries
in DuckDB take beyond a quarter of the generated captures, and `finish` beyond a fifth of five times as many. The table goes to standard output
and replaces the text between two markers of docs/performance.md.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
from pathlib import Path

from measure import measure
from table import replace_between
from whole import CORPUS, PACKAGE, SEED

BEGIN, END = "<!-- make plan -->\n", "<!-- end of make plan -->"
CAPTURES = 1_000_000
FEWER_CAPTURES = CAPTURES // 4
FINISHED_ARCHIVES = 5
# Common Crawl's subset robotstxt of one crawl: captures, archives, and their bytes.
CRAWL = {"captures": 75_000_000, "archives": 72_000, "bytes": 140 * 10**9}
CRAWLS = [1, 100]
PART_BYTES = 256 * 2**20
TARGET_SECONDS = 600
HOUR, GB = 3600, 10**9
LARGEST_TABLES = 6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("readme", type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    out = options.work / "plan"
    # It comes first: a process begins with the memory of this one, which is large once it has read the rows of queries.
    finish = of_finish(options, out)
    fewer, more = (of_generated(options, captures, out) for captures in (FEWER_CAPTURES, CAPTURES))
    sides = [more["run"]]
    corpus = sorted(CORPUS.glob("*.warc.gz"))
    if corpus:
        sides.append(parse(options.program, corpus, out))
    shutil.rmtree(out)
    text = "\n".join(plan(sides, fewer, more, finish)) + "\n"
    replace_between(options.readme, BEGIN, END, text)
    print(text)


def of_generated(options, captures, out):
    """Returns what runs and queries take for so many generated captures."""
    archive = options.work / "plan.warc.gz"
    measure([options.program, "sample", "--captures", captures, "--seed", SEED, "--out", archive, "--overwrite"])
    costs = {"run": parse(options.program, [archive], out)}
    archive.unlink()
    costs["queries"] = seconds_of_queries(options.program, out)
    return costs


def of_finish(options, out):
    """Returns what `finish` takes for each capture, on all threads, once buffers are full."""
    archives = [options.work / f"plan-{number}.warc.gz" for number in range(FINISHED_ARCHIVES)]
    costs = []
    for number, archive in enumerate(archives):
        measure([options.program, "sample", "--captures", CAPTURES, "--seed", SEED + number, "--out", archive, "--overwrite"])
    for read in [archives[:1], archives]:
        shutil.rmtree(out, ignore_errors=True)
        measure([options.program, "run", *read, "--out", out, "--no-finish", "--quiet"])
        costs.append(measure([options.program, "finish", "--quiet", out])[0])
    for archive in archives:
        archive.unlink()
    one, all_of_them = costs
    return {kind: (all_of_them[kind] - one[kind]) / (CAPTURES * (FINISHED_ARCHIVES - 1)) for kind in ["cpu", "memory"]}


def parse(program, archives, out):
    """Returns CPU seconds and bytes of each table, both for each capture, and the number of files of a part."""
    shutil.rmtree(out, ignore_errors=True)
    words = ["--threads", 1, "--no-finish", "--quiet"]
    cost, _ = measure([program, "run", *archives, "--out", out, *words])
    measure([program, "finish", "--quiet", out])
    summary = subprocess.run([program, "verify", "--json", out], check=True, capture_output=True, text=True).stdout
    captures = int(re.search(r'"captures": (\d+)', summary)[1])
    files = list(out.glob("*/*.parquet"))
    tables = {}
    for file in files:
        tables[file.parent.name] = tables.get(file.parent.name, 0) + file.stat().st_size / captures
    of_a_part = len({file.parent.name for file in files if file.name.startswith("part-")})
    return {"cpu": cost["cpu"] / captures, "tables": tables, "files": of_a_part}


def seconds_of_queries(program, out):
    """Returns the CPU time of each query, DuckDB included, by its name."""
    seconds = {}
    for query in sorted((PACKAGE / "queries").glob("*.sql")):
        text = query.read_text()
        if query.stem == "views" or "getvariable('ranks')" in text or "getvariable('pages')" in text:
            continue
        words = [program, "query", query.stem, "--data", out, "--format", "csv"]
        # Some want pages or a second dataset, and say so.
        if subprocess.run(words, capture_output=True, env=os.environ).returncode == 0:
            seconds[query.stem] = measure(words)[0]["cpu"]
    return seconds


def plan(sides, fewer, more, finish):
    """Yields the lines of the table."""
    low, high = (pick(side["cpu"] for side in sides) for pick in (min, max))
    yield "| what | one crawl | a hundred |"
    yield "|---|---|---|"
    yield line("captures, archives, bytes", lambda n: f"{n * CRAWL['captures'] / 1e6:,.0f} million, {n * CRAWL['archives']:,}, {amount(n * CRAWL['bytes'])}")
    yield line("`run`, CPU time", lambda n: f"{between(low * n * CRAWL['captures'] / HOUR, high * n * CRAWL['captures'] / HOUR)} hours")
    totals = [sum(side["tables"].values()) for side in sides]
    yield line("Parquet", lambda n: between(*(f(totals) * n * CRAWL["captures"] / GB for f in (min, max))) + " GB")
    of_tables = max(sides, key=lambda side: sum(side["tables"].values()))["tables"]
    for name in sorted(of_tables, key=of_tables.get, reverse=True)[:LARGEST_TABLES]:
        sizes = [side["tables"].get(name, 0) for side in sides]
        yield line(f"of it `{name}`", lambda n, sizes=sizes: between(*(f(sizes) * n * CRAWL["captures"] / GB for f in (min, max))) + " GB")
    parts = -(-CRAWL["bytes"] // PART_BYTES)
    files = max(side["files"] for side in sides) + 1
    yield line("requests: sizes and downloads of archives", lambda n: f"{2 * n * CRAWL['archives']:,}")
    yield line("requests: objects of a dataset in S3", lambda n: f"{n * parts * files:,} of {n * parts:,} parts")
    crawl = CRAWL["captures"] / (CAPTURES - FEWER_CAPTURES)
    seconds, memory = (CRAWL["captures"] * finish[kind] for kind in ["cpu", "memory"])
    yield line("`finish`, one process: CPU time, memory", lambda n: f"{n * seconds / 60:,.0f} minutes, {amount(n * memory)}")
    left = TARGET_SECONDS - seconds
    cores = f"{high * CRAWL['captures'] / left:,.0f} at {amount(CRAWL['bytes'] / left)}/s" if left > 0 else "none are enough"
    yield f"| cores for `run` and `finish` in ten minutes | {cores} | |"
    queries = {name: crawl * (cpu - fewer["queries"][name]) / 60 for name, cpu in more["queries"].items()}
    slowest = max(queries, key=queries.get)
    yield line("a query in DuckDB, CPU time, median", lambda n: f"{n * statistics.median(queries.values()):,.0f} minutes")
    yield line(f"the slowest, `{slowest}`", lambda n: f"{n * queries[slowest]:,.0f} minutes")


def line(what, cell):
    return f"| {what} | {' | '.join(cell(n) for n in CRAWLS)} |"


def between(low, high):
    low, high = (f"{value:,.0f}" if value >= 10 else f"{value:.1f}" for value in (low, high))
    return low if low == high else f"{low} to {high}"


def amount(size):
    return f"{size / GB:,.0f} GB" if size >= 10 * GB else f"{size / GB:.1f} GB"


if __name__ == "__main__":
    main()
