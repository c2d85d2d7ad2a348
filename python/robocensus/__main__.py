"""The command line: ``robocensus`` and ``python -m robocensus``."""

from __future__ import annotations

import os
import signal
import sys

from . import _native, duckdb_cli


def main() -> None:
    """Runs the command line of this process and ends the process with its exit code."""
    sys.exit(exit_code())


def exit_code() -> int:
    """Runs the command line of this process and returns its exit code."""
    # Python only notes a signal until its own code runs again, which is when the program has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    duckdb_cli.name_in(os.environ)
    return _native.main(["robocensus", *sys.argv[1:]])


if __name__ == "__main__":
    main()
