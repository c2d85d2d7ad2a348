//! Files of one folder use each other in one direction, so that each can be read before those that
//! use it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{Source, sources};

/// The files and subfolders of one folder, each with those that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

#[test]
fn files_of_a_folder_do_not_use_each_other_in_circles() {
    let sources = sources();
    let folders: BTreeSet<&Path> = sources
        .iter()
        .filter_map(|source| Path::new(&source.name).parent())
        .filter(|folder| !folder.as_os_str().is_empty())
        .collect();
    assert!(folders.len() > 15, "{folders:?}");
    let mut circles = Vec::new();
    for folder in folders {
        let uses = uses_in(folder, &sources);
        circles.extend(
            circle(&uses).map(|circle| format!("{}: {}", folder.display(), circle.join(" -> "))),
        );
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn a_circle_is_found() {
    let uses = |pairs: &[(&str, &[&str])]| -> Uses {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let pairs = pairs.iter();
        pairs
            .map(|(name, used)| ((*name).to_owned(), owned(used)))
            .collect()
    };
    let straight = uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(circle(&straight), None);
    let round = uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    assert_eq!(circle(&round).unwrap(), ["b", "c", "b"]);
}

#[test]
fn names_behind_a_prefix_are_found() {
    let code =
        "use super::{a::{B, C}, d::{self, e}, F};\nlet x = super::g::h();\nuse not_super::i;\n";
    let found = paths(code, "super::");
    let found: Vec<_> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["a::B", "a::C", "d::self", "d::e", "F", "g::h"]);
}

/// Returns what the files and subfolders of a folder use of each other.
fn uses_in(folder: &Path, sources: &[Source]) -> Uses {
    let below: Vec<_> = sources
        .iter()
        .filter_map(|source| {
            let path = Path::new(&source.name).strip_prefix(folder).ok()?;
            Some((path.with_extension(""), source))
        })
        .collect();
    let unit = |path: &PathBuf| path.iter().next().unwrap().to_str().unwrap().to_owned();
    let units: BTreeSet<_> = below.iter().map(|(path, _)| unit(path)).collect();
    // Where the folder's mod.rs takes an item from, `super::Item` leads.
    let mut exported = BTreeMap::new();
    for (path, source) in &below {
        if path == Path::new("mod") {
            for path in paths(&source.code, "self::") {
                if path.len() > 1 && units.contains(&path[0]) {
                    exported.insert(path[path.len() - 1].clone(), path[0].clone());
                }
            }
        }
    }
    let mut uses = Uses::new();
    for (path, source) in &below {
        let user = unit(path);
        if user == "mod" {
            continue;
        }
        let is_mod = path.ends_with("mod");
        let depth = path.iter().count() - usize::from(is_mod);
        let absolute: Vec<_> = folder.iter().map(|name| name.to_str().unwrap()).collect();
        let from_crate = paths(&source.code, "crate::");
        let below_folder = from_crate.iter().filter_map(|path| {
            let is_below =
                path.len() > absolute.len() && absolute.iter().eq(&path[..absolute.len()]);
            is_below.then(|| path[absolute.len()..].to_vec())
        });
        let named = paths(&source.code, &"super::".repeat(depth))
            .into_iter()
            .chain(below_folder);
        for path in named {
            let named = &path[0];
            let used = if units.contains(named) {
                named
            } else {
                exported.get(named).unwrap_or(named)
            };
            if *used != user && units.contains(used) {
                uses.entry(user.clone()).or_default().insert(used.clone());
            }
        }
    }
    uses
}

/// Returns the paths behind `prefix`, those of trees one by one: `a::{b, c}` is two paths.
pub(super) fn paths(code: &str, prefix: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = &code[..at];
        if !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$')) {
            follow(&code[at + prefix.len()..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Appends the paths that `code` begins with, and returns what follows them.
fn follow<'c>(code: &'c str, so_far: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'c str {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() {
                return rest;
            }
            if let Some(rest) = rest.strip_prefix('}') {
                return rest;
            }
            rest = follow(rest, so_far, found);
        }
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let end = code.find(|c| !is_part(c)).unwrap_or(code.len());
    if end == 0 {
        let mut chars = code.chars();
        chars.next();
        return chars.as_str();
    }
    so_far.push(code[..end].to_owned());
    let rest = match code[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| is_part(c) || c == '{') => {
            follow(rest, so_far, found)
        }
        _ => {
            found.push(so_far.clone());
            &code[end..]
        }
    };
    so_far.pop();
    rest
}

/// Returns a circle, its first file repeated at the end, if there is one.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    fn visit(name: &str, uses: &Uses, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        if let Some(at) = way.iter().position(|known| known == name) {
            way.drain(..at);
            way.push(name.to_owned());
            return true;
        }
        if !done.insert(name.to_owned()) {
            return false;
        }
        way.push(name.to_owned());
        for used in uses.get(name).into_iter().flatten() {
            if visit(used, uses, way, done) {
                return true;
            }
        }
        way.pop();
        false
    }
    let mut done = BTreeSet::new();
    let mut way = Vec::new();
    uses.keys()
        .any(|name| visit(name, uses, &mut way, &mut done))
        .then_some(way)
}
