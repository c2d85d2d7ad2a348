"""Archives to datasets and comparisons, by the program; and archives to try it with.

Example:
    >>> census = run("crawl", "census")  # doctest: +SKIP
    >>> census.query("count-hosts-blocking-gptbot", agent="CCBot").pandas()  # doctest: +SKIP
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import IO

from .datasets import Comparison, Dataset
from .options import (
    Dialect,
    Dialects,
    Inputs,
    ListOption,
    PathOption,
    Words,
    input_words,
    refuse_url,
)
from .program import ProgressOption, execute

__all__ = ["compare", "run", "sample"]


def run(
    inputs: Inputs | None,
    out: PathOption,
    *,
    stdin: IO[bytes] | None = None,
    stdin_name: str | None = None,
    crawl: str | Iterable[str] | None = None,
    subset: str | None = None,
    crawl_base: PathOption | None = None,
    limit: int | None = None,
    sample: str | None = None,
    seed: int | None = None,
    cohort: PathOption | None = None,
    records: PathOption | None = None,
    overwrite: bool = False,
    resume: bool = False,
    join: bool = False,
    shard: str | None = None,
    agents: ListOption = None,
    urls: ListOption = None,
    dialects: Dialects = "google",
    tables: str | Iterable[str] | None = None,
    pages: bool = False,
    no_finish: bool = False,
    redirect_window: str | timedelta | None = None,
    allow_private: bool = False,
    threads: int | None = None,
    downloads: int | None = None,
    prefetch: int | str | None = None,
    part_size: int | str | None = None,
    max_body: int | str | None = None,
    max_header: int | str | None = None,
    max_member: int | str | None = None,
    summary_json: PathOption | None = None,
    verbose: bool = False,
    progress: ProgressOption = None,
) -> Dataset:
    """Parses archives, evaluates every agent against every URL and writes a dataset.

    Each keyword is the option of ``robocensus run`` of the same name.

    Args:
        inputs: Files, folders, patterns, URLs, ``@list`` of paths and URLs; ``-`` reads ``stdin``.
            None with ``crawl`` or ``records``.
        out: The folder of the dataset; created if it does not exist.
        stdin: A binary file with a descriptor, for the input ``-``.
        stdin_name: Its name in the tables (default: stdin).
        crawl: Crawls of Common Crawl such as ``"CC-MAIN-2025-05"``: a name, or a list of names.
        subset: Which archives of the crawls: ``robotstxt``, ``warc`` or ``crawldiagnostics``.
        crawl_base: The URL or folder of the crawls; Common Crawl's by default.
        limit: Reads so many archives at most, chosen by a hash of their names.
        sample: Reads this share of the archives, such as ``"1%"``, chosen alike.
        seed: Another one chooses other archives.
        cohort: A file of the hosts and registered domains to follow: a name on each line, or CSV
            or Parquet with columns of your own. Captures of others are skipped.
        records: A CSV or Parquet file with the columns ``warc_filename``, ``warc_record_offset``
            and ``warc_record_length``, whose records are read in place of whole archives.
        overwrite: Replaces the dataset in the folder.
        resume: Continues a run that was interrupted.
        join: Adds to a dataset, together with other workers.
        shard: Makes one of n shares of the dataset, such as ``"2/5"``. Once all have finished,
            ``robocensus finish`` makes the tables that are made of all parts.
        agents: A file, or a list of tokens, chains ``"A,B"`` or tuples of a chain and a category;
            24 built in by default.
        urls: A file, or a list of paths and absolute URLs; 6 paths by default.
        dialects: Names, TOML files, TOML text, dicts of answers or ``Dialect`` objects; the first
            is the reference.
        tables: The tables to write, such as ``["captures", "verdict_sets"]``; all by default. What
            no other table needs is not computed, and queries need the tables that they read.
        pages: Reads HTML pages too.
        no_finish: Leaves out the tables redirects and page_robots.
        redirect_window: Longest time between a redirect and its target where archives name no
            crawl: ``"36h"``, or a timedelta; 14 days by default.
        allow_private: Follows a redirect of a server to an address inside the network.
        threads: Worker threads; one for each processor by default.
        downloads: Archives downloaded at a time.
        prefetch: Downloaded bytes that wait in memory at most: a number, or ``"256M"``.
        part_size: Bytes of archives in a part: a number, or ``"256M"``.
        max_body: Longest body that is parsed, in bytes.
        max_header: Longest header of a record, in bytes.
        max_member: Largest size of an inflated gzip member or zstd frame, in bytes.
        summary_json: A file for the figures of ``Dataset.summary``.
        verbose: Prints inputs, plan and published parts on ``sys.stderr``.
        progress: None for a bar on a terminal or in a notebook (with tqdm), True for a bar, False
            for none, or a function that gets the figures as a dict.

    Returns:
        The dataset. Archives that are damaged or were skipped are no exception: they are a warning,
        ``Dataset.exit_code`` is 1, and ``Dataset.damage`` names them.

    Raises:
        Error: The run was refused or stopped; complete parts remain, and ``resume=True`` continues.
        KeyboardInterrupt: Ctrl-C; complete parts remain as well.
        TypeError, ValueError: An option is of the wrong type, or cannot be written to a file.

    Example:
        >>> run("crawl", "census", agents=["GPTBot", ("CCBot", "archiver")])  # doctest: +SKIP
    """
    refuse_url(out)
    with Words("run", "--progress=json") as words:
        words.option("out", out)
        words.option("stdin-name", stdin_name)
        words.names("crawl", crawl)
        words.option("subset", subset)
        words.option("crawl-base", crawl_base)
        words.option("limit", limit)
        words.option("sample", sample)
        words.option("seed", seed)
        words.option("cohort", cohort)
        words.option("records", records)
        words.flag("overwrite", overwrite)
        words.flag("resume", resume)
        words.flag("join", join)
        words.option("shard", shard)
        words.list("agents", agents)
        words.list("urls", urls)
        words.dialects("dialects", dialects)
        words.names("tables", tables)
        words.flag("pages", pages)
        words.flag("no-finish", no_finish)
        words.option("redirect-window", redirect_window)
        words.flag("allow-private", allow_private)
        words.option("threads", threads)
        words.option("downloads", downloads)
        words.option("prefetch", prefetch)
        words.option("part-size", part_size)
        words.option("max-body", max_body)
        words.option("max-header", max_header)
        words.option("max-member", max_member)
        words.flag("verbose", verbose)
        summary = words.path("summary.json") if summary_json is None else Path(summary_json)
        words.option("summary-json", summary)
        words.words += ["--", *input_words(() if inputs is None else inputs)]
        ended = execute(words.words, stdin=stdin, progress=progress, verbose=verbose)
        return Dataset(out, ended, json.loads(summary.read_text("utf-8")))


def compare(
    inputs: Inputs | None,
    out: PathOption,
    *,
    baseline: Dialect,
    candidate: Dialect,
    reference: Dialect | None = None,
    data: PathOption | Dataset | None = None,
    workers: int | None = None,
    in_flight: int | None = None,
    timeout: str | timedelta | None = None,
    overwrite: bool = False,
    fit: PathOption | None = None,
    markdown: PathOption | None = None,
    junit: PathOption | None = None,
    sarif: PathOption | None = None,
    probes: str = "derived",
    max_probes: int | None = None,
    agents: ListOption = None,
    urls: ListOption = None,
    ranks: PathOption | None = None,
    sample: str | None = None,
    budget: str | timedelta | None = None,
    seed: int | None = None,
    repeat: int | None = None,
    only: PathOption | Comparison | None = None,
    expect: PathOption | None = None,
    write_expect: PathOption | None = None,
    reduce_steps: int | None = None,
    threads: int | None = None,
    max_body: int | str | None = None,
    stdin: IO[bytes] | None = None,
    progress: ProgressOption = None,
) -> Comparison:
    """Compares two parsers over archives: what flips, in which direction, and why.

    Each keyword is the option of ``robocensus compare`` of the same name.

    Args:
        inputs: As for ``run``; None with ``data``.
        out: The folder of the result; created if it does not exist.
        baseline: The parser that is accepted: a dialect as for ``run``, or ``"exec:COMMAND"``.
        candidate: The parser that is to replace it.
        reference: A parser that is asked about what flips.
        data: A dataset with the table bodies, in place of archives.
        workers: Processes of each external parser.
        in_flight: Files that a process is asked about at a time.
        timeout: Longest time for one file: ``"2s"``, or a timedelta of whole seconds.
        overwrite: Replaces the result in the folder.
        fit: A TOML file for the dialect that behaves as the candidate does.
        markdown: A file for the causes, as a comment on a pull request.
        junit: A file for the causes as tests in JUnit XML.
        sarif: A file for the causes as results in SARIF.
        probes: ``derived`` or ``matrix``.
        max_probes: Derived queries about a file, at most.
        agents: As for ``run``, with a weight in a third column.
        urls: As for ``run``, with a weight in a second column.
        ranks: A file of ranks of hosts.
        sample: The share of files to ask about, such as ``"1%"``.
        budget: Longest time, as for ``timeout``: as many files as it allows are asked about.
        seed: Another one chooses other files.
        repeat: How often external parsers are asked about what flips.
        only: An earlier comparison, whose flipping files alone are asked about.
        expect: A list of accepted causes.
        write_expect: A file for the list of the causes found.
        reduce_steps: Examples tried to make the one of a cause small, at most.
        threads: Threads that evaluate dialects.
        max_body: Longest robots.txt that is parsed, in bytes.
        stdin: A binary file with a descriptor, for the input ``-``.
        progress: As for ``run``.

    Returns:
        The comparison; ``exit_code`` is 1 where a cause is not accepted, a limit is exceeded, a
        parser had a fault or an archive is damaged.

    Raises:
        Error: The comparison was refused or stopped.
        KeyboardInterrupt: Ctrl-C; the result is not complete, and a new run starts over.
    """
    with Words("compare", "--progress=json") as words:
        words.option("out", out)
        words.option("baseline", words.dialect("baseline", baseline))
        words.option("candidate", words.dialect("candidate", candidate))
        if reference is not None:
            words.option("reference", words.dialect("reference", reference))
        words.option("data", data.folder if isinstance(data, Dataset) else data)
        words.option("workers", workers)
        words.option("in-flight", in_flight)
        words.option("timeout", timeout)
        words.flag("overwrite", overwrite)
        words.option("fit", fit)
        words.option("markdown", markdown)
        words.option("junit", junit)
        words.option("sarif", sarif)
        words.option("probes", probes)
        words.option("max-probes", max_probes)
        words.list("agents", agents)
        words.list("urls", urls)
        words.option("ranks", ranks)
        words.option("sample", sample)
        words.option("budget", budget)
        words.option("seed", seed)
        words.option("repeat", repeat)
        words.option("only", only.folder if isinstance(only, Comparison) else only)
        words.option("expect", expect)
        words.option("write-expect", write_expect)
        words.option("reduce-steps", reduce_steps)
        words.option("threads", threads)
        words.option("max-body", max_body)
        words.words += ["--", *input_words(() if inputs is None else inputs)]
        ended = execute(words.words, stdin=stdin, progress=progress)
        return Comparison(out, ended)


def sample(
    out: PathOption,
    *,
    captures: int | None = None,
    pages: int | None = None,
    seed: int | None = None,
    overwrite: bool = False,
) -> Path:
    """Generates an archive of made-up hosts whose contents are known, and returns its path.

    Each keyword is the option of ``robocensus sample`` of the same name.

    Args:
        out: The archive, such as ``sample.warc.gz``; the truth is in ``sample.truth.json``.
        captures: Responses to write, including hops of redirects.
        pages: Pages of HTML to write behind them.
        seed: Equal captures, pages and seed give equal bytes.
        overwrite: Replaces an existing archive.

    Raises:
        Error: The archive cannot be written.
    """
    with Words("sample") as words:
        words.option("out", out)
        words.option("captures", captures)
        words.option("pages", pages)
        words.option("seed", seed)
        words.flag("overwrite", overwrite)
        execute(words.words)
    return Path(out)
