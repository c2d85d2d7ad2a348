"""The executable of DuckDB that PyPI's package ``duckdb-cli`` installs."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from importlib.util import find_spec
from pathlib import Path

#: The environment variable that names the executable of DuckDB to the program.
VARIABLE = "ROBOCENSUS_DUCKDB"


def name_in(environment: MutableMapping[str, str]) -> None:
    """Names the executable in an environment, unless one is named or the package is missing."""
    if environment.get(VARIABLE):
        return
    spec = find_spec("duckdb_cli")
    for folder in (spec and spec.submodule_search_locations) or []:
        path = Path(folder) / ("duckdb.exe" if os.name == "nt" else "duckdb")
        if path.is_file():
            environment[VARIABLE] = str(path)
