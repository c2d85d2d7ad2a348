//! The shape of the source itself: who may import whom, what stands where, and that files say what
//! they are.

mod budgets;
mod cycles;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use self::cycles::paths;
use crate::util::{below, files_below, files_with_end, package, pages, quoted};

/// Which module may use which, besides itself, `digest`, `in_order`, `named` and `share`; what is
/// not listed is forbidden.
const MAY_USE: [(&str, &[&str]); 9] = [
    ("url", &[]),
    ("sniff", &[]),
    ("archive", &["sniff", "url"]),
    ("robots", &["sniff", "url"]),
    ("page", &[]),
    ("dataset", &["archive", "page", "robots", "url"]),
    ("compare", &["archive", "dataset", "robots"]),
    ("report", &["archive", "compare", "dataset", "robots"]),
    ("sample", &[]),
];

/// What only certain folders may know.
const ONLY_IN: [(&str, &[&str]); 16] = [
    ("parquet::", &["dataset/sink"]),
    ("rayon::", &["compare", "dataset"]),
    ("clap::", &["cli"]),
    ("anyhow::", &["cli"]),
    ("indicatif::", &["cli"]),
    ("tempfile::", &["cli"]),
    ("maud::", &["report"]),
    ("html5gum::", &["page"]),
    ("encoding_rs::", &["page"]),
    ("futures_util::", &["archive/remote"]),
    ("object_store::", &["archive/remote"]),
    ("reqwest::", &["archive/remote"]),
    ("tokio::", &["archive/remote"]),
    (
        "std::fs",
        &[
            "archive/input",
            "cli",
            "compare/external/usage.rs",
            "dataset/sink",
        ],
    ),
    // The profiles of the AWS CLI, and what Linux says about processes.
    (
        "fs::",
        &[
            "archive/input",
            "archive/remote",
            "cli",
            "compare/external/usage.rs",
            "dataset/sink",
        ],
    ),
    ("File::", &["archive/input", "cli", "dataset/sink"]),
];

/// Files that may hold code that the compiler cannot check.
const UNSAFE_FILES: [&str; 2] = ["cli/allocator.rs", "archive/warc/inflate.rs"];
const MOST_LINES: usize = 600;

struct Source {
    /// The path below `src/`.
    name: String,
    /// The module: the folder or file below `src/`.
    module: String,
    text: String,
    /// The text without comments and unit tests.
    code: String,
}

fn sources() -> Vec<Source> {
    let root = package().join("src");
    let files = files_with_end(&root, "rs");
    let test_files = test_files(&files);
    let sources: Vec<_> = files
        .iter()
        .map(|path| {
            let name = below(&root, path);
            let text = fs::read_to_string(path).unwrap();
            let code = if test_files.contains(path) {
                String::new()
            } else {
                without_tests_and_comments(&text)
            };
            let module = name.split(['/', '.']).next().unwrap().to_owned();
            Source {
                name,
                module,
                text,
                code,
            }
        })
        .collect();
    assert!(sources.len() > 50);
    sources
}

/// Returns the files of modules that a `mod` line below `#[cfg(test)]` names.
fn test_files(files: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in files.iter().filter(|path| path.ends_with("mod.rs")) {
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<_> = text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            let name = pair[1].strip_prefix("mod ");
            if let Some(name) = name.and_then(|rest| rest.strip_suffix(';')) {
                let module = path.with_file_name(name);
                let of_module = |file: &&PathBuf| {
                    file.with_extension("") == module || file.starts_with(&module)
                };
                found.extend(files.iter().filter(of_module).cloned());
            }
        }
    }
    found
}

fn without_tests_and_comments(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..end]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn modules_use_only_those_that_they_may() {
    let may_use: BTreeMap<_, _> = MAY_USE.into_iter().collect();
    let is_for_all = |module: &str| ["digest", "in_order", "named", "share"].contains(&module);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for source in sources() {
        if is_for_all(&source.module) || ["lib", "main", "cli"].contains(&&*source.module) {
            continue;
        }
        let allowed = may_use
            .get(source.module.as_str())
            .unwrap_or_else(|| panic!("{} belongs to no module", source.name));
        let named = paths(&source.code, "crate::").into_iter();
        for used in named.map(|mut path| path.remove(0)) {
            if used == source.module || is_for_all(&used) {
                continue;
            }
            if !allowed.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}", source.name));
            }
            seen.insert((source.module.clone(), used));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let edges = MAY_USE.iter().flat_map(|(module, allowed)| {
        allowed
            .iter()
            .map(|used| ((*module).to_owned(), (*used).to_owned()))
    });
    let unused: Vec<_> = edges.filter(|edge| !seen.contains(edge)).collect();
    assert!(unused.is_empty(), "strike these from the table: {unused:?}");
}

#[test]
fn the_library_never_sees_the_command_line() {
    for source in sources() {
        let is_cli = matches!(source.module.as_str(), "main" | "cli");
        assert!(is_cli || !source.code.contains("cli::"), "{}", source.name);
        assert!(
            !is_cli || paths(&source.code, "crate::").is_empty(),
            "{}: the library is robocensus::, the command line super::",
            source.name
        );
    }
}

/// What a user of the command line can do is for the command line to say: the library has other
/// callers. Comments of tables are texts that users see.
#[test]
fn the_library_names_no_flag_of_the_command_line() {
    for source in sources() {
        let shown = source.text.lines().map(str::trim_start);
        let shown = shown.filter(|line| line.starts_with("/// "));
        let texts = source.code.lines().chain(shown);
        let named: Vec<_> = texts.filter(|line| names_a_flag(line)).collect();
        let is_cli = matches!(source.module.as_str(), "main" | "cli");
        assert!(is_cli || named.is_empty(), "{}: {named:?}", source.name);
    }
    assert!(names_a_flag("give --out DIR") && names_a_flag("(--out)"));
    assert!(!names_a_flag("xn--mller-kva.eu") && !names_a_flag("a -- b"));
}

/// Returns true if and only if two hyphens of a line begin a word, as in `--out`.
fn names_a_flag(line: &str) -> bool {
    line.match_indices("--").any(|(at, _)| {
        let is_inside = line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        !is_inside && line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
    })
}

#[test]
fn dependencies_with_a_module_of_their_own_stay_in_it() {
    for source in sources() {
        for (name, modules) in ONLY_IN {
            let is_allowed = modules
                .iter()
                .any(|module| Path::new(&source.name).starts_with(module));
            assert!(
                is_allowed || !names(&source.code, name),
                "{} names {name}",
                source.name
            );
        }
    }
}

/// Returns true if and only if `code` holds `word` and not as the end of a longer name.
fn names(code: &str, word: &str) -> bool {
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[test]
fn parsing_does_no_input_and_output() {
    for source in sources().iter().filter(|source| {
        [
            "robots",
            "sniff",
            "page",
            "dataset/evaluation",
            "url",
            "report",
        ]
        .iter()
        .any(|module| Path::new(&source.name).starts_with(module))
    }) {
        for word in ["std::io", "println!", "print!", "std::env", "std::time"] {
            assert!(!source.code.contains(word), "{} names {word}", source.name);
        }
    }
}

#[test]
fn only_two_files_hold_code_that_the_compiler_cannot_check() {
    for source in sources() {
        let holds = source.code.contains("unsafe ");
        assert_eq!(
            holds,
            UNSAFE_FILES.contains(&source.name.as_str()),
            "{}",
            source.name
        );
    }
}

#[test]
fn nothing_gives_up_without_saying_why_it_cannot_happen() {
    for source in sources() {
        for word in [".unwrap()", "todo!", "unimplemented!", "dbg!", "panic!("] {
            assert!(!source.code.contains(word), "{}: {word}", source.name);
        }
    }
}

#[test]
fn every_file_begins_by_saying_what_it_is() {
    let tests = files_with_end(&package().join("tests"), "rs").into_iter();
    let ours = tests.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (path.display().to_string(), text)
    });
    for (name, text) in sources()
        .into_iter()
        .map(|source| (source.name, source.text))
        .chain(ours)
    {
        assert!(text.starts_with("//! "), "{name}");
        assert!(
            text.lines().count() <= MOST_LINES,
            "{name}: {} lines; split it along a noun",
            text.lines().count()
        );
    }
}

#[test]
fn no_file_knows_a_machine() {
    // Written apart, so that this file does not hold them. The folder of temporary files is a
    // common path-pattern, so it counts at the beginning of a path of files only.
    let machine = [
        ["/ro", "ot/"],
        ["/wo", "rk/"],
        ["/ho", "me/"],
        ["/Us", "ers/"],
        ["/tm", "p/bash"],
        ["C:", "\\"],
    ]
    .map(|parts| parts.concat());
    let mut n_files = 0;
    for path in files_of_package() {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        n_files += 1;
        for word in &machine {
            let is_there = text
                .lines()
                .any(|line| line.contains(word.as_str()) && !line.contains("Disallow: "));
            assert!(!is_there, "{} names {word}", path.display());
        }
    }
    assert!(n_files > 100, "{n_files}");
}

/// Whoever asks for the folder by itself would skip its test where it must fail: `util::shared`
/// decides that.
#[test]
fn only_one_function_knows_the_folder_beside_the_package() {
    let files = ["src", "tests"].map(|folder| files_with_end(&package().join(folder), "rs"));
    let holds = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut code = text.lines().map(str::trim_start);
        code.any(|line| !line.starts_with("//") && line.contains("../shared/"))
    };
    let mut found = files.concat();
    found.retain(|path| !path.ends_with("tests/tidy/mod.rs") && holds(path));
    assert_eq!(found, [package().join("tests/util/mod.rs")]);
}

/// A reader of the repository can look a rule up only in what is published.
#[test]
fn rules_are_cited_from_published_sources() {
    // Written apart, so that this file does not hold them.
    let unpublished = [
        ["SPEC s", "ection"],
        ["SPEC, s", "ection"],
        ["SPEC", ".md"],
        ["SPEC o", "f "],
    ];
    let unpublished = unpublished.map(|parts| parts.concat());
    for path in files_of_package() {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for word in &unpublished {
            assert!(!text.contains(word.as_str()), "{}: {word}", path.display());
        }
    }
}

/// Returns all files but those that `.gitignore` names and the history.
fn files_of_package() -> Vec<PathBuf> {
    let ignored = fs::read_to_string(package().join(".gitignore")).unwrap_or_default();
    let ignored: Vec<_> = ignored
        .lines()
        .map(|line| line.trim_matches('/'))
        .chain([".git"])
        .collect();
    let mut files = Vec::new();
    for entry in fs::read_dir(package()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if ignored.contains(&name) {
            continue;
        }
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_targets_that_pages_name_are_there() {
    let makefile = read("Makefile");
    let targets: BTreeSet<_> = makefile
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(target, _)| target)
        .collect();
    let mut n_named = 0;
    for (page, text) in pages() {
        for named in quoted(&text)
            .into_iter()
            .filter_map(|quoted| quoted.strip_prefix("make "))
        {
            for target in named.split(' ').filter(|word| !word.contains('=')) {
                assert!(
                    targets.contains(target),
                    "{}: make {target}",
                    page.display()
                );
                n_named += 1;
            }
        }
    }
    for target in read(".ci/run")
        .lines()
        .filter_map(|line| line.strip_prefix("make "))
    {
        assert!(targets.contains(target), ".ci/run: make {target}");
        n_named += 1;
    }
    assert!(n_named > 10, "{n_named}");
}

#[test]
fn the_files_that_pages_name_are_there() {
    let folders = [
        "src/",
        "tests/",
        "queries/",
        "docs/",
        "data-sample/",
        "benches/",
        "python/",
    ];
    for (page, text) in pages() {
        for quoted in quoted(&text) {
            let is_path = folders.iter().any(|folder| quoted.starts_with(folder));
            if is_path && !quoted.contains(['*', ' ', '<', '{']) {
                assert!(
                    package().join(quoted).exists(),
                    "{}: {quoted}",
                    page.display()
                );
            }
        }
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains(':')) {
            let target = page.with_file_name("").join(link);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn the_readme_is_one_screen() {
    let readme = read("README.md");
    let n_lines = readme.lines().count();
    assert!(n_lines <= 120, "{n_lines} lines");
    for line in readme.lines() {
        assert!(line.chars().count() <= 120, "{line}");
    }
}

#[test]
fn every_module_is_in_the_code_map() {
    let lib = sources()
        .into_iter()
        .find(|source| source.name == "lib.rs")
        .unwrap();
    for line in lib.code.lines() {
        if let Some(module) = line
            .strip_prefix("pub mod ")
            .and_then(|rest| rest.strip_suffix(';'))
        {
            // Errors are used by every module.
            let is_there = module == "error" || lib.text.contains(&format!("| [`{module}`] |"));
            assert!(is_there || module == "pipeline", "{module}");
        }
    }
}

fn read(name: &str) -> String {
    let path: &Path = &package().join(name);
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
