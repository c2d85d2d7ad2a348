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
const ONLY_IN: [(&str, &str); 8] = [
    ("parquet::", "dataset/sink"),
    ("rayon::", "compare dataset"),
    ("clap:: anyhow:: indicatif:: tempfile::", "cli"),
    ("html5gum:: encoding_rs::", "page"),
    (
        "futures_util:: object_store:: reqwest:: tokio::",
        "archive/remote",
    ),
    (
        "std::fs",
        "archive/input cli compare/external/usage.rs dataset/sink",
    ),
    // The profiles of the AWS CLI, and what Linux says about processes.
    (
        "fs::",
        "archive/input archive/remote cli compare/external/usage.rs dataset/sink",
    ),
    ("File::", "archive/input cli dataset/sink"),
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

impl Source {
    /// Returns true if and only if it is in one of these folders, or one of these files.
    fn is_in(&self, paths: &str) -> bool {
        let mut paths = paths.split(' ');
        paths.any(|path| Path::new(&self.name).starts_with(path))
    }

    fn is_cli(&self) -> bool {
        matches!(self.module.as_str(), "main" | "cli")
    }
}

fn sources() -> Vec<Source> {
    let root = package().join("src");
    let files = files_with_end(&root, "rs");
    let test_files = test_files(&files);
    let source = |path: &PathBuf| {
        let (name, text) = (below(&root, path), fs::read_to_string(path).unwrap());
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
    };
    let sources: Vec<_> = files.iter().map(source).collect();
    assert!(sources.len() > 50);
    sources
}

/// Returns the files of modules that a `mod` line below `#[cfg(test)]` names.
fn test_files(files: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in files.iter().filter(|path| path.ends_with("mod.rs")) {
        let text = fs::read_to_string(path).unwrap();
        let modules = text.split("#[cfg(test)]\nmod ").skip(1);
        for name in modules.filter_map(|rest| rest.lines().next()?.strip_suffix(';')) {
            let module = path.with_file_name(name);
            let of_module =
                |file: &&PathBuf| file.with_extension("") == module || file.starts_with(&module);
            found.extend(files.iter().filter(of_module).cloned());
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
        let Source { name, code, .. } = &source;
        let says = "the library is robocensus::, the command line super::";
        if source.is_cli() {
            assert!(paths(code, "crate::").is_empty(), "{name}: {says}");
        } else {
            assert!(!code.contains("cli::"), "{name}");
        }
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
        let may = source.is_cli() || named.is_empty();
        assert!(may, "{}: {named:?}", source.name);
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
        for (words, modules) in ONLY_IN.iter().filter(|(_, modules)| !source.is_in(modules)) {
            let named: Vec<_> = words
                .split(' ')
                .filter(|word| names(&source.code, word))
                .collect();
            assert!(
                named.is_empty(),
                "{} names {named:?}, which is for {modules}",
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
    let pure = "robots sniff page dataset/evaluation url report";
    for source in sources().iter().filter(|source| source.is_in(pure)) {
        for word in ["std::io", "println!", "print!", "std::env", "std::time"] {
            assert!(!source.code.contains(word), "{} names {word}", source.name);
        }
    }
}

#[test]
fn only_two_files_hold_code_that_the_compiler_cannot_check() {
    for source in sources() {
        let holds = source.code.contains("unsafe ");
        let may = UNSAFE_FILES.contains(&source.name.as_str());
        assert_eq!(holds, may, "{}", source.name);
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
    let files = ["src", "tests"].map(|folder| files_with_end(&package().join(folder), "rs"));
    for path in files.concat() {
        let (text, name) = (fs::read_to_string(&path).unwrap(), path.display());
        assert!(text.starts_with("//! "), "{name}");
        let n = text.lines().count();
        assert!(n <= MOST_LINES, "{name}: {n} lines; split it along a noun");
    }
}

/// A reader of the repository has no other machine, and can look a rule up only in what is
/// published.
#[test]
fn no_file_knows_a_machine_or_an_unpublished_source() {
    // Written apart, so that this file does not hold them. The folder of temporary files is a
    // common path-pattern, so it counts at the beginning of a path of files only.
    let machine = "/ro+ot/ /wo+rk/ /ho+me/ /Us+ers/ /tm+p/bash C:+\\".replace('+', "");
    let unpublished = "SPEC s+ection|SPEC, s+ection|SPEC+.md|SPEC o+f ".replace('+', "");
    let mut n_files = 0;
    for path in files_of_package() {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        n_files += 1;
        let lines = text.lines().filter(|line| !line.contains("Disallow: "));
        let named = |word: &&str| lines.clone().any(|line| line.contains(word));
        let cited = |word: &&str| text.contains(word);
        let found = machine.split(' ').find(named);
        let found = found.or_else(|| unpublished.split('|').find(cited));
        assert_eq!(found, None, "{}", path.display());
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

/// Returns all files but those that `.gitignore` names and the history.
fn files_of_package() -> Vec<PathBuf> {
    let ignored = fs::read_to_string(package().join(".gitignore")).unwrap_or_default();
    let ignored = ignored.lines().map(|line| line.trim_matches('/'));
    let ignored: Vec<_> = ignored.chain([".git"]).collect();
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
    let targets = makefile.lines().filter_map(|line| line.split_once(':'));
    let targets: BTreeSet<_> = targets.map(|(target, _)| target).collect();
    let (ci, pages) = (read(".ci/run"), pages());
    let named = pages
        .iter()
        .flat_map(|(_, text)| quoted(text))
        .chain(ci.lines());
    let named = named.filter_map(|line| line.strip_prefix("make "));
    let named = named.flat_map(|words| words.split(' ').filter(|word| !word.contains('=')));
    let (known, unknown): (Vec<_>, Vec<_>) = named.partition(|target| targets.contains(target));
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(known.len() > 10, "{known:?}");
}

#[test]
fn the_files_that_pages_name_are_there() {
    let folders = "src/ tests/ queries/ docs/ data-sample/ benches/ python/";
    for (page, text) in pages() {
        for quoted in quoted(&text) {
            let is_path = folders.split(' ').any(|folder| quoted.starts_with(folder));
            if is_path && !quoted.contains(['*', ' ', '<', '{']) {
                let is_there = package().join(quoted).exists();
                assert!(is_there, "{}: {quoted}", page.display());
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
        let module = line.strip_prefix("pub mod ");
        if let Some(module) = module.and_then(|rest| rest.strip_suffix(';')) {
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
