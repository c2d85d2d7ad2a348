"""The costs of whole processes.

A process is measured by what the system reports when it has ended (wait4): CPU time of all its threads in user and
system mode, wall time and peak memory. Sides that are compared alternate, round after round, so that other load on the
machine affects all alike. The smallest time and the largest memory of the rounds count, or the median of the ratios of
all rounds (`paired`) where a goal is closer than the speed of the machine varies.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

# Linux counts in KiB, macOS in bytes.
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024


def measure(words, environment=None, codes=(0,)):
    """Runs a process to its end; returns its cost and its standard output. Another exit code ends this process."""
    with tempfile.TemporaryFile() as out:
        began = time.monotonic()
        process = subprocess.Popen([str(word) for word in words], stdout=out, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            sys.exit(f"{words[0]} ended with {process.returncode}: {' '.join(map(str, words))}")
        out.seek(0)
        cost = {
            "cpu": usage.ru_utime + usage.ru_stime,
            "wall": wall,
            "memory": usage.ru_maxrss * MEMORY_UNIT,
        }
        return cost, out.read()


def alternate(sides, rounds):
    """Runs each side once a round; returns for each the best cost and the result, which every round must repeat.

    A side is a function that runs something and returns its cost and its result.
    """
    costs = {name: [] for name in sides}
    results = {}
    for _ in range(rounds):
        for name, side in sides.items():
            cost, result = side()
            costs[name].append(cost)
            if results.setdefault(name, result) != result:
                sys.exit(f"{name}: one round returned {results[name]}, another {result}")
    return {name: (best(of_side), results[name]) for name, of_side in costs.items()}


def paired(cost, other):
    """Returns the median of the ratios of wall time to that of another side in the same round."""
    return statistics.median(wall / of_other for wall, of_other in zip(cost["walls"], other["walls"], strict=True))


def best(costs):
    """Returns the smallest times and the largest memory of several rounds, and all wall times."""
    return {
        "cpu": min(cost["cpu"] for cost in costs),
        "wall": min(cost["wall"] for cost in costs),
        "memory": max(cost["memory"] for cost in costs),
        "walls": [cost["wall"] for cost in costs],
    }
