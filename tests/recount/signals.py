"""Statements on use and licence (contentsignals.org; draft-ietf-aipref-attach; RFC 9651; RSL 1.0).

Goes in: a record of a robots.txt. Comes out: its statements; one that has not the form of its vocabulary is a `Statement` that `is_parsed` is
false of, with the text as it was written.
"""

import dataclasses
import re

VOCABULARIES = {
    "content-signal": "content-signal",
    "content-usage": "content-usage",
    "license": "license",
    "disallowaitraining": "disallow-ai-training",
    "allowaitraining": "allow-ai-training",
    "llm-policy": "llm-policy",
    "noindex": "noindex",
}
_AGREED = {"search": ("yes", "no"), "ai-input": ("yes", "no"), "ai-train": ("yes", "no"), "use": ("immediate", "reference", "full")}
_KEY = re.compile(r"[a-z*][a-z0-9_.*-]*")
_ITEM = re.compile(
    r"""\?[01]|[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_`|~-]*|-?\d{1,12}\.\d{1,3}|-?\d{1,15}|"(?:[ !#-\[\]-~]|\\["\\])*"|:[A-Za-z0-9+/=]*:|@-?\d{1,15}|%"[^"]*\""""
)
_PARAMETER = re.compile(r" *;[ ]*" + _KEY.pattern)


@dataclasses.dataclass(frozen=True)
class Statement:
    """One thing that a line states; see `robocensus tables signals`."""

    vocabulary: str
    path: str
    key: str
    value: str
    is_parsed: bool


def statements(other):
    """Returns what a record states; nothing where its field is none of the vocabularies."""
    vocabulary = VOCABULARIES.get(other.key)
    if vocabulary is None:
        return []
    text = other.raw.decode("utf-8", "replace")
    if vocabulary == "content-signal":
        return _content_signal(text)
    if vocabulary == "content-usage":
        return _content_usage(text)
    if vocabulary in ("license", "llm-policy"):
        is_url = re.fullmatch(r"(?i)[a-z][a-z0-9+.-]*://[^/?#\s]+[^\s]*", text) is not None
        return [Statement(vocabulary, None, None, text, is_url)]
    is_path = text == "" or text.startswith(("/", "*"))
    return [Statement(vocabulary, text if is_path else None, None, None if is_path else text, is_path)]


def _content_signal(text):
    found = {}
    for member in text.split(","):
        key, equals, value = member.partition("=")
        key, value = key.strip().lower(), value.strip().lower()
        if not member.strip():
            continue
        is_parsed = bool(equals and key and value) and value in _AGREED.get(key, (value,))
        statement = Statement("content-signal", None, key or None, value or None, is_parsed)
        if not (equals and key and value):
            statement = Statement("content-signal", None, None, member.strip(), False)
        found.pop(statement.key or member, None)
        found[statement.key or member] = statement
    return list(found.values()) or [Statement("content-signal", None, None, text, False)]


def _content_usage(text):
    path, rest = None, text
    if text.startswith("/"):
        path, _, rest = re.sub(r"[ \t]+", " ", text, count=1).partition(" ")
    members = _dictionary(rest.strip(" "))
    if members is None:
        return [Statement("content-usage", path, None, text if path is None else rest, False)]
    if not members:
        return [Statement("content-usage", path, None, None, True)]
    return [Statement("content-usage", path, key, value, True) for key, value in members.items()]


def _dictionary(text):
    """Returns the members of a dictionary of RFC 9651 (3.2) whose values are items; None where it is none."""
    members, at = {}, 0
    while at < len(text):
        key = _KEY.match(text, at)
        if not key:
            return None
        at, value = key.end(), "?1"
        if text[at : at + 1] == "=":
            item = _ITEM.match(text, at + 1)
            if not item:
                return None
            at, value = item.end(), item[0]
        while parameter := _PARAMETER.match(text, at):
            at = parameter.end()
            if text[at : at + 1] == "=":
                item = _ITEM.match(text, at + 1)
                if not item:
                    return None
                at = item.end()
        members.pop(key[0], None)
        members[key[0]] = value
        comma = re.compile(r"[ \t]*(,[ \t]*)?").match(text, at)
        at = comma.end()
        if (comma[1] is None) != (at == len(text)):
            return None
    return members
