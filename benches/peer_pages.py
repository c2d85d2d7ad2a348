"""What one would write for pages without robocensus: FastWARC reads, resiliparse parses, and no table is written.

The arguments are archives. Standard output is a JSON object with the number of HTML pages, of links by the values of
their rel, and of meta elements and header fields by the directives that they list.
"""

import json
import sys
from collections import Counter

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree

HTML = ["text/html", "application/xhtml+xml"]
CRAWLERS = {"robots", "googlebot", "bingbot", "baiduspider"}
RESERVATIONS = {"tdm-reservation", "tdm-policy"}
REL = {"nofollow", "ugc", "sponsored"}


def directives(text):
    return [word.strip().lower() for word in text.split(",")]


def main():
    pages = 0
    rel, meta, fields = Counter(), Counter(), Counter()
    for archive in sys.argv[1:]:
        for record in ArchiveIterator(archive, record_types=WarcRecordType.response, auto_decode="all"):
            for name, value in record.http_headers or []:
                if name.lower() == "x-robots-tag":
                    fields.update(directives(value))
            if record.http_content_type not in HTML:
                continue
            pages += 1
            body = record.reader.read()
            tree = HTMLTree.parse_from_bytes(body, record.http_charset or detect_encoding(body))
            for element in tree.document.query_selector_all("meta[name], a[rel], area[rel], form[rel]"):
                if element.tag == "meta":
                    name = element.getattr("name").strip().lower()
                    if name in CRAWLERS:
                        meta.update(directives(element.getattr("content") or ""))
                    elif name in RESERVATIONS:
                        meta[name] += 1
                else:
                    rel.update(REL.intersection(element.getattr("rel").lower().split()))
    print(json.dumps({"pages": pages, "rel": rel, "meta": meta, "fields": fields}))


if __name__ == "__main__":
    main()
