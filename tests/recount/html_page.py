"""Whether a body is a page of HTML or another document, by the terms of src/sniff: the first element decides, behind blanks, byte order marks and comments."""

import re

WINDOW = 1024
_DOCUMENT = rb"html|head|body|frameset"
_FRAGMENT = rb"title|meta|link|script|noscript|style|iframe|h[1-6]|p|a|b|br|div|span|table|center|font|form|img|hr"
_VOCABULARY = rb"svg|rss|feed|urlset|sitemapindex|error"


def _element(names, behind=rb""):
    return re.compile(rb"(?i)<" + behind + rb"(?:" + names + rb")(?=[\s/>]|$)")


_IS_DOCUMENT = _element(_DOCUMENT)
_IS_FRAGMENT = _element(_FRAGMENT)
_IS_DOCTYPE = _element(rb"!doctype")
_IS_HTML_DOCTYPE = _element(rb"html", rb"!doctype\s*")
_IS_OTHER_DOCTYPE = _element(_VOCABULARY, rb"!doctype\s*")
_IS_VOCABULARY = _element(_VOCABULARY)
_IS_XML = _element(rb"\?xml")
_OF_XML = re.compile(rb"(?i)<(?:!doctype\s*)?(?:(html)|" + _VOCABULARY + rb")(?=[\s/>]|$)")
_BEGINS_PAGE = _element(rb"html|!doctype")
_OF_PAGE = _element(rb"html|head|body|title|meta")
_RULES = re.compile(rb"(?i)(?:^|[\r\n])[\s]*(?:user-agent|disallow)\s*:")
_LINE_OF_FILE = re.compile(rb"(?i)(?:^|[\r\n])\s*(?:#|(?:user-agent|disallow|allow|sitemap)\s*:)")
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BLANKS = re.compile(rb"(?:\xef\xbb\xbf|[ \t\r\n\f])*")
_SKIPPED = re.compile(rb"(?s)<!--.*?-->|<\?(?!xml[\s/>]).*?\?>")


def is_page(body):
    """Returns whether a body is a page."""
    text = behind = body[_BLANKS.match(body).end() :]
    while skipped := _SKIPPED.match(behind):
        behind = behind[skipped.end() :]
        behind = behind[_BLANKS.match(behind).end() :]
    if behind.startswith(b"<!--") or (not behind and text.startswith(b"<!--")):
        return True
    head = behind[:WINDOW]
    if _IS_XML.match(head):
        first = _OF_XML.search(head)
        return first is not None and first[1] is not None
    if _IS_DOCUMENT.match(head) or _IS_HTML_DOCTYPE.match(head):
        return True
    if _IS_OTHER_DOCTYPE.match(head):
        return False
    if _IS_DOCTYPE.match(head) or _IS_FRAGMENT.match(head):
        return not _RULES.search(head)
    return not _IS_VOCABULARY.match(head) and _has_page_inside(text)


def is_other_document(body):
    """Returns whether a body that is no page is XML, PDF, an image or compressed: what looks like a field there is none."""
    if body.startswith((b"\x1f\x8b\x08", b"%PDF-", b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"\0\0\x01\0")):
        return True
    text = body[_BLANKS.match(body).end() :]
    while skipped := _SKIPPED.match(text):
        text = text[skipped.end() :]
        text = text[_BLANKS.match(text).end() :]
    return any(begins.match(text) for begins in (_IS_XML, _IS_OTHER_DOCTYPE, _IS_VOCABULARY))


def _has_page_inside(text):
    """Returns whether words precede a page that is whole otherwise."""
    begin = _BEGINS_PAGE.search(text[:WINDOW])
    if not begin or _LINE_OF_FILE.search(text[: begin.start()]) or _BINARY.search(text[: begin.start()]):
        return False
    return _OF_PAGE.search(text[begin.start() + 1 :][:WINDOW]) is not None
