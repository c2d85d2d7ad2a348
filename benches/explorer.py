"""What a look-up takes on the page of a million generated captures, in Chromium, and the annotation of the host index.

The released program writes the datasets, with and without the files themselves (the table `bodies`), and their pages; a
server on the loopback address has them (`tests/explorer/browser.mjs`). Requests and bytes are those of the dataset, not
of the page itself. The tables go to standard output and replace the text between two markers of RESULTS.md.
"""

import argparse
import csv
import gzip
import io
import json
import os
import shutil
import statistics
import subprocess
from pathlib import Path

from measure import measure
from plan import CRAWL
from table import machine, replace_between
from whole import PACKAGE

BEGIN, END = "<!-- explorer -->\n", "<!-- end of explorer -->"
CAPTURES, SEED = 1_000_000, 7
# Hosts that are asked after the first one.
OTHERS = 10
# Hosts without a registered domain, which the sample lacks.
ADDRESSES = 5_000
ROUNDS = 3
AGENT = "GPTBot"
KB = 10**3


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--captures", type=int, default=CAPTURES)
    options = parser.parse_args()
    folder = options.work / "explorer"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archives = [folder / "sample.warc.gz", folder / "addresses.warc.gz"]
    measure([options.program, "sample", "--captures", options.captures, "--seed", SEED, "--out", archives[0]])
    archives[1].write_bytes(b"".join(map(record_of_address, range(ADDRESSES))))
    out, without = folder / "site", folder / "without-bodies"
    run, _ = measure([options.program, "run", *archives, "--out", out, "--tables", "+bodies", "--quiet"])
    page, _ = measure([options.program, "publish", out, "--site"])
    measure([options.program, "publish", out, "--site", "--out", without, "--without", "bodies"])
    # The tables have their order and indexes from the run; what a page needs besides is read from the files by `publish`.
    cost = f"The run took {run['cpu']:.1f} s of CPU time, `publish --site` {page['cpu']:.1f} s."
    text = "\n".join([*report(options, {"with bodies": out, "without bodies": without}), "", cost, "", machine(), ""])
    replace_between(Path(__file__).with_name("RESULTS.md"), BEGIN, END, text)
    print(text)


def address(number):
    return f"192.0.{number // 250}.{1 + number % 250}"


def record_of_address(number):
    """Returns the record of a fetch from a host that is an address."""
    body = f"User-agent: *\nDisallow: /{number}/\n"
    response = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    head = [
        "WARC/1.0",
        "WARC-Type: response",
        f"WARC-Target-URI: http://{address(number)}/robots.txt",
        "WARC-Date: 2026-01-05T00:00:00Z",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(response)}",
    ]
    return gzip.compress("\r\n".join([*head, "", response, "", ""]).encode(), mtime=0)


def report(options, sites):
    """Yields the lines of the report."""
    yield f"{options.captures:,} captures (`robocensus sample --captures {options.captures} --seed {SEED}`) and {ADDRESSES:,} of hosts that are addresses:"
    yield ""
    yield f"| look-up, the best of {ROUNDS} rounds | dataset | requests | bytes | time |"
    yield "|---|---|---|---|---|"
    hosts = named_hosts(options.program, sites["with bodies"])
    questions = [*((host, "/") for host in hosts), (hosts[-1], "/again"), (address(ADDRESSES // 2), "/")]
    for name, site in sites.items():
        first, *others, again, of_address = best(options, site, questions)
        yield row("the first, with the page itself", name, [first], "whole")
        yield row(f"{OTHERS} other hosts, median", name, others, "answered")
        yield row(f"{OTHERS} other hosts, worst", name, others, "answered", max)
        yield row("another path of a host", name, [again], "answered")
        yield row("a host that is an address", name, [of_address], "answered")
    yield ""
    yield from of_annotation(options, sites["with bodies"])


def named_hosts(program, out):
    """Returns hosts that have a robots.txt, in no order."""
    query = f"SELECT url_host_name FROM hosts WHERE has_robots_txt AND is_primary AND url_host_tld IS NOT NULL ORDER BY hash(url_host_name), url_host_name LIMIT {OTHERS + 1}"
    _, output = measure([program, "query", query, "--data", out, "--format", "csv"])
    return [host for [host] in list(csv.reader(io.StringIO(output.decode())))[1:]]


def best(options, site, questions):
    """Returns what each answer took: requests and bytes, and the least time of several rounds, each of a new browser."""
    asked = json.dumps({"questions": [[host, AGENT, path] for host, path in questions]})
    words = ["node", PACKAGE / "tests/explorer/browser.mjs", site, asked]
    environment = {**os.environ, "PACKAGES": str(options.packages.resolve())}
    rounds = [json.loads(subprocess.run(words, env=environment, check=True, capture_output=True).stdout)["answers"] for _ in range(ROUNDS)]
    return [{key: min(answer[key] for answer in answers) for key in answers[0]} for answers in zip(*rounds, strict=True)]


def row(what, name, answers, kind, pick=statistics.median):
    requests, size, took = (pick(answer[key] for answer in answers) for key in ["requests", "bytes", kind])
    return f"| {what} | {name} | {requests:.0f} | {size / KB:,.0f} kB | {took:.0f} ms |"


def of_annotation(options, out):
    """Yields what the annotation of the host index takes."""
    file = options.work / "explorer" / "annotation.parquet"
    cost, output = measure([options.program, "query", "list-host-annotations", "--data", out, "--format", "parquet"])
    file.write_bytes(output)
    count = "SELECT count(*) FROM read_parquet(getvariable('annotation'))"
    _, counted = measure([options.program, "query", count, "--set", f"annotation={file}", "--data", out, "--format", "csv"])
    rows = int(counted.split()[1])
    whole = len(output) * CRAWL["captures"] / options.captures
    yield (
        f"`list-host-annotations --format parquet` wrote {rows:,} rows in {len(output) / 10**6:.1f} MB, {len(output) / rows:.1f} bytes each, in {cost['cpu']:.1f} s of CPU time; "
        f"{CRAWL['captures'] / 10**6:.0f} million captures would take {whole / 10**6:,.0f} MB, if hosts grow with captures."
    )


if __name__ == "__main__":
    main()
