//! The examples below the help of each command. The tests run every command of them.

/// Examples of `run`.
pub const RUN: &str = "\
Examples:
  Parse all archives of a folder:
    robocensus run crawl --out census

  Read 100 archives of a crawl, from a copy of it; without --crawl-base they are
  downloaded from Common Crawl:
    robocensus run --crawl CC-MAIN-2025-05 --crawl-base mirror --limit 100 \\
      --out sampled

  Continue after Ctrl-C, a crash or a full disk:
    robocensus run crawl --out census --resume

  Evaluate crawlers and URLs of your own under three dialects:
    robocensus run crawl --out mine --agents agents.tsv --urls urls.txt \\
      --dialects google,rfc9309,my.toml

  Write only what a question needs, and see before what that is:
    robocensus run crawl --tables captures,verdict_sets --print-plan
    robocensus run crawl --tables captures,verdict_sets --out verdicts

  Read the pages of a crawl too, with its robots.txt files:
    robocensus run crawl --pages --out page-census

  Read a list of paths, as Common Crawl publishes it:
    robocensus run @robotstxt.paths.gz --out listed --threads 2

  Make the first of two shares of a dataset, and see what is in the other:
    robocensus run crawl --out shared --shard 1/2
    robocensus run crawl --list-inputs --shard 2/2

  Read from a pipe, and write the figures to one:
    cat crawl/plain.warc | robocensus run - --stdin-name plain.warc \\
      --out piped --quiet --summary-json - > summary.json

Exit codes: 0 complete; 1 finished, but archives were damaged or skipped (they
are listed at the end); 2 stopped, or wrong usage.";

/// Examples of `finish`.
pub const FINISH: &str = "\
Examples:
  Once all workers of a cluster have finished:
    robocensus finish census";

/// Examples of `verify`.
pub const VERIFY: &str = "\
Examples:
  After copying a dataset:
    robocensus verify census

  The same for a program:
    robocensus verify census --json

Exit codes: 0 the dataset is sound; 1 it is not, with one line for each finding;
2 stopped, or wrong usage.";

/// Examples of `check`.
pub const CHECK: &str = "\
Examples:
  May GPTBot fetch this path?
    robocensus check robots.txt --agent GPTBot --url /private/a.html

  Which dialects disagree?
    robocensus check robots.txt --agent GPTBot --url /a --dialect all

  Which crawlers of AI may fetch which of these, by the file of a live site?
    robocensus check https://example.com --agents ai --url / --url /news

  A file from standard input, fetched with status 503:
    cat robots.txt | robocensus check - --agent Googlebot-News,Googlebot \\
      --url https://example.com/ --status 503 --json

  The file of a host in a dataset, read again from its archive:
    robocensus check --data census --archives crawl --host beta.example \\
      --agent GPTBot --url /private/a.html

  The file alone:
    robocensus check --data census --archives crawl --host beta.example --body

  In a script:
    robocensus check robots.txt --agent GPTBot --url / --exit-code

  Many cases at once, of which failures are printed:
    robocensus check --cases cases.jsonl --only-failures

  What does a page state about itself, for Googlebot?
    robocensus check --page page.html --headers headers.txt --agent Googlebot

Exit codes: 0 answered; 1 with --cases an expectation does not hold, and with
--exit-code a verdict is not allow; 2 stopped, wrong usage, or an invalid case.";

/// Examples of `reduce`.
pub const REDUCE: &str = "\
Examples:
  Why do these two differ?
    robocensus reduce flip.txt --agent GPTBot --url /a.pdf \\
      --baseline google --candidate original-1994

  The same with a parser of your own, which becomes a test of it:
    robocensus reduce flip.txt --agent GPTBot --url /a.pdf --out small.txt \\
      --baseline google --candidate 'exec:python3 parser.py'

Exit codes: 0 reduced, though perhaps not to the smallest; 2 the parsers do not
differ, a parser fails, or wrong usage.";

/// Examples of `compare`.
pub const COMPARE: &str = "\
Examples:
  What would flip if Google's rules became those of RFC 9309, and why?
    robocensus compare --baseline google --candidate rfc9309 crawl --out flips

  Two dialects, and a list of the causes for review:
    robocensus compare --baseline google --candidate my.toml crawl \\
      --out mine-flips --write-expect accepted.toml --markdown causes.md

  In continuous integration, with the list that was reviewed:
    robocensus compare --baseline google --candidate my.toml crawl \\
      --out ci-flips --expect accepted.toml --quiet

  Only the files that flipped before, to try a fix:
    robocensus compare --baseline google --candidate my.toml crawl \\
      --out again --only mine-flips

An external parser is --candidate 'exec:./my-parser --batch'.

Exit codes: 0 nothing flips, or accepted causes only; 1 a cause that is not
accepted, a limit exceeded, a fault of a parser or a damaged archive; 2 stopped,
or wrong usage.";

/// Examples of `dialects`.
pub const DIALECTS: &str = "\
Examples:
  Compare all dialects:
    robocensus dialects

  Make one of your own:
    robocensus dialects rfc9309 > own.toml";

/// Examples of `errors`.
pub const ERRORS: &str = "\
Examples:
  All codes:
    robocensus errors

  One code:
    robocensus errors misspelt_field

  The same for a program:
    robocensus errors --json";

/// Examples of `tables`.
pub const TABLES: &str = "\
Examples:
  All tables, with type, meaning and unit of each column:
    robocensus tables

  One table:
    robocensus tables captures

  The view of hosts, with its key:
    robocensus tables hosts";

/// Examples of `query`.
pub const QUERY: &str = "\
Examples:
  How many hosts block GPTBot?
    robocensus query count-hosts-blocking-gptbot --data census

  The same for another agent, as CSV:
    robocensus query count-hosts-blocking-gptbot --data census \\
      --set agent=CCBot --format csv

  Draw a figure for a paper, and keep its rows:
    robocensus query rank-agents-by-domains --data census --chart agents.svg
    robocensus query rank-agents-by-domains --data census \\
      --format parquet > agents.parquet

  What changed since an earlier dataset?
    robocensus query list-hosts-that-changed --data census --before census-2025

  SQL of your own, over the views:
    robocensus query \"SELECT origin, access FROM hosts LIMIT 3\" --data census

  Read the SQL of a query, and of the views:
    robocensus query --print count-hosts-blocking-gptbot
    robocensus query --print views";

/// Examples of `report`.
pub const REPORT: &str = "\
Examples:
  Write a report, and open report.html in a browser:
    robocensus report --data census --out report.html --title 'My census'";

/// Examples of `sample`.
pub const SAMPLE: &str = "\
Examples:
  An archive to try the program on:
    robocensus sample --captures 500 --seed 7 --out sample.warc.gz

  One of pages that state something about themselves:
    robocensus sample --captures 0 --pages 500 --out pages.warc.gz

  The truth about it is in sample.truth.json.";

/// Examples of `completions`.
pub const COMPLETIONS: &str = "\
Examples:
  For bash, zsh and fish, of one user:
    robocensus completions bash > completions.bash
    robocensus completions zsh > _robocensus
    robocensus completions fish > robocensus.fish

bash reads ~/.local/share/bash-completion/completions/robocensus, zsh the file
_robocensus of a folder of $fpath, fish ~/.config/fish/completions.";

/// Examples of `man`.
pub const MAN: &str = "\
Examples:
  The pages of the program and of its commands:
    robocensus man man1";
