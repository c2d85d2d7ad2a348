"""The Python package of this project, of any version: python3 robocensus_parser.py DIALECT."""

import sys

import robocensus
from adapter import serve

DIALECT = sys.argv[1]


def parse(body):
    robots = robocensus.Robots(body)
    return lambda agent, url: robots.decide(agent, url, DIALECT).verdict


serve("robocensus", f"{robocensus.__version__} {DIALECT}", parse)
