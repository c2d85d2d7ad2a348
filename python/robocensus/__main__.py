"""The command line: ``robocensus`` and ``python -m robocensus``."""

from __future__ import annotations

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

from . import _native

# The variable that names the executable of DuckDB.
_DUCKDB = "ROBOCENSUS_DUCKDB"


def main() -> None:
    """Runs the command line of this process and ends the process with its exit code."""
    # Python only notes a signal until its own code runs again, which is when the program has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if not os.environ.get(_DUCKDB):
        executable = _duckdb()
        if executable is not None:
            os.environ[_DUCKDB] = str(executable)
    sys.exit(_native.main(["robocensus", *sys.argv[1:]]))


def _duckdb() -> Path | None:
    """Returns the executable of the package duckdb-cli, if it is installed."""
    spec = find_spec("duckdb_cli")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for name in ("duckdb", "duckdb.exe"):
            executable = Path(folder, name)
            if executable.is_file():
                return executable
    return None


if __name__ == "__main__":
    main()
