"""What decided about a URL, as text and as HTML."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import Decision

# Lines around those of interest, of long files, and characters of a line.
_CONTEXT = 3
_MOST_LINES = 60
_MOST_CHARACTERS = 160

_REASONS = {
    "rule": "a rule decides",
    "no_rule_matched": "a group applies to the agent, and none of its rules matches",
    "no_group": "no group applies to the agent",
    "robots_txt_itself": "the URL is the robots.txt, which is always allowed",
}
_GROUPS = {
    "named": "names the agent",
    "wildcard": "for every agent (*); no group names this one",
}

_STYLE = (
    "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:90%;border-collapse:collapse;"
    "text-align:left"
)
_COLORS = {"decides": "#fde68a", "lost": "#e5e7eb", "group": "transparent", "": "transparent"}


class Explanation:
    """The evidence of a decision: ``str()`` is text, notebooks show it as a table.

    Attributes:
        decision: The decision.
        summary: One sentence.
        lost: The rules that matched without deciding, as pairs of line and reason.
        groups: First and last line of each group that applies.
    """

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        selection, self.groups, self.lost = decision._evidence()
        basis = decision.basis
        self.summary = (
            f"{decision.verdict}: {_agent(decision.agent)} for {_text(decision.url)}"
            f" ({decision.dialect}): {_REASONS.get(basis, basis)}"
        )
        self._group_note = _GROUPS.get(selection or "", "")

    def lines(self) -> list[tuple[int, str, str, str]]:
        """Returns the lines of interest: number, text, mark and note.

        The mark is ``decides``, ``lost``, ``group`` or empty. Of groups of more than 60 lines only
        those near a marked one are returned.
        """
        notes = {line: ("lost", f"lost: {reason}") for line, reason in self.lost}
        for first, _ in self.groups:
            notes.setdefault(first, ("group", self._group_note))
        rule_line = self.decision.rule_line
        if rule_line is not None:
            notes[rule_line] = ("decides", "decides")
        numbers = set(list(notes)[:_MOST_LINES])
        if rule_line is not None:
            numbers.add(rule_line)
        for first, last in self.groups:
            if last - first < _MOST_LINES:
                numbers.update(range(first, last + 1))
            else:
                for line in list(numbers):
                    near = range(line - _CONTEXT, line + _CONTEXT + 1)
                    numbers.update(number for number in near if first <= number <= last)
        found = []
        for number in sorted(numbers):
            text = self.decision.robots.line(number)
            if text is not None:
                mark, note = notes.get(number, ("", ""))
                found.append((number, _shown(text), mark, note))
        return found

    def __str__(self) -> str:
        signs = {"decides": ">", "lost": "-", "group": " ", "": " "}
        rows = [self.summary]
        before = None
        for number, text, mark, note in self.lines():
            if before is not None and number != before + 1:
                rows.append("       ...")
            before = number
            comment = f"   <- {note}" if note else ""
            rows.append(f"{signs[mark]} {number:>6} | {text}{comment}")
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"<robocensus explanation: {self.summary}>"

    def _repr_html_(self) -> str:
        rows = []
        before = None
        for number, text, mark, note in self.lines():
            if before is not None and number != before + 1:
                rows.append('<tr><td></td><td style="text-align:left">&#8942;</td><td></td></tr>')
            before = number
            weight = "bold" if mark == "decides" else "normal"
            rows.append(
                f'<tr style="background:{_COLORS[mark]};font-weight:{weight}">'
                f'<td style="text-align:right;opacity:.6">{number}</td>'
                f'<td style="text-align:left;white-space:pre-wrap">{html.escape(text)}</td>'
                f'<td style="text-align:left">{html.escape(note)}</td></tr>'
            )
        return (
            f"<p>{html.escape(self.summary)}</p>"
            f'<table style="{_STYLE}"><tbody>{"".join(rows)}</tbody></table>'
        )


def _agent(agent: object) -> str:
    if isinstance(agent, (list, tuple)):
        return ", then ".join(_text(token) for token in agent)
    return _text(agent)


def _text(value: object) -> str:
    if isinstance(value, str):
        return _shown(value)
    return _shown(bytes(value).decode("utf-8", "surrogateescape"))  # type: ignore[call-overload]


def _shown(text: str) -> str:
    """Returns a text without what would move or hide other text."""
    if len(text) > _MOST_CHARACTERS:
        text = text[:_MOST_CHARACTERS] + "..."
    return "".join(
        char
        if char == "\t" or char.isprintable()
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
