"""Records of WARC archives, plain or in gzip members (ISO 28500; RFC 1952).

Goes in: the bytes of an archive without damage. Comes out: its records, each with the offset of its gzip member, or of itself in a plain
archive. A recount of a damaged archive would have to agree on what is lost, so damage ends the program.
"""

import dataclasses
import zlib

TYPES = ("warcinfo", "request", "resource", "metadata", "revisit", "conversion", "continuation")


class Damaged(Exception):
    """An archive cannot be read to its end."""


@dataclasses.dataclass
class Record:
    """One record; names of fields are in lower case."""

    offset: int
    fields: dict
    block: bytes

    @property
    def type(self):
        return self.fields.get("warc-type")


def records(data):
    """Yields the records of an archive, given as its bytes."""
    if not data.startswith(b"\x1f\x8b"):
        for start, fields, block in _records_of(data):
            yield Record(start, fields, block)
        return
    offset = 0
    while offset < len(data):
        inflater = zlib.decompressobj(wbits=31)
        text = inflater.decompress(data[offset:])
        if not inflater.eof:
            raise Damaged(f"the gzip member at {offset} does not end")
        for _, fields, block in _records_of(text):
            yield Record(offset, fields, block)
        offset = len(data) - len(inflater.unused_data)


def _records_of(text):
    at = 0
    while at < len(text):
        if text[at : at + 2] == b"\r\n":
            at += 2
            continue
        end = text.find(b"\r\n\r\n", at)
        if not text.startswith(b"WARC/", at) or end < 0:
            raise Damaged(f"no record at {at}")
        fields = {}
        for line in text[at:end].split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            fields.setdefault(name.strip().decode("latin-1").lower(), value.strip().decode("utf-8", "replace"))
        begin = end + 4
        stop = begin + int(fields["content-length"])
        if stop > len(text):
            raise Damaged(f"the record at {at} is cut")
        yield at, fields, text[begin:stop]
        at = stop
