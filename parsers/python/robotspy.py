"""robotspy."""

from importlib.metadata import version

from adapter import serve
from robots import RobotFileParser


def parse(body):
    parser = RobotFileParser()
    parser.parse(body.decode("utf-8", "replace").splitlines())
    return parser.can_fetch


serve("robotspy", version("robotspy"), parse)
