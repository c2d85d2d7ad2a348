"""urllib.robotparser of the Python that runs this."""

import platform
from urllib.robotparser import RobotFileParser

from adapter import serve


def parse(body):
    parser = RobotFileParser()
    try:
        parser.parse(body.decode("utf-8", "replace").splitlines())
    except ValueError:
        pass  # The rules before the line that it fails on count.
    return parser.can_fetch


serve("urllib.robotparser", platform.python_version(), parse)
