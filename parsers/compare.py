"""Installs the parsers of parsers.tsv, compares them with one reference, and writes the page of all of them.

A parser that cannot be installed, does not start or announces another version is left out, with one line that says why.
The smallest file of each cause is asked about again, and what is answered otherwise then is named.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
HELLO = json.dumps({"protocol": "robocensus-parser/1"}) + "\n"
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"]
NPM = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]


class LeftOut(Exception):
    """Why a parser is not compared."""


def table():
    with open(HERE / "parsers.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def run(words, **options):
    """Returns what a program prints; its last line of errors is why it fails."""
    try:
        ran = subprocess.run(words, check=True, capture_output=True, text=True, timeout=600, **options)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or "").strip().splitlines()
        raise LeftOut(said[-1] if said else str(error)) from error
    return ran.stdout


def command(row, folder):
    """Installs a parser below `folder` and returns the command of its adapter."""
    how, *packages = row["install"].split()
    place = folder / f"{row['name']}-{row['version']}".replace(":", "")
    if how == "pip":
        install, variable = [*PIP, "--target", place, f"{packages[0]}=={row['version']}"], f"PYTHONPATH={place}"
    elif how == "npm":
        packages[0] += f"@{row['version']}"
        install, variable = [*NPM, "--prefix", place, *packages], f"NODE_PATH={place / 'node_modules'}"
    else:
        return row["command"]
    if not (place / "installed").exists():
        run(install)
        (place / "installed").touch()
    return f"env {variable} {row['command']}"


def started(row, adapter):
    """Starts an adapter, which must announce the version of the table, and returns the name of its folder."""
    try:
        hello = json.loads(run(adapter.split(), input=HELLO).split("\n")[0])
    except ValueError as error:
        raise LeftOut("its adapter announces no parser") from error
    if row["version"] not in ("any", hello["version"]):
        raise LeftOut(f"expected this version, but its adapter announces {hello['version']}")
    return re.sub("[^A-Za-z0-9._-]", "-", f"{hello['name']} {hello['version']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--program", required=True)
    parser.add_argument("--reference", default="google")
    parser.add_argument("--work", type=Path, required=True, help="where parsers and comparisons are kept")
    parser.add_argument("--page", required=True)
    # The rest are the archives and flags of `robocensus compare`.
    options, flags = parser.parse_known_args()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    candidates = {}
    for row in table():
        try:
            adapter = command(row, options.work)
            candidates[started(row, adapter)] = f"exec:{adapter}"
        except LeftOut as why:
            package = row["install"].removeprefix("Debian ")
            hint = f" (Debian has it as {package})" if package != row["install"] else ""
            print(f"{row['name']} {row['version']} is left out: {why}{hint}", flush=True)
    data = options.work / "compared"
    shutil.rmtree(data, ignore_errors=True)
    compare = [options.program, "compare", *flags, "--baseline", options.reference, "--out", data]
    for adapter in candidates.values():
        compare += ["--candidate", adapter]
    # Flips and faults are exit code 1, and the causes are on the page.
    ran = subprocess.run(compare, stdout=subprocess.DEVNULL)
    if ran.returncode not in (0, 1):
        sys.exit(ran.returncode)
    again = [options.program, "check", "--only-failures", "--cases"]
    for name, adapter in candidates.items():
        for side, dialect in [("baseline", options.reference), ("candidate", adapter)]:
            checked = subprocess.run([*again, data / name / "cases" / f"{side}.jsonl", "--dialect", dialect], capture_output=True, text=True)
            if checked.returncode:
                print(f"{name}, {side} when asked again:\n{checked.stdout}{checked.stderr}", end="", flush=True)
    sys.exit(subprocess.run([options.program, "report", "--out", options.page, "--data", data]).returncode)


if __name__ == "__main__":
    main()
