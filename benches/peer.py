"""What one would write without robocensus: FastWARC reads, Protego decides, and no table is written.

The arguments are a list of agents and one of paths, one a line, and archives. Standard output is a JSON object with the
number of captures, of verdicts, and for each agent the number of hosts that disallow / for it, counted as in the
summary of a run.
"""

import json
import sys
from urllib.parse import urlsplit

from fastwarc.warc import ArchiveIterator, WarcRecordType
from protego import Protego

# Bytes of a file that google's parser reads.
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
    root_disallowed = {agent: set() for agent in agents}
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
                    root_disallowed[agent].add(host)
    hosts = {agent: len(found) for agent, found in root_disallowed.items()}
    print(json.dumps({"captures": captures, "verdicts": verdicts, "root_disallowed": hosts}))


if __name__ == "__main__":
    main()
