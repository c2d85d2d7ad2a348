"""The table of ratios from what the benchmarks measured, as Markdown.

It reads the work folder of `make bench`: criterion's estimates of several rounds, `whole.json` and, if `make
bench-large` ran, `large.json`. The table goes to standard output and replaces the text between two markers of
docs/performance.md, without rows that have no goal and most of `make bench-large`, and of RESULTS.md, which has all. The best round
of a side counts, except where a row says otherwise; a ratio that misses its goal is marked, and what was not measured
is a dash.
"""

import json
import os
import platform
import sys
from pathlib import Path

from measure import paired

BEGIN, END = "<!-- make bench -->\n", "<!-- end of make bench -->"
INPUTS = ["sample", "corpus"]
MB = 10**6


def main():
    work, page = Path(sys.argv[1]), Path(sys.argv[2])
    if not (work / "whole.json").exists():
        sys.exit(f"{work}: expected the results of make bench, but found none; run it first")
    table = Table(work)
    table.modules()
    table.whole()
    table.comparison()
    table.python()
    table.remote()
    table.spark()
    table.pages("archives of pages", table.whole_costs.get("sample", {}).get("pages"))
    table.load()
    lines_of_page = list(table.lines_with_goal)
    table.large()
    table.pages("more than 1 GB of pages", table.large_costs.get("pages"))
    for file, lines in [(page, lines_of_page), (Path(__file__).with_name("RESULTS.md"), table.lines)]:
        text = "\n".join([*lines, "", machine(), ""])
        replace_between(file, BEGIN, END, text)
    print(text)


def replace_between(page, begin, end, text):
    """Replaces what is between two markers of a page."""
    head, rest = page.read_text(encoding="utf-8").split(begin)
    _, tail = rest.split(end)
    page.write_text(head + begin + text + end + tail, encoding="utf-8")


def machine():
    """Returns one sentence on the machine."""
    names = {
        line.split(":", 1)[1].strip()
        for line in (Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else [])
        if line.startswith("model name")
    }
    name = ", ".join(sorted(names)) or platform.machine()
    return f"Measured on {platform.system()}, {os.cpu_count()} processors ({name})."


class Goal:
    """The goal of a ratio: a least or a greatest number, or none."""

    def __init__(self, least=None, most=None, unit=""):
        self.least, self.most, self.unit = least, most, unit

    def __str__(self):
        if self.least is not None:
            return f"≥ {self.least}{self.unit}"
        return f"≤ {self.most}{self.unit}" if self.most is not None else "–"

    def of_input(self, _name):
        return self

    def cell(self, value, detail=""):
        if value is None:
            return "–"
        is_missed = (self.least is not None and value < self.least) or (self.most is not None and value > self.most)
        digits = 0 if value >= 100 else 1 if value >= 20 else 2
        # A number that would be rounded to its goal gets more digits.
        while is_missed and digits < 6 and round(value, digits) in (self.least, self.most):
            digits += 1
        text = f"{value:.{digits}f}"
        return f"{text}{self.unit}{detail}" + (", **missed**" if is_missed else "")


class GoalOfInput:
    """A goal for each input."""

    def __init__(self, **goals):
        self.goals = goals

    def __str__(self):
        return " / ".join(map(str, self.goals.values()))

    def of_input(self, name):
        return self.goals[name]


def most(sample, corpus, unit=""):
    return GoalOfInput(sample=Goal(most=sample, unit=unit), corpus=Goal(most=corpus, unit=unit))


NONE = Goal()


class Table:
    def __init__(self, work):
        self.lines = ["| what | against | goal | sample | corpus |", "|---|---|---|---|---|"]
        self.lines_with_goal = list(self.lines)
        self.criterion = read_criterion(work / "criterion")
        self.whole_costs = read_json(work / "whole.json")
        self.large_costs = read_json(work / "large.json")
        self.python_costs = read_json(work / "python.json")
        self.remote_costs = read_json(work / "remote.json")
        self.spark_costs = read_json(work / "spark.json")

    def add(self, what, against, goal, cells):
        line = f"| {what} | {against} | {goal} | {' | '.join(cells)} |"
        self.lines.append(line)
        if goal is not NONE:
            self.lines_with_goal.append(line)

    def modules(self):
        records = "archive to records and HTTP heads, speed"
        self.faster("read", "robocensus", records, "libdeflate", "inflating alone, libdeflate", Goal(least=0.85))
        self.faster("read", "robocensus", records, "fastwarc", "crate fastwarc, the same", NONE)
        self.faster("read", "robocensus", records, "warc", "crate warc over flate2, no HTTP heads", NONE)
        lines, rules = "body to line model, speed", "body to groups and rules, speed"
        self.faster("parse", "robocensus", lines, "texting_robots", "`texting_robots`, one agent", Goal(least=6))
        self.faster("parse", "robocensus", lines, "robotxt", "`robotxt`, one agent", NONE)
        self.faster("parse", "robocensus", lines, "robotstxt", "`robotstxt`, events", NONE)
        self.faster("parse", "robocensus-compiled", rules, "texting_robots", "`texting_robots`, one agent", NONE)
        self.faster("parse", "robocensus-compiled", rules, "robotxt", "`robotxt`, one agent", NONE)
        cells = "10 agents × 10 URLs of each body, speed"
        self.faster("verdicts", "robocensus", cells, "texting_robots", "`texting_robots`", Goal(least=30))
        self.faster("verdicts", "robocensus", cells, "robotxt", "`robotxt`", NONE)
        self.faster("verdicts", "robocensus", cells, "robotstxt", "`robotstxt`", NONE)
        for theirs in ["texting_robots", "robotxt"]:
            cell = self.ratio_of_sides("verdicts", "hostile", "robocensus", theirs, NONE)
            self.add("one verdict on 100 patterns of 400 stars that fail, speed", f"`{theirs}`", NONE, [cell, "–"])
        written = [name for module, name, side in self.criterion if (module, side) == ("write", "robocensus")]
        for name in written:
            cell = self.ratio_of_sides("write", name, "robocensus", "ArrowWriter", NONE)
            self.add(f"encoding `{name}`, speed", "a plain `ArrowWriter`", NONE, [cell, "–"])

    def faster(self, module, ours, what, theirs, against, goal):
        cells = [self.ratio_of_sides(module, name, ours, theirs, goal) for name in INPUTS]
        self.add(what, against, goal, cells)

    def ratio_of_sides(self, module, name, ours, theirs, goal):
        our_time, amount = self.criterion.get((module, name, ours), (None, None))
        their_time, _ = self.criterion.get((module, name, theirs), (None, None))
        if our_time is None or their_time is None:
            return goal.cell(None)
        return goal.cell(their_time / our_time, f" at {rate(amount, our_time)}")

    def whole(self):
        run = "whole run, all tables, CPU time"
        limit = "inflating the same archives, libdeflate"
        self.costs(run, limit, most(3.2, 4.4), "run-1", "limit", "cpu")
        chosen = "run of `--tables captures,verdict_sets`, CPU time"
        self.costs(chosen, limit, most(2.0, 2.5), "chosen-1", "limit", "cpu")
        script = "Python with FastWARC and Protego, nothing written"
        goal = GoalOfInput(sample=Goal(least=9), corpus=Goal(least=10))
        self.costs("whole run, 12 agents × 5 URLs, speed by CPU time", script, goal, "script", "few-cells", "cpu")
        goal = most(150, 400)
        of_inputs = [(name, self.whole_costs.get(name, {})) for name in INPUTS]
        cells = [goal.of_input(name).cell(costs["bytes_of_all"] / costs["captures"] if "bytes_of_all" in costs else None) for name, costs in of_inputs]
        self.add("Parquet of a whole run, bytes", "one capture", goal, cells)
        again = self.whole_costs.get("sample", {}).get("again")
        goal = Goal(most=2.2)
        cell = goal.cell(again and again["run-1"]["cpu"] / again["limit"]["cpu"])
        self.add("run of a second crawl of the same hosts, CPU time", "inflating its archive, libdeflate", goal, [cell, "–"])
        self.costs("two threads, speed by wall time", "one thread", Goal(least=1.85), "run-1", "run-2", "wall")
        self.costs("two threads, CPU time", "one thread", Goal(most=1.05), "run-2", "run-1", "cpu")
        for threads, words in [(1, "one thread"), (2, "two threads")]:
            goal = Goal(most=128 + 96 * threads, unit=" MB")
            cells = [goal.cell(self.peak(name, [f"run-{threads}"])) for name in INPUTS]
            self.add(f"peak memory, {words}", "128 MB and 96 MB a thread", goal, cells)

    def costs(self, what, against, goal, over, under, kind):
        cells = []
        for name in INPUTS:
            sides = self.whole_costs.get(name, {})
            is_measured = over in sides and under in sides
            cells.append(goal.of_input(name).cell(sides[over][kind] / sides[under][kind] if is_measured else None))
        if cells != ["–", "–"]:
            self.add(what, against, goal, cells)

    def peak(self, name, sides):
        found = self.whole_costs.get(name, {})
        peaks = [found[side]["memory"] / MB for side in sides if side in found]
        return max(peaks, default=None)

    def comparison(self):
        found = [self.whole_costs.get(name, {}).get("comparison", {}) for name in INPUTS]
        goal, cells = Goal(most=1.5), []
        for seconds in (result.get("cells") for result in found):
            ratio = seconds and seconds["compare"] / seconds["run"]
            cells.append(goal.cell(ratio, seconds and f" at {rate(('cells', 1), seconds['compare'])}"))
        self.add("comparing two dialects, derived probes, CPU time a cell", "a run with both dialects and as many cells", goal, cells)
        goal = Goal(least=20_000, unit="/s")
        cells = [goal.cell(result.get("files_per_second")) for result in found]
        self.add("files sent to an external parser that answers at once", "5 queries a file, two processes", goal, cells)
        goal = Goal(least=0.9)
        cells = [goal.cell(result.get("busy")) for result in found]
        self.add("share of the time that an external parser is busy", "one that takes 2 ms a file", goal, cells)

    def python(self):
        if not self.python_costs:
            return
        found = [self.python_costs.get(name, {}) for name in INPUTS]
        least = {("protego", "1"): 10, ("protego", "100"): 30}
        for number in ["1", "10", "100"]:
            sides = [result.get("one", {}).get(number, {}) for result in found]
            for peer in ["protego", "urllib.robotparser", "robotspy", "gpyrobotstxt"]:
                goal = Goal(least=least[peer, number]) if (peer, number) in least else NONE
                cells = [goal.cell(side[peer] / side["robocensus"] if peer in side else None) for side in sides]
                what = f"Python: `Robots(body)` and {number} decision{'s' if number != '1' else ''}, speed"
                self.add(what, f"`{peer}`", goal, cells)
            # Protego's `can_fetch` returns what this one does; a decision has its reason too.
            for call in ["can_fetch", "can_fetch_each"]:
                goal = Goal(least=30) if number == "100" else NONE
                cells = [goal.cell(side and side["protego"] / side[f"robocensus, {call}"]) for side in sides]
                self.add(f"Python: `Robots(body)` and {number} by `{call}`, speed", "`protego`", goal, cells)
        goal = Goal(most=1.2)
        sides = [result.get("many") for result in found]
        cells = [goal.cell(side and side["python"] / side["rust"]) for side in sides]
        self.add("Python: `decide_many`, 12 agents × 5 URLs, one thread, time", "the same in Rust", goal, cells)
        goal = Goal(most=50, unit=" ms")
        times = self.python_costs["import"]
        cell = goal.cell((times["robocensus"] - times["python"]) * 1000)
        self.add("Python: `import robocensus`, time", "beside that of the interpreter", goal, [cell, "–"])

    def remote(self):
        if not self.remote_costs:
            return
        for side, what, most in [
            ("http", "run over HTTP from the loopback address, wall time", 1.05),
            ("faults", "the same with 1 % of downloads cut and 1 % of answers 503, wall time", 1.15),
        ]:
            goal = Goal(most=most)
            of_inputs = [self.remote_costs.get(name, {}) for name in INPUTS]
            cells = [goal.cell(paired(sides[side], sides["local"]) if side in sides else None) for sides in of_inputs]
            self.add(what, "the same files, median of rounds", goal, cells)
            more = [(sides[side]["memory"] - sides["local"]["memory"]) / MB if side in sides else None for sides in of_inputs]
            goal = Goal(most=round(self.remote_costs["prefetch"] / MB), unit=" MB")
            self.add(f"{what.removesuffix('wall time')}more peak memory", "the prefetch", goal, [goal.cell(cell) for cell in more])

    def spark(self):
        if not self.spark_costs:
            return
        goal = Goal(most=1.25)
        sides = [self.spark_costs.get(name) for name in INPUTS]
        cells = [goal.cell(side and side["spark"] / side["process"]) for side in sides]
        what = f"Spark, two executors of one core, wall time beside start-up ({self.spark_costs['start_up']:.0f} s)"
        self.add(what, "two threads of one process", goal, cells)

    def pages(self, what, sides):
        if not sides:
            return
        over = lambda over, under: sides[over]["cpu"] / sides[under]["cpu"] if {over, under} <= sides.keys() else None
        goal = Goal(most=2.5)
        limit = "inflating the same archives, libdeflate"
        self.add(f"`run --pages`, {what}, CPU time", limit, goal, [goal.cell(over("run-1", "limit")), "–"])
        goal = Goal(least=6)
        script = "Python with FastWARC and resiliparse, nothing written"
        self.add(f"`run --pages`, {what}, speed by CPU time", script, goal, [goal.cell(over("script", "few")), "–"])
        for threads, words in [(1, "one thread"), (2, "two threads")]:
            goal = Goal(most=128 + 96 * threads, unit=" MB")
            cell = goal.cell(sides[f"run-{threads}"]["memory"] / MB)
            self.add(f"`run --pages`, {what}, {words}, peak memory", "128 MB and 96 MB a thread", goal, [cell, "–"])

    def load(self):
        if not self.large_costs:
            return
        goal = Goal(most=1.1)
        of_seeds = self.large_costs["load"].values()
        for threads, words in [(1, "one thread"), (2, "two threads")]:
            side = f"run-{threads}"
            worst = max(many[side]["memory"] / few[side]["memory"] for few, many in of_seeds)
            what = f"one archive of 1,000,000 captures, {words}, peak memory, worst of {len(of_seeds)} seeds"
            self.add(what, "one of 100,000", goal, [goal.cell(worst), "–"])

    def large(self):
        if not self.large_costs:
            return
        one, small, large = (self.large_costs[name] for name in ["one", "small", "large"])
        goal = Goal(least=1.8)
        saved = one["run-1"]["wall"] / one["run-2"]["wall"]
        self.add("one archive of 1 GB, two threads, speed by wall time", "one thread", goal, [goal.cell(saved), "–"])
        goal = Goal(most=128 + 96 * 2, unit=" MB")
        self.add("one archive of 1 GB, two threads, peak memory", "128 MB and 96 MB a thread", goal, [goal.cell(one["run-2"]["memory"] / MB), "–"])
        goal = Goal(most=1.1)
        times = [side["run-1"]["wall"] / side["captures"] for side in [large, small]]
        self.add("wall time for a capture among 3,000,000", "among 30,000", goal, [goal.cell(times[0] / times[1]), "–"])


def rate(amount, seconds):
    """Returns an amount per second with its unit."""
    kind, number = amount
    number /= seconds
    if kind == "Bytes":
        return f"{number / MB:,.0f} MB/s"
    return f"{number / 1000:,.0f} k/s" if number >= 10_000 else f"{number:,.0f}/s"


def read_json(path):
    return json.loads(path.read_text()) if path.exists() else {}


def read_criterion(folder):
    """Returns by module, input and side the smallest median of the rounds in seconds, and the amount that took it."""
    found = {}
    for path in sorted(folder.glob("**/round-*/benchmark.json")):
        about = json.loads(path.read_text())
        estimates = json.loads(path.with_name("estimates.json").read_text())
        [(kind, number)] = about["throughput"].items()
        key = (about["group_id"], about["function_id"], about["value_str"])
        seconds = estimates["median"]["point_estimate"] / 1e9
        before, _ = found.get(key, (seconds, None))
        found[key] = (min(seconds, before), (kind, number))
    return found


if __name__ == "__main__":
    main()
