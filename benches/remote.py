"""Runs over archives of a server on the loopback address against runs over the same files, process by process.

The costs go to `remote.json` in the work folder (`measure.py`). The server, a process of its own, sends files by
`sendfile` and does little else, since it shares the processors with the run. In the side `faults` it cuts one in a
hundred downloads in the middle and answers one in a hundred requests with 503. Every side must write the same files, but
for the table `archives`, which says where archives come from.
"""

import argparse
import contextlib
import hashlib
import itertools
import json
import multiprocessing
import os
import re
import shutil
import socket
import threading
from pathlib import Path

from measure import alternate, measure
from whole import copied_corpus, generate, require

ROUNDS = 7
# One in a hundred of these is more than one, and they are smaller than those of a crawl.
ARCHIVES, CAPTURES = 400, 1_000
ONE_IN = 100
PREFETCH = 64 * 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    results = {"prefetch": PREFETCH}
    with copied_corpus(options.work) as corpus:
        inputs = {"sample": generate(options, "remote", ARCHIVES, CAPTURES), "corpus": corpus}
        for name, archives in inputs.items():
            if not archives:
                print(f"Excluded: {name}: no archive found")
                continue
            results[name] = compare(options, archives)
            (options.work / "remote.json").write_text(json.dumps(results, indent=1) + "\n")


def compare(options, archives):
    """Returns the best costs of a local run, one over HTTP and, of enough archives, one with faults."""

    def run(inputs):
        out = options.work / "census"
        shutil.rmtree(out, ignore_errors=True)
        words = ["--out", out, "--threads", 2, "--prefetch", PREFETCH, "--quiet"]
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
def served(folder, has_faults=False, traffic=None):
    """Serves a folder from another process; gives the port. `traffic`, an array, counts requests and bytes sent."""
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(folder, has_faults, traffic, child), daemon=True)
    server.start()
    try:
        yield parent.recv()
    finally:
        server.terminate()
        server.join()


def serve(folder, has_faults, traffic, pipe):
    """Answers requests for the files of a folder, each connection in a thread of its own."""
    requests, downloads = itertools.count(1), itertools.count(1)

    def is_fault(counter):
        return has_faults and next(counter) % ONE_IN == ONE_IN // 2

    def count(sent):
        if traffic:
            with traffic.get_lock():
                traffic[0] += 1
                traffic[1] += sent

    def answer(connection):
        with connection:
            # Otherwise the end of an answer may wait 40 ms for the client to confirm what came before.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for request in heads(connection):
                if is_fault(requests):
                    connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
                elif not send(connection, request):
                    return

    def send(connection, request):
        """Sends what a request asks for; returns false if that is cut."""
        method, path, _ = request.split(" ", 2)
        with open(folder / path.lstrip("/"), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            found = re.search(r"\nrange: *bytes=(\d+)-(\d*)", request, re.IGNORECASE)
            start = int(found[1]) if found else 0
            end = min(int(found[2]) + 1, size) if found and found[2] else size
            status = f"206 Partial Content\r\nContent-Range: bytes {start}-{end - 1}/{size}" if found else "200 OK"
            head = f'HTTP/1.1 {status}\r\nContent-Length: {end - start}\r\nETag: "{size}"\r\n\r\n'
            connection.sendall(head.encode())
            count(0 if method == "HEAD" else end - start)
            if method == "HEAD":
                return True
            is_cut = not found and is_fault(downloads)
            connection.sendfile(file, start, (end - start) // 2 if is_cut else end - start)
            return not is_cut

    with socket.create_server(("127.0.0.1", 0)) as server:
        pipe.send(server.getsockname()[1])
        while True:
            connection, _ = server.accept()
            threading.Thread(target=answer, args=(connection,), daemon=True).start()


def heads(connection):
    """Yields the heads of requests until the client closes the connection."""
    received = b""
    while more := connection.recv(65536):
        *complete, received = (received + more).split(b"\r\n\r\n")
        yield from (head.decode() for head in complete)


if __name__ == "__main__":
    main()
