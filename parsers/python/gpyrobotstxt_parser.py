"""gpyrobotstxt, a port of Google's parser to Python."""

from importlib.metadata import version

from adapter import serve
from gpyrobotstxt.robots_cc import RobotsMatcher


def parse(body):
    return lambda agent, url: RobotsMatcher().one_agent_allowed_by_robots(body, agent, url)


serve("gpyrobotstxt", version("gpyrobotstxt"), parse)
