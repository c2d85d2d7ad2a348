//! What comes before SQL: variables, views, and which files DuckDB may open.
//!
//! A query reads the files that the manifests of its datasets name, so that others which lie beside
//! them add no rows, and the files that `--set` names. SQL of a stranger can open no other one.

use std::{
    collections::BTreeMap,
    path::{MAIN_SEPARATOR, Path},
};

use anyhow::{Context, bail};
use robocensus::dataset::sink::{files_of_tables, is_remote};

use super::{
    super::{duckdb, duckdb_s3},
    references::needed,
};

/// How the views find the files of a table where nothing says which they are.
const PATTERNS: [&str; 2] = [
    "literal_path(coalesce(dataset, error('expected SET VARIABLE data = ''DIR'', the folder of a dataset'))) || '/' || name || '/**/*.parquet'",
    r"regexp_replace(getvariable('data'), '([*?\[])', '[\1]', 'g') || '/' || name || '/**/*.parquet'",
];
/// The folder in them.
const FOLDERS: [&str; 2] = ["dataset", "getvariable('data')"];
/// The variable that says which they are: lists by the folders of tables.
const FILES: &str = "robocensus_files";

/// What comes before SQL.
#[derive(Default)]
pub struct Setup {
    variables: String,
    views: String,
    /// The files of each table of each dataset, by the folder of the table.
    files: BTreeMap<String, (String, Vec<String>)>,
    /// Other files that may be read.
    allowed: Vec<String>,
}

impl Setup {
    /// Sets a variable to a dataset, whose tables can be read then.
    pub fn add_dataset(&mut self, name: &str, root: &Path) -> anyhow::Result<()> {
        if is_remote(root) {
            self.variables.push_str(&duckdb_s3::access(root)?);
        }
        let folder = literal(root)?;
        let described = format!("{folder}/_dataset.json");
        self.allowed.push(pattern(&described));
        self.allowed.push(described);
        for (table, paths) in files_of_tables(root)? {
            let paths = paths.iter().map(|path| format!("{folder}/{path}"));
            let key = format!("{folder}/{table}");
            self.files.insert(key, (table, paths.collect()));
        }
        self.set(name, &folder);
        Ok(())
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) {
        let value = duckdb::quoted(value);
        self.variables
            .push_str(&format!("SET VARIABLE {name} = {value};\n"));
    }

    /// Sets a variable to a value of the user, which may name a file to read.
    pub fn set_by_user(&mut self, name: &str, value: &str) {
        self.set(name, value);
        if Path::new(value).is_file() || value.contains("://") {
            self.allowed.push(value.to_owned());
        }
    }

    /// Adds views.
    pub fn add_views(&mut self, views: &str) {
        let mut views = views.to_owned();
        for (pattern, folder) in PATTERNS.iter().zip(FOLDERS) {
            let named =
                format!("coalesce(getvariable('{FILES}')[{folder} || '/' || name], [{pattern}])");
            views = views.replace(pattern, &named);
        }
        self.views.push_str(&views);
    }

    /// Returns the statements before SQL: with the views that it may need, or all.
    pub fn script(&self, sql: &str, is_whole: bool) -> anyhow::Result<String> {
        let views = match is_whole {
            true => self.views.clone(),
            false => needed(&self.views, sql),
        };
        let mut lists = Vec::new();
        let mut allowed = self.allowed.clone();
        for (folder, (table, paths)) in &self.files {
            let name = format!("'{table}'");
            if !views.contains(&name) && !sql.contains(&name) {
                continue;
            }
            let patterns: Vec<_> = paths.iter().map(|path| pattern(path)).collect();
            let names: Vec<_> = patterns.iter().map(|path| duckdb::quoted(path)).collect();
            lists.push(format!(
                "{}: [{}]",
                duckdb::quoted(folder),
                names.join(", ")
            ));
            allowed.extend(paths.iter().cloned());
            allowed.extend(patterns);
        }
        if lists.is_empty() {
            lists.push("'': ['']".to_owned());
        }
        allowed.push(duckdb::STANDARD_OUTPUT.to_owned());
        allowed.sort();
        allowed.dedup();
        Ok(format!(
            "{}SET VARIABLE {FILES} = MAP {{{}}};\n{views}{}",
            self.variables,
            lists.join(", "),
            duckdb::confined(&allowed)?
        ))
    }
}

/// Returns the pattern of DuckDB that only this path matches.
fn pattern(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for char in path.chars() {
        match char {
            '*' | '?' | '[' => pattern.extend(['[', char, ']']),
            char => pattern.push(char),
        }
    }
    pattern
}

/// Returns the path of a folder as `table_of` of the views needs it: absolute, since `~` and
/// `s3://` at the beginning of a path have a meaning to DuckDB; a URL stays as it is.
fn literal(folder: &Path) -> anyhow::Result<String> {
    if let Some(url) = folder.to_str().filter(|_| is_remote(folder)) {
        return Ok(url.trim_end_matches('/').to_owned());
    }
    let path = std::path::absolute(folder)
        .with_context(|| format!("{}: cannot find this folder", folder.display()))?;
    let is_readable = |path: &&str| MAIN_SEPARATOR == '\\' || !path.contains('\\');
    match path.to_str().filter(is_readable) {
        Some(path) => Ok(path.to_owned()),
        None => bail!(
            "{}: DuckDB cannot read a folder whose path has a backslash or is not UTF-8; rename it, or use a symbolic link",
            path.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use robocensus::report::comparison;

    use super::{super::VIEWS, *};

    #[test]
    fn the_views_read_the_files_of_manifests() {
        for (views, pattern) in [VIEWS, comparison::VIEWS].iter().zip(PATTERNS) {
            assert!(views.contains(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_value_stays_a_value_whatever_it_holds() {
        let mut setup = Setup::default();
        setup.set("url", "/a'; DROP TABLE x; --\n.shell y");
        assert_eq!(
            setup.variables,
            "SET VARIABLE url = '/a''; DROP TABLE x; --' || chr(10) || '.shell y';\n"
        );
    }

    #[test]
    fn a_path_is_no_pattern() {
        assert_eq!(pattern("/a[b]*/c?"), "/a[[]b][*]/c[?]");
    }
}
