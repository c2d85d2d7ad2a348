"""Writes the smallest examples of comparisons as an archive: data-sample/compare.py FOLDER.. > cases.warc

Each folder has the files *.robots.txt of a comparison. Those that could not be made small are left out, and words but those
of the format are replaced, so that nothing is left of the files from which they came.
"""

import re
import sys
from pathlib import Path

MOST_BYTES = 60
# Misspelt fields are read by some dialects, and /index.htm by google.
WORDS = set(b"user agent useragent allow disallow disalow crawl delay sitemap host noindex index htm".split())
RECORD = """WARC/1.0\r
WARC-Type: response\r
WARC-Target-URI: https://case-{number}.example/robots.txt\r
WARC-Date: 2026-01-01T00:00:00Z\r
WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r
Content-Type: application/http; msgtype=response\r
Content-Length: {length}\r
\r
"""


def made_up(word):
    """Returns a word of the format as it is, and as many letters for another one."""
    return word[0] if word[0].lower() in WORDS else b"a" * len(word[0])


paths = [path for folder in sys.argv[1:] for path in Path(folder).glob("*.robots.txt")]
bodies = {path.read_bytes() for path in paths if path.stat().st_size <= MOST_BYTES}
bodies = {re.sub(rb"[A-Za-z]{3,}", made_up, body) for body in bodies}
for number, body in enumerate(sorted(bodies)):
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body
    head = RECORD.format(number=number, length=len(response))
    sys.stdout.buffer.write(head.encode() + response + b"\r\n\r\n")
