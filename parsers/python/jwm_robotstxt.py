"""jwm.robotstxt: Google's parser in C++, by way of another binding to Python."""

from importlib.metadata import version

from adapter import serve
from jwm.robotstxt.googlebot import RobotsMatcher


def parse(body):
    text = body.decode("utf-8", "replace")
    return lambda agent, url: RobotsMatcher().OneAgentAllowedByRobots(text, agent, url)


serve("jwm.robotstxt", version("jwm.robotstxt"), parse)
