"""fast-robotstxt: Google's parser in C++, by way of its binding to Python."""

from importlib.metadata import version

from adapter import serve
from robotstxt import RobotsMatcher


def parse(body):
    text = body.decode("utf-8", "replace")
    return lambda agent, url: RobotsMatcher().is_allowed(text, agent, url)


serve("fast-robotstxt", version("fast-robotstxt"), parse)
