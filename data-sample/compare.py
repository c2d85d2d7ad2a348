"""Writes the smallest examples of comparisons as an archive: data-sample/compare.py FOLDER.. > cases.warc

Each folder has the files *.robots.txt of a comparison. Those that could not be made small are left out, since they may
have names of the hosts from which they came.
"""

import sys
from pathlib import Path

MOST_BYTES = 60
RECORD = """WARC/1.0\r
WARC-Type: response\r
WARC-Target-URI: https://case-{number}.example/robots.txt\r
WARC-Date: 2026-01-01T00:00:00Z\r
WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r
Content-Type: application/http; msgtype=response\r
Content-Length: {length}\r
\r
"""

paths = [path for folder in sys.argv[1:] for path in Path(folder).glob("*.robots.txt")]
bodies = {path.read_bytes() for path in paths if path.stat().st_size <= MOST_BYTES}
for number, body in enumerate(sorted(bodies)):
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body
    head = RECORD.format(number=number, length=len(response))
    sys.stdout.buffer.write(head.encode() + response + b"\r\n\r\n")
