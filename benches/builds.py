"""What several builds of the program take for the same run, as Markdown: builds.py --work FOLDER [NAME=]PROGRAM..

Each runs over generated archives and, where they exist, the real ones, with one thread; the builds alternate, and the least
CPU time of the rounds counts. The first build is the one that the others are compared with.
"""

import argparse
from pathlib import Path

from measure import alternate, measure
from whole import CORPUS

ROUNDS = 10
# Not the seeds of the profile that `make build-dist` takes.
SEEDS = range(2026, 2034)
CAPTURES = 3_000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("programs", nargs="+", metavar="[NAME=]PROGRAM")
    options = parser.parse_args()
    programs = [text.rpartition("=") for text in options.programs]
    sample = [options.work / f"builds-{seed}.warc.gz" for seed in SEEDS]
    for seed, archive in zip(SEEDS, sample, strict=True):
        measure([programs[0][2], "sample", "--captures", CAPTURES, "--seed", seed, "--out", archive, "--overwrite"])
    inputs = [sample, sorted(CORPUS.glob("*.warc.gz"))]
    measured = [of_input(options.work, programs, archives) for archives in inputs if archives]
    print("| build | sample | corpus |")
    print("|---|---|---|")
    for index, (name, _, program) in enumerate(programs):
        cells = [f"{costs[index] / costs[0]:.3f} of {costs[0]:.2f} s" for costs in measured]
        print(f"| {name or program} | {' | '.join(cells)} |")


def of_input(work, programs, archives):
    """Returns the CPU time of each program."""
    words = ["run", *archives, "--out", work / "builds", "--overwrite", "--threads", 1, "--quiet"]
    sides = {
        index: lambda program=program: (measure([program, *words])[0], None)
        for index, (*_, program) in enumerate(programs)
    }
    costs = alternate(sides, ROUNDS)
    return [costs[index][0]["cpu"] for index in sides]


if __name__ == "__main__":
    main()
