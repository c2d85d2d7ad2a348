//! Files of one folder use each other in one direction, so that each can be read before those that
//! use it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

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
    for folder in folders {
        let circles = circles(uses_in(folder, &sources));
        assert!(circles.is_empty(), "{}: {circles:#?}", folder.display());
    }
}

#[test]
fn a_circle_is_found() {
    let left = |uses: Value| {
        let uses: Uses = serde_json::from_value(uses).unwrap();
        circles(uses).into_keys().collect::<String>()
    };
    assert_eq!(left(json!({"a": ["b", "c"], "b": ["c"], "c": []})), "");
    let uses = json!({"a": ["d", "e"], "b": ["c"], "c": ["b"], "d": ["e"], "e": []});
    assert_eq!(left(uses), "bc");
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
    let of_mod = below.iter().filter(|(path, _)| path == Path::new("mod"));
    let taken = of_mod.flat_map(|(_, source)| paths(&source.code, "self::"));
    let taken = taken.filter(|path| path.len() > 1 && units.contains(&path[0]));
    let exported: BTreeMap<_, _> = taken
        .map(|mut path| (path.pop().unwrap(), path.swap_remove(0)))
        .collect();
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
            let of_mod = exported.get(named).filter(|_| !units.contains(named));
            let used = of_mod.unwrap_or(named);
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

/// Takes files away that use none of the others, again and again; what is left are the files of
/// circles and those that use them.
fn circles(mut uses: Uses) -> Uses {
    loop {
        let names: BTreeSet<_> = uses.keys().cloned().collect();
        uses.retain(|_, used| !used.is_disjoint(&names));
        if uses.len() == names.len() {
            return uses;
        }
    }
}
