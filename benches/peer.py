"""What one would write without robocensus: FastWARC reads, Protego decides, and nothing is kept.

Enters: a list of agents and one of paths, a line each, and archives. Leaves: one JSON object on standard output with the number of captures,
of verdicts, and for each agent the number of hosts that shut it out of /, counted as the summary of a run counts them. It refuses to write.
"""

import json
import sys
from urllib.parse import urlsplit

from fastwarc.warc import ArchiveIterator, WarcRecordType
from protego import Protego

# What google's matcher reads of a file, in bytes.
MOST_BYTES = 500 * 1024


def first_cells(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t")[0] for line in lines]


def responses(archives):
    for archive in archives:
        yield from ArchiveIterator(
            archive, record_types=WarcRecordType.response, auto_decode="all"
        )


def main():
    agents_file, paths_file, *archives = sys.argv[1:]
    agents, paths = first_cells(agents_file), first_cells(paths_file)
    captures = verdicts = 0
    shut_out = {agent: set() for agent in agents}
    for record in responses(archives):
        captures += 1
        status = record.http_headers.status_code or 0
        if not 200 <= status < 300:
            # The status decides all cells at once (RFC 9309, 2.3.1).
            verdicts += len(agents) * len(paths)
            continue
        host = urlsplit(record.headers["WARC-Target-URI"]).hostname
        body = record.reader.read(MOST_BYTES).decode("utf-8", "replace")
        rules = Protego.parse(body)
        for agent in agents:
            for path in paths:
                verdicts += 1
                if not rules.can_fetch(path, agent) and path == "/":
                    shut_out[agent].add(host)
    hosts = {agent: len(found) for agent, found in shut_out.items()}
    print(json.dumps({"captures": captures, "verdicts": verdicts, "shut_out": hosts}))


if __name__ == "__main__":
    main()
