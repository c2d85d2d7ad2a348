"""A cluster of two executors with one core against two threads of one process, alternating.

It runs in an environment with the package and PySpark, and writes `spark.json` to the work folder: the best of several
rounds for each side, in seconds. Both sides make the tables of redirects and verify the dataset. Start-up, of which the
ratio is free, is the time until a new session has run a job that does nothing.
"""

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path

import robocensus
import robocensus.spark
from pyspark.sql import SparkSession

from whole import copied_corpus, require

ROUNDS = 3
# Parts, or one more, and as many tasks: four for each executor, of which each takes some tenths of a second for itself.
PARTS = 8
CONF = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    if shutil.which("java") is None:
        print("Excluded: Spark: Java is not installed")
        return
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    spark, start_up = session()
    results = {"start_up": start_up}
    with copied_corpus(options.work) as corpus:
        inputs = {"sample": sorted((options.work / "remote").glob("*.warc.gz")), "corpus": corpus}
        for name, archives in inputs.items():
            if not archives:
                print(f"Excluded: {name}: no archive found")
                continue
            results[name] = compare(spark, options.work / "spark", archives)
            (options.work / "spark.json").write_text(json.dumps(results, indent=1) + "\n")
    spark.stop()


def session():
    """Returns a session whose executors have run a job, and the seconds that took."""
    start = time.perf_counter()
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in CONF.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.parallelize(range(2), 2).foreach(print)
    return spark, time.perf_counter() - start


def compare(spark, work, archives):
    """Returns the seconds of both sides, whose datasets must be equal."""
    part_size = sum(archive.stat().st_size for archive in archives) // PARTS
    best = {"spark": float("inf"), "process": float("inf")}
    for _ in range(ROUNDS):
        datasets = {}
        for side in best:
            out = work / side
            shutil.rmtree(out, ignore_errors=True)
            start = time.perf_counter()
            if side == "spark":
                robocensus.spark.run(spark, archives, out=out, archives_per_task=1, part_size=part_size)
            else:
                robocensus.run(archives, out, threads=2, part_size=part_size, progress=False).verify()
            best[side] = min(best[side], time.perf_counter() - start)
            datasets[side] = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        require(datasets["spark"] == datasets["process"], "expected equal datasets")
    shutil.rmtree(work)
    return best


if __name__ == "__main__":
    main()
