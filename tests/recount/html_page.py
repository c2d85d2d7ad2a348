"""Whether a body is a page of HTML."""

import re

_PAGE = re.compile(rb"(?i)<(!doctype(\s+html)?|html|head|body|title|script|meta|table|div|span|font|h[1-6]|style|a|b|br|p|iframe)[\s/>]")


def is_page(body):
    """Returns whether a body looks like a page to a reader."""
    text = body.lstrip(b"\xef\xbb\xbf \t\r\n\x0b\x0c")
    while (end := {b"<!": b"-->", b"<?": b"?>"}.get(text[:2])) and text.startswith((b"<!--", b"<?")) and end in text:
        text = text.partition(end)[2].lstrip()
    return _PAGE.match(text) is not None
