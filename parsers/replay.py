"""Compares each change of a parser with the commit before it, and prints a line for each: what flips, and why.

The history is a git directory, of which nothing is checked out: the files of a commit are written below `--work`.
"""

import argparse
import json
import subprocess
import sys
import tarfile
from pathlib import Path


def git(directory, *words, **options):
    return subprocess.run(["git", "--git-dir", directory, *words], check=True, stdout=subprocess.PIPE, **options).stdout


def changes(options):
    """Yields the hash, the parent, the date and the subject of each commit that touches the parser, oldest first."""
    history = f"{options.since}..HEAD" if options.since else "HEAD"
    words = ["log", "--no-merges", "--reverse", "--format=%h%x09%p%x09%as%x09%s", history, "--", *options.path]
    for line in git(options.git, *words, text=True).splitlines():
        commit, parent, date, subject = line.split("\t", 3)
        if parent and (not options.commit or commit in options.commit):
            yield commit, parent, date, subject


def adapter(options, commit):
    """Writes the files of a commit, once, and returns the command of the adapter that imports them."""
    tree = options.work.resolve() / "trees" / commit / options.name
    if not tree.exists():
        archive = options.work / "tree.tar"
        git(options.git, "archive", "--output", archive.resolve(), commit)
        with tarfile.open(archive) as files:
            files.extractall(tree, filter="data")
        # The adapters in Python announce the version of an installed package.
        metadata = tree / f"{options.name}.dist-info" / "METADATA"
        metadata.parent.mkdir()
        metadata.write_text(f"Metadata-Version: 2.1\nName: {options.name}\nVersion: {commit}\n")
    return "exec:" + options.adapter.replace("{tree}", str(tree))


def compare(options, commit, parent):
    """Returns what `_comparison.json` has, of the first archive on which an answer flips, and the archive."""
    sides = ["--baseline", adapter(options, parent), "--candidate", adapter(options, commit)]
    for archive in options.archives:
        out = options.work / "compared" / commit
        words = [options.program, "compare", archive, *sides, "--out", out, "--overwrite", "--timeout", "20s"]
        ran = subprocess.run(words, check=False, capture_output=True, text=True)
        if ran.returncode not in (0, 1):
            return None, ran.stderr.strip()
        (out / "summary.txt").write_text(ran.stdout)
        found = json.loads((out / "_comparison.json").read_text())
        if found["totals"]["flips"] or found["totals"]["parser_faults"]:
            break
    return found, archive


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--program", default="robocensus")
    parser.add_argument("--git", required=True, help="the git directory of the parser")
    parser.add_argument("--path", action="append", required=True, help="a file or folder of the parser in it")
    parser.add_argument("--since", help="the commit after which changes are compared; all by default")
    parser.add_argument("--commit", action="append", help="only this change, a short hash")
    parser.add_argument("--name", required=True, help="the name of the package")
    parser.add_argument("--adapter", required=True, help="its command, with {tree} for the files of a commit")
    parser.add_argument("--work", type=Path, required=True, help="where files and comparisons are kept")
    parser.add_argument("archives", nargs="+", help="tried in this order, until an answer flips")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for commit, parent, date, subject in changes(options):
        found, archive = compare(options, commit, parent)
        row = [commit, date, subject]
        if found is None:
            row += ["fails", archive.splitlines()[-1]]
        else:
            totals = found["totals"]
            row += [archive, f"{totals['flips']} cells", f"{totals['flipping_hosts']} hosts"]
            row += [f"{totals['parser_faults']} faults", f"{totals['unexplained']} unexplained"]
            row += [f"{cause['changes']} ({cause['hosts']})" for cause in found["causes"][:3]]
        print("\t".join(row), flush=True)


if __name__ == "__main__":
    sys.exit(main())
