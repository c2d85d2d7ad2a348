"""What crawls of the same hosts over time take: one more crawl, the questions, one host, a cohort by an index.

Everything is generated and read over a server on the loopback address, by the released program; CPU times have DuckDB
in them. The tables go to standard output and replace the text between two markers of RESULTS.md.
"""

import argparse
import csv
import gzip
import io
import json
import multiprocessing
import shutil
from pathlib import Path

from measure import measure
from remote import served
from table import replace_between

BEGIN, END = "<!-- over time -->\n", "<!-- end of over time -->"
CRAWLS, HOSTS, SEED = 100, 20_000, 5
FEW = 6
# Of these registered domains one is in the cohort that is read by an index.
ONE_IN = 100
QUESTIONS = [
    "compare-agents-by-crawl",
    "compare-changes-by-crawl",
    "compare-hosts-by-crawl",
    "compare-restriction-across-crawls",
    "compare-same-domains-across-crawls",
    "compare-survival-of-restriction",
    "count-cohort-by-crawl",
    "list-hosts-that-reversed",
    "list-hosts-without-robots-txt",
    "rank-agents-by-first-naming",
    "rank-changes-by-domains",
]
MB = 10**6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--crawls", type=int, default=CRAWLS)
    parser.add_argument("--hosts", type=int, default=HOSTS)
    options = parser.parse_args()
    folder = options.work / "crawls"
    shutil.rmtree(folder, ignore_errors=True)
    words = ["--crawls", options.crawls, "--hosts", options.hosts, "--seed", SEED, "--out", folder]
    measure([options.program, "sample", *words])
    truth = json.loads((folder / "truth.json").read_text())
    for crawl in truth["crawls"]:
        listed = gzip.compress(crawl["archive"].encode() + b"\n")
        (folder / "crawl-data" / crawl["crawl"] / "robotstxt.paths.gz").write_bytes(listed)
    traffic = multiprocessing.Array("q", 2)
    with served(folder, traffic=traffic) as port:
        bench = Bench(options, folder, port, traffic, truth["crawls"])
        text = "\n".join([*bench.lines(truth["hosts"][0]["host"]), ""])
    replace_between(Path(__file__).with_name("RESULTS.md"), BEGIN, END, text)
    print(text)


class Bench:
    """Datasets of crawls that a server has."""

    def __init__(self, options, folder, port, traffic, crawls):
        self.program, self.folder, self.traffic = options.program, folder, traffic
        self.crawls = [crawl["crawl"] for crawl in crawls]
        self.base = f"http://127.0.0.1:{port}/"
        self.hosts = options.hosts

    def lines(self, host):
        """Yields the lines of the report."""
        yield f"{len(self.crawls)} crawls of {self.hosts:,} hosts, `robocensus sample --crawls {len(self.crawls)} --hosts {self.hosts} --seed {SEED}`:"
        yield ""
        yield "| run over HTTP | CPU time | wall time |"
        yield "|---|---|---|"
        few = self.folder / "few"
        yield timed(f"{FEW} crawls by one command", self.add(self.crawls[:FEW], few))
        yield timed(f"one more, number {FEW + 1}", self.add(self.crawls[FEW : FEW + 1], few))
        all_but_one, last = self.folder / "census", self.crawls[-1:]
        yield timed(f"{len(self.crawls) - 1} crawls", self.add(self.crawls[:-1], all_but_one))
        yield timed(f"one more, number {len(self.crawls)}", self.add(last, all_but_one))
        yield ""
        size = sum(path.stat().st_size for path in all_but_one.rglob("*.parquet"))
        [[captures]] = self.query("SELECT count(*) FROM captures", all_but_one)
        yield f"The dataset has {int(captures):,} captures in {size / MB:.1f} MB, {size / int(captures):.0f} bytes each. Questions over all crawls:"
        yield ""
        yield "| question | CPU time | wall time |"
        yield "|---|---|---|"
        costs = {name: self.cost_of(name, all_but_one) for name in QUESTIONS}
        costs["the versions of one host"] = self.cost_of(f"FROM host_versions WHERE url_host_name = '{host}'", all_but_one)
        for name in sorted(costs, key=lambda name: costs[name]["cpu"], reverse=True):
            yield timed(name, costs[name])
        yield ""
        yield from self.by_an_index(few)

    def add(self, crawls, out):
        return self.run("--crawl", ",".join(crawls), "--out", out)

    def run(self, *words):
        self.traffic[:] = [0, 0]
        return measure([self.program, "run", *words, "--crawl-base", self.base, "--allow-private", "--quiet"])[0]

    def cost_of(self, query, data):
        return measure([self.program, "query", query, "--data", data, "--format", "csv"])[0]

    def query(self, query, data):
        _, output = measure([self.program, "query", query, "--data", data, "--format", "csv"])
        return list(csv.reader(io.StringIO(output.decode())))[1:]

    def by_an_index(self, whole):
        """Yields what the records of some domains cost beside whole archives."""
        records = self.folder / "records.csv"
        columns = "warc_filename, warc_record_offset, warc_record_length"
        chosen = f"hash(coalesce(url_host_registered_domain, url_host_name)) % {ONE_IN} = 0"
        listed = self.query(f"SELECT {columns} FROM captures WHERE {chosen} AND crawl < '{self.crawls[FEW]}' ORDER BY ALL", whole)
        with records.open("w", newline="") as file:
            csv.writer(file).writerows([columns.split(", "), *listed])
        yield f"{len(listed):,} records of one in {ONE_IN} domains of {FEW} crawls, by `run --records`, beside their whole archives:"
        yield ""
        yield "| read | requests | bytes | wall time |"
        yield "|---|---|---|---|"
        for name, words in [("by an index", ["--records", records]), ("whole", ["--crawl", ",".join(self.crawls[:FEW])])]:
            cost = self.run(*words, "--out", self.folder / name.replace(" ", "-"))
            requests, sent = self.traffic
            yield f"| {name} | {requests:,} | {sent / MB:.1f} MB | {cost['wall']:.1f} s |"


def timed(name, cost):
    return f"| {name} | {cost['cpu']:.2f} s | {cost['wall']:.2f} s |"


if __name__ == "__main__":
    main()
