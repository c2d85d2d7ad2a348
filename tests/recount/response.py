"""A response as it was archived: status, fields, and the body without its codings (RFC 9110; RFC 9112, 6 and 7).

Goes in: the block of a record. Comes out: a `Response`. A coding that is named but not there is passed over, since archives often store a
body decoded and its fields as they were; one that is there and breaks off makes the response `is_broken`, which is a server error
(RFC 9309, section 2.3.1.4). So does a body that is shorter than its Content-Length where no field says that a coding is or was applied.
"""

import dataclasses
import re
import zlib

_STATUS = re.compile(rb"HTTP/\d+(?:\.\d+)?[ \t]+(\d{3})(?!\d)")
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]+)[ \t]*(?:;[^\r\n]*)?\r?\n")
_LIMIT = 8 << 20


@dataclasses.dataclass
class Response:
    """Status (None: no status line that can be read), fields in order, and the decoded body."""

    status: int
    fields: list
    body: bytes
    is_broken: bool

    def field(self, name):
        """Returns the first value of a field, or None."""
        return next((value for key, value in self.fields if key == name), None)


def response(block):
    """Takes a block apart."""
    head, rest = _head(block)
    while head is not None and head[0] is not None and 100 <= head[0] < 200 and head[0] != 101 and rest.startswith(b"HTTP/"):
        head, rest = _head(rest)
    if head is None:
        return Response(None, [], block, False)
    status, fields = head
    body, is_broken = _decoded(rest, fields)
    is_coded = any(name.endswith(("content-encoding", "transfer-encoding")) for name, _ in fields)
    length = next((value for name, value in fields if name == "content-length"), "")
    is_short = not is_coded and length.isdigit() and status not in (204, 304) and int(length) > len(rest)
    return Response(status, fields, body, is_broken or is_short)


def _head(block):
    block = block.lstrip(b"\r\n")
    if not block.startswith(b"HTTP/"):
        return None, block
    end = re.search(rb"\r?\n\r?\n", block)
    text, rest = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    lines = text.replace(b"\r\n", b"\n").split(b"\n")
    status = _STATUS.match(lines[0])
    number = int(status[1]) if status and status[1] >= b"100" else None
    fields = []
    for line in lines[1:]:
        name, colon, value = line.partition(b":")
        if colon and name.strip():
            fields.append((name.strip().lower().decode("latin-1"), value.strip().decode("latin-1")))
    return (number, fields), rest


def _decoded(body, fields):
    """Returns the body without codings, and whether one of them broke off."""

    def listed(name):
        values = ",".join(value for key, value in fields if key == name)
        return [coding.strip().lower() for coding in values.split(",") if coding.strip()]

    is_broken = False
    codings = [coding for coding in listed("content-encoding") if coding != "identity"]
    if "chunked" in listed("transfer-encoding"):
        body, is_broken = _dechunked(body)
    else:
        # Chunks that no field names count if they are whole, as `http_coding_unnamed` says.
        data, is_cut = _dechunked(body)
        body = data if data and not is_cut else body
    is_gzip = body.startswith(b"\x1f\x8b\x08")
    for coding in reversed(codings or (["gzip"] if is_gzip else [])):
        if coding in ("gzip", "x-gzip") and body.startswith(b"\x1f\x8b"):
            body, is_cut = _inflated(body, 31)
        elif coding == "deflate" and len(body) > 1 and body[0] & 15 == 8 and (body[0] * 256 + body[1]) % 31 == 0:
            body, is_cut = _inflated(body, 15)
        else:
            is_cut = False
        is_broken |= is_cut
    return body[:_LIMIT], is_broken


def _dechunked(body):
    """Returns the data of chunks; a body that does not begin with a chunk is returned as it is."""
    data, at = [], 0
    while True:
        size = _CHUNK.match(body, at)
        if not size:
            return (body, False) if at == 0 else (b"".join(data), True)
        length = int(size[1], 16)
        if length == 0:
            return b"".join(data), False
        begin = size.end()
        data.append(body[begin : begin + length])
        end = re.compile(rb"\r?\n").match(body, begin + length)
        if not end:
            return b"".join(data), True
        at = end.end()


def _inflated(body, window):
    """Returns what a deflate stream holds, all members of it, and whether it breaks off."""
    text = b""
    while body.startswith(b"\x1f\x8b") or (window == 15 and not text):
        inflater = zlib.decompressobj(wbits=window)
        try:
            text += inflater.decompress(body, _LIMIT)
        except zlib.error:
            return text, True
        if not inflater.eof:
            return text, not inflater.unconsumed_tail
        body = inflater.unused_data
        if window == 15:
            break
    return text, False
