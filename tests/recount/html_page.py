"""Whether a body is a page of HTML."""

import re

_PAGE = re.compile(rb"(?i)<(!doctype\s+html|html|head|body|title|script|meta|table|div|font|h1|style|a|b|br|p|iframe)[\s>]")


def is_page(body):
    """Returns whether a body looks like a page to a reader."""
    text = body.lstrip(b"\xef\xbb\xbf \t\r\n\x0b\x0c")
    while text.startswith(b"<!--") and b"-->" in text:
        text = text.partition(b"-->")[2].lstrip()
    return _PAGE.match(text) is not None
