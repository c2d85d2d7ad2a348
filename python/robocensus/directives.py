"""The lines of groups that are no rules: Crawl-delay, Request-rate, Visit-time.

No standard has them. What they mean here is what Protego and ``urllib.robotparser`` take them for;
of several lines, the last that has the form of its field counts.

Which groups they are in is up to the dialect. By Google's, a line that is neither a user-agent line
nor a rule does not end the user-agent lines of a group. In a file such as::

    User-agent: A
    Crawl-delay: 120

    User-agent: *
    Disallow: /x

A and * are one group, and the delay of 120 seconds is that of every crawler; for Protego and
``urllib.robotparser`` it is that of A alone, as in the dialect ``python``.
"""

from __future__ import annotations

import re
from datetime import time
from math import isfinite
from typing import NamedTuple

from ._native import Dialect, Robots

# More digits are no rate: a billion seconds are 31 years.
_RATE = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9})(?!\d)\s*([smhd]?)", re.IGNORECASE)
_PERIOD = re.compile(r"(\d{1,2}):?(\d{2})\s*[- ]\s*(\d{1,2}):?(\d{2})")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class RequestRate(NamedTuple):
    """A number of requests in a number of seconds, at any time or in a period of each day (UTC)."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """A period of each day (UTC)."""

    start_time: time
    end_time: time


def values(robots: Robots, agent: str, field: str, dialect: str | Dialect = "google") -> list[str]:
    """Returns the values of a field in the groups that apply to an agent, the last line first."""
    groups = {group.index for group in robots.groups_for(agent, dialect)}
    records = reversed(robots.records(dialect))
    return [
        record.value for record in records if record.field == field and record.group_index in groups
    ]


def crawl_delay(robots: Robots, agent: str, dialect: str | Dialect = "google") -> float | None:
    """Returns the seconds of the last ``Crawl-delay`` for an agent that is a number from 0."""
    for value in values(robots, agent, "crawl-delay", dialect):
        try:
            seconds = float(value)
        except ValueError:
            continue
        if isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def request_rate(
    robots: Robots, agent: str, dialect: str | Dialect = "google"
) -> RequestRate | None:
    """Returns the last ``Request-rate`` for an agent, such as ``1/10s`` or ``3/1m 0800-1800``."""
    for value in values(robots, agent, "request-rate", dialect):
        found = _RATE.match(value)
        if not found:
            continue
        requests, number, unit = found.groups()
        rest = value[found.end() :].strip()
        period = _period(rest)
        seconds = int(number) * _SECONDS[unit.lower()]
        if int(requests) > 0 and seconds > 0 and (period or not rest):
            return RequestRate(int(requests), seconds, *(period or (None, None)))
    return None


def visit_time(robots: Robots, agent: str, dialect: str | Dialect = "google") -> VisitTime | None:
    """Returns the last ``Visit-time`` for an agent, such as ``0600-0845``."""
    for value in values(robots, agent, "visit-time", dialect):
        period = _period(value)
        if period:
            return VisitTime(*period)
    return None


def preferred_host(robots: Robots, dialect: str | Dialect = "google") -> str | None:
    """Returns the value of the last ``Host``."""
    hosts = [record.value for record in robots.records(dialect) if record.field == "host"]
    return hosts[-1] if hosts else None


def _period(text: str) -> tuple[time, time] | None:
    found = _PERIOD.fullmatch(text.strip())
    if not found:
        return None
    hour, minute, last_hour, last_minute = (int(number) for number in found.groups())
    try:
        return time(hour, minute), time(last_hour, last_minute)
    except ValueError:
        return None
