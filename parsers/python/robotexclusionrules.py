"""robotexclusionrulesparser."""

from importlib.metadata import version

from adapter import serve
from robotexclusionrulesparser import RobotExclusionRulesParser


def parse(body):
    parser = RobotExclusionRulesParser()
    parser.parse(body.decode("utf-8", "replace"))
    return parser.is_allowed


serve("robotexclusionrulesparser", version("robotexclusionrulesparser"), parse)
