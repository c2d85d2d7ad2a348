"""Runs over archives of a server on the loopback address against runs over the same files, process by process.

The costs go to `remote.json` in the work folder (`measure.py`). The server, a process of its own, sends files by
`sendfile`. In the side `faults` it cuts one in a hundred downloads in the middle and answers one in a hundred requests
with 503. Every side must write the same files, but for the table `archives`, which says where archives come from.
"""

import argparse
import contextlib
import hashlib
import itertools
import json
import multiprocessing
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from measure import alternate, measure
from whole import CORPUS, generate, require

ROUNDS = 5
# One in a hundred of these is more than one, and they are smaller than those of a crawl.
ARCHIVES, CAPTURES = 400, 1_000
ONE_IN = 100
PREFETCH = 64 * 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    inputs = {"sample": generate(options, "remote", ARCHIVES, CAPTURES), "corpus": sorted(CORPUS.glob("*.warc.gz"))}
    results = {"prefetch": PREFETCH}
    for name, archives in inputs.items():
        if archives:
            results[name] = compare(options, archives)
            (options.work / "remote.json").write_text(json.dumps(results, indent=1) + "\n")
        else:
            print(f"Excluded: {name}: no archive found")


def compare(options, archives):
    """Returns the best costs of a local run, one over HTTP and, of enough archives, one with faults."""

    def run(inputs):
        out = options.work / "census"
        shutil.rmtree(out, ignore_errors=True)
        words = ["--out", out, "--threads", 2, "--verdicts", "sets", "--prefetch", PREFETCH, "--quiet"]
        cost, _ = measure([options.program, "run", *inputs, *words])
        return cost, digests(out)

    with served(archives[0].parent) as reliable, served(archives[0].parent, has_faults=True) as faulty:
        sides = {"local": lambda: run(archives), "http": lambda: run(urls(reliable, archives))}
        if len(archives) >= ONE_IN:
            sides["faults"] = lambda: run(urls(faulty, archives))
        found = alternate(sides, ROUNDS)
    for side, (_, files) in found.items():
        require(files == found["local"][1], f"{side}: expected the files of the local run")
    return {side: cost for side, (cost, _) in found.items()}


def digests(out):
    """Returns the digests of the files of all tables but `archives`."""
    files = [path.relative_to(out) for path in sorted(out.glob("*/*.parquet")) if path.parent.name != "archives"]
    return {str(file): hashlib.sha1((out / file).read_bytes()).hexdigest() for file in files}


def urls(port, archives):
    return [f"http://127.0.0.1:{port}/{archive.name}" for archive in archives]


@contextlib.contextmanager
def served(folder, has_faults=False):
    """Serves a folder from another process; gives the port."""
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(folder, has_faults, child), daemon=True)
    server.start()
    try:
        yield parent.recv()
    finally:
        server.terminate()
        server.join()


def serve(folder, has_faults, pipe):
    requests, downloads = itertools.count(1), itertools.count(1)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self):
            self.answer(with_body=False)

        def do_GET(self):
            self.answer(with_body=True)

        def answer(self, with_body):
            if has_faults and next(requests) % ONE_IN == ONE_IN // 2:
                self.send_response(503)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            with open(folder / self.path.lstrip("/"), "rb") as file:
                size = file.seek(0, 2)
                requested = self.headers.get("Range")
                start = int(requested.removeprefix("bytes=").rstrip("-")) if requested else 0
                self.send_response(206 if requested else 200)
                if requested:
                    self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
                self.send_header("Content-Length", str(size - start))
                self.send_header("ETag", f'"{size}"')
                self.end_headers()
                if with_body:
                    self.wfile.flush()
                    is_cut = has_faults and not requested and next(downloads) % ONE_IN == ONE_IN // 2
                    self.connection.sendfile(file, start, (size - start) // 2 if is_cut else None)
                    self.close_connection |= is_cut

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    pipe.send(server.server_port)
    server.serve_forever()


if __name__ == "__main__":
    main()
