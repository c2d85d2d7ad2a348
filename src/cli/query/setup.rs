//! What comes before SQL: variables, views, and which files DuckDB may open.
//!
//! A query reads the files that the manifests of its datasets name, so that others which lie beside
//! them add no rows, and the files that `--set` names. SQL of a stranger can open no other one.

use std::{
    collections::BTreeMap,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use anyhow::{Context, bail};
use robocensus::dataset::{
    sink::{files_of_tables, is_remote},
    table::all_tables,
};

use super::{
    super::{duckdb, duckdb_s3},
    stored::{PAGE_VIEWS, VIEWS},
    tables::DatasetTables,
    views::{Names, Views, tables_read_by},
};

/// How the views find the files of a table where nothing says which they are.
const PATTERNS: [&str; 2] = [
    "literal_path(coalesce(dataset, error('expected SET VARIABLE data = ''DIR'', the folder of a dataset'))) || '/' || name || '/**/*.parquet'",
    r"regexp_replace(getvariable('data'), '([*?\[])', '[\1]', 'g') || '/' || name || '/**/*.parquet'",
];
/// The folder in them.
const FOLDERS: [&str; 2] = ["dataset", "getvariable('data')"];
/// Tables that follow from the options of a dataset: those of one are those of all.
const OF_OPTIONS: [&str; 2] = ["dialects", "matrix_agents"];
/// The variable that says which they are: lists by the folders of tables.
const FILES: &str = "robocensus_files";

/// What comes before SQL.
#[derive(Default)]
pub struct Setup {
    variables: String,
    /// The views that SQL may read.
    pub views: Views,
    datasets: Vec<DatasetTables>,
    /// The files of each table of each dataset, by the folder of the table.
    files: BTreeMap<String, (String, Vec<String>)>,
    /// Other files that may be read.
    allowed: Vec<String>,
}

impl Setup {
    /// Returns a setup with views.
    pub fn new(views: Views) -> Self {
        Self {
            views,
            ..Self::default()
        }
    }

    /// Returns a setup with the views over datasets.
    pub fn of_datasets() -> Self {
        Self::new(Views::new(&[VIEWS, PAGE_VIEWS]))
    }

    /// Returns a setup with these views over some datasets that are asked as one.
    pub fn over(data: &[PathBuf]) -> anyhow::Result<Self> {
        let mut setup = Self::of_datasets();
        setup.add_dataset("data", data)?;
        Ok(setup)
    }

    /// Sets a variable to datasets that are asked as one, whose tables can be read then.
    pub fn add_dataset(&mut self, name: &str, roots: &[PathBuf]) -> anyhow::Result<()> {
        for root in roots {
            self.datasets.push(DatasetTables::read(root)?);
        }
        self.add_tables(name, roots)
    }

    /// Sets a variable to the first of some folders of tables, in which views find those of all.
    pub fn add_tables(&mut self, name: &str, roots: &[PathBuf]) -> anyhow::Result<()> {
        let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (index, root) in roots.iter().enumerate() {
            if is_remote(root) {
                self.variables.push_str(&duckdb_s3::access(root)?);
            }
            let folder = literal(root)?;
            let described = format!("{folder}/_dataset.json");
            self.allowed.push(pattern(&described));
            self.allowed.push(described);
            for (table, paths) in files_of_tables(root)? {
                if index == 0 || !OF_OPTIONS.contains(&table.as_str()) {
                    let paths = paths.iter().map(|path| format!("{folder}/{path}"));
                    tables.entry(table).or_default().extend(paths);
                }
            }
        }
        let Some(first) = roots.first() else {
            return Ok(());
        };
        let first = literal(first)?;
        for (table, paths) in tables {
            let key = format!("{first}/{table}");
            let asked = (table, paths);
            if self.files.get(&key).is_some_and(|known| *known != asked) {
                bail!("--before {first}: it is one of --data too; leave it out of them");
            }
            self.files.insert(key, asked);
        }
        self.set(name, &first);
        Ok(())
    }

    /// Returns why a dataset does not have what SQL of this program reads; `None` if it has.
    pub fn refusal(&self, sql: &str) -> Option<String> {
        let mut tables = tables_read_by(sql);
        tables.extend(self.views.tables_of(&self.views.read_by(sql)));
        // In the order of the schema.
        let tables: Vec<_> = all_tables()
            .map(|table| table.name)
            .filter(|name| tables.contains(name))
            .collect();
        self.datasets
            .iter()
            .find_map(|dataset| dataset.refusal(&tables))
    }

    /// Returns why DuckDB does not know a view, given its message; `None` where the datasets have
    /// what the view needs.
    pub fn reason(&self, message: &str) -> Option<String> {
        let (_, rest) = message.split_once(" with name ")?;
        let (name, _) = rest.split_once(" does not exist")?;
        let name = name.trim_matches('"').to_lowercase();
        self.refusal(&format!("FROM {name}"))
    }

    /// Returns the statements that make views and macros whose tables the datasets have.
    pub fn views_that_bind(&self, names: &Names) -> impl Iterator<Item = &'static str> {
        self.views
            .statements_that_bind(names, move |table| self.lacks(table))
    }

    /// Returns the statements of these views for the page of a publication, one each. Its engine
    /// reads no Parquet and knows no time zones: it has each table under another name.
    pub fn views_of_page(&self) -> Vec<String> {
        let files = format!("read_parquet({}, hive_partitioning = false)", PATTERNS[0]);
        let all = self.views.all();
        let made = self.views_that_bind(&all);
        let made = made.filter(|sql| sql.starts_with("CREATE "));
        let times = |sql: &str| sql.replace("TIMESTAMPTZ", "TIMESTAMP");
        made.map(|sql| times(sql).replace(&files, "query('FROM stored_' || name)"))
            .collect()
    }

    /// Returns the other views and macros, with the tables that these need and a dataset lacks.
    pub fn lacking(&self) -> BTreeMap<&'static str, Vec<&'static str>> {
        let lacking = self.views.all().into_iter().map(|name| {
            let tables = self.views.tables_of(&Names::from([name]));
            let lacking = tables.into_iter().filter(|table| self.lacks(table));
            (name, lacking.collect::<Vec<_>>())
        });
        lacking.filter(|(_, tables)| !tables.is_empty()).collect()
    }

    fn lacks(&self, table: &str) -> bool {
        self.datasets.iter().any(|dataset| !dataset.has(table))
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

    /// Returns the statements before SQL, with these views as far as the datasets have their
    /// tables.
    pub fn script(&self, sql: &str, names: &Names) -> anyhow::Result<String> {
        let mut views: String = self.views_that_bind(names).collect();
        for (pattern, folder) in PATTERNS.iter().zip(FOLDERS) {
            let named =
                format!("coalesce(getvariable('{FILES}')[{folder} || '/' || name], [{pattern}])");
            views = views.replace(pattern, &named);
        }
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

    /// Returns SQL of this program with what it needs before it.
    pub fn with(&self, sql: &str) -> anyhow::Result<String> {
        Ok(self.script(sql, &self.views.read_by(sql))? + sql)
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
