//! Which tables a run writes: all, or those that were chosen.
//!
//! A choice is part of what a dataset is: it stands in its description, so that every reader knows
//! a table that was not chosen from one that is missing.

use std::path::Path;

use crate::{
    archive::error::Error,
    dataset::{
        sink::{DATASET_FILE, Dataset, LEFT_OUT},
        table::{
            PAGE_TABLES, all_tables, archive_errors, archive_skips, archives, bodies, captures,
            cohort, dialects, hosts, matrix_agents, page_robots, pages, policy_sets, redirects,
            verdict_sets,
        },
    },
};

/// The option of a dataset of a run that reads pages; others do not have it.
pub(in crate::dataset) const PAGES_OPTION: (&str, &str) = ("pages", "yes");

/// The option of a dataset of chosen tables; others do not have it.
pub(in crate::dataset) const TABLES_OPTION: &str = "tables";

/// The tables that every run writes: those in which every byte of its inputs is accounted for, that
/// to which all others refer, and three that state the options of the run.
const ALWAYS: [&str; 7] = [
    archives::TABLE.name,
    archive_errors::TABLE.name,
    archive_skips::TABLE.name,
    captures::TABLE.name,
    dialects::TABLE.name,
    matrix_agents::TABLE.name,
    cohort::TABLE.name,
];

/// The tables that a run writes: all by default, but `bodies` only in a run that reads pages or
/// where it is asked for.
///
/// `archives`, `archive_errors`, `archive_skips`, `captures`, `dialects`, `matrix_agents` and
/// `cohort` are among them, chosen or not. What only other tables need is not computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenTables {
    /// Those besides the ones that every run writes, in their order; `None` for all.
    chosen: Option<Vec<&'static str>>,
    /// Whether `bodies` is written besides all.
    adds_bodies: bool,
    /// Those that a publication was made without.
    left_out: Vec<String>,
}

/// The name by which `bodies` is asked for besides all other tables.
const ADDED_BODIES: &str = "+bodies";

impl WrittenTables {
    /// Returns a choice of tables, by their names; `+bodies` alone is all tables, and `bodies`
    /// besides.
    ///
    /// # Errors
    ///
    /// A name that is that of no table.
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let names: Vec<&str> = names.into_iter().map(str::trim).collect();
        if names == [ADDED_BODIES] {
            return Ok(Self {
                adds_bodies: true,
                ..Self::default()
            });
        }
        let is_unknown = |name: &&&str| !all().any(|table| table == **name);
        if let Some(name) = names.iter().find(is_unknown) {
            return Err(Error::usage(format!(
                "no table is called {name:?}; expected some of {}, or {ADDED_BODIES} alone",
                all().collect::<Vec<_>>().join(", ")
            )));
        }
        let is_chosen = |name: &&str| names.contains(name) && !ALWAYS.contains(name);
        let chosen: Vec<_> = all().filter(is_chosen).collect();
        Ok(Self {
            chosen: Some(chosen),
            ..Self::default()
        })
    }

    /// Returns the tables of a dataset.
    ///
    /// # Errors
    ///
    /// A description that cannot be read, or names a table that does not exist.
    pub(crate) fn of_dataset(root: &Path) -> Result<Self, Error> {
        let description = Dataset::read_description(root)?;
        let tables = match &description["options"][TABLES_OPTION] {
            serde_json::Value::Null => Ok(Self::default()),
            // What is no text names nothing, and is refused.
            names => Self::of_names(names.as_str().unwrap_or_default().split(',')),
        };
        let tables = tables.map_err(|error| {
            let message =
                format!("expected the option {TABLES_OPTION} with names of tables: {error}");
            Error::corrupt(root.join(DATASET_FILE), message)
        })?;
        let left_out = description[LEFT_OUT].as_array().into_iter().flatten();
        let left_out = left_out.filter_map(|name| name.as_str().map(str::to_owned));
        Ok(Self {
            left_out: left_out.collect(),
            ..tables
        })
    }

    /// Returns the tables that a publication was made without, which the dataset had.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Returns true if and only if a dataset is of use without a table.
    #[cfg(feature = "cli")]
    pub(crate) fn can_be_left_out(table: &str) -> bool {
        !ALWAYS.contains(&table)
    }

    /// Returns names by which the same tables are chosen; `None` for the default.
    pub fn names(&self) -> Option<String> {
        if self.adds_bodies {
            return Some(ADDED_BODIES.to_owned());
        }
        let chosen = self.chosen.as_ref()?;
        let first = [captures::TABLE.name];
        Some([&first, chosen.as_slice()].concat().join(","))
    }

    /// Returns names by which these tables are chosen besides, with those that they are made of.
    #[cfg(feature = "cli")]
    pub(crate) fn names_with(&self, tables: &[&str]) -> String {
        let Some(chosen) = &self.chosen else {
            return ADDED_BODIES.to_owned();
        };
        let sources: &[&str] = if tables.contains(&page_robots::TABLE.name) {
            &[pages::TABLE.name, bodies::TABLE.name]
        } else {
            &[]
        };
        let is_named = |name: &&str| {
            let mut lists = [&[captures::TABLE.name], &**chosen, tables, sources].into_iter();
            lists.any(|list| list.contains(name))
        };
        let names: Vec<_> = all().filter(is_named).collect();
        names.join(",")
    }

    /// Returns true if and only if a table is written, by its name; those of pages only in a run
    /// that reads pages, which has `bodies` too.
    pub fn contains(&self, table: &str) -> bool {
        if self.left_out.iter().any(|name| name == table) {
            return false;
        }
        let by_default = table != bodies::TABLE.name || self.adds_bodies;
        let chosen = self.chosen.as_ref();
        ALWAYS.contains(&table) || chosen.map_or(by_default, |chosen| chosen.contains(&table))
    }

    /// Returns true if and only if a run that reads pages, or does not, writes a table.
    pub(crate) fn includes(&self, table: &str, reads_pages: bool) -> bool {
        if table == bodies::TABLE.name {
            let is_left_out = self.left_out.iter().any(|name| name == table);
            return self.contains(table) || reads_pages && self.chosen.is_none() && !is_left_out;
        }
        self.contains(table) && (reads_pages || of_pages().all(|of_pages| of_pages != table))
    }

    /// Returns true if and only if a table is written that depends on where redirects lead.
    pub(crate) fn needs_redirects(&self) -> bool {
        self.contains(redirects::TABLE.name) || self.contains(hosts::TABLE.name)
    }

    /// Returns true if and only if no tables were chosen among all.
    #[cfg(feature = "cli")]
    pub(crate) fn has_all(&self) -> bool {
        self.chosen.is_none()
    }

    /// Returns true if and only if `page_robots` is written, in a run that reads pages.
    pub(crate) fn needs_page_robots(&self) -> bool {
        self.contains(page_robots::TABLE.name)
    }

    /// Returns true if and only if a table is written that follows from the answers to the matrix.
    pub(crate) fn needs_answers(&self) -> bool {
        let tables = [verdict_sets::TABLE, policy_sets::TABLE];
        tables.iter().any(|table| self.contains(table.name))
    }

    /// Refuses a dataset in the folder `root` that was written without any of these tables.
    pub(in crate::dataset) fn require(&self, root: &Path, tables: &[&str]) -> Result<(), Error> {
        if tables.iter().any(|table| self.contains(table)) {
            return Ok(());
        }
        let names = self.names().unwrap_or_default();
        let tables = tables.join(" or ");
        Err(Error::usage(format!(
            "{}: expected a dataset with the table {tables}, but it was written with {names}; run again with {tables} among the tables",
            root.display()
        )))
    }

    /// Refuses a choice that contradicts the other options of a run.
    pub(crate) fn check(&self, reads_pages: bool) -> Result<(), Error> {
        let Some(chosen) = &self.chosen else {
            return Ok(());
        };
        let has = |table: &str| chosen.contains(&table);
        let message = match (of_pages().find(|table| has(table)), reads_pages) {
            (Some(table), false) if table != bodies::TABLE.name => format!(
                "the table {table} is of runs that read pages, and this one does not; read pages, or leave the table out"
            ),
            (None, true) => format!(
                "the run reads pages, and no table of pages is chosen; choose some of {}, or do not read pages",
                of_pages().collect::<Vec<_>>().join(", ")
            ),
            _ if has(page_robots::TABLE.name)
                && !(has(pages::TABLE.name) && has(bodies::TABLE.name)) =>
            {
                "the table page_robots is made of the tables pages and bodies; choose them too, or leave it out".to_owned()
            }
            _ => return Ok(()),
        };
        Err(Error::usage(message))
    }
}

/// Returns the names of all tables.
fn all() -> impl Iterator<Item = &'static str> {
    all_tables().map(|table| table.name)
}

/// Returns the names of the tables of pages.
fn of_pages() -> impl Iterator<Item = &'static str> {
    PAGE_TABLES.iter().map(|table| table.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &str) -> WrittenTables {
        WrittenTables::of_names(names.split(',')).unwrap()
    }

    #[test]
    fn all_tables_are_written_unless_some_are_chosen() {
        let default = WrittenTables::default();
        let absent = |tables: &WrittenTables, pages| -> Vec<_> {
            all()
                .filter(|table| !tables.includes(table, pages))
                .collect()
        };
        let of_pages: Vec<_> = of_pages().collect();
        assert_eq!(absent(&default, false), of_pages);
        assert!(absent(&default, true).is_empty());
        assert_eq!(default.names(), None);
        let added = of("+bodies");
        let without_bodies = absent(&added, false);
        assert_eq!(without_bodies.len(), of_pages.len() - 1);
        assert!(!without_bodies.contains(&"bodies"));
        assert!(absent(&added, true).is_empty());
        assert_eq!(of(&added.names().unwrap()), added);
        assert!(WrittenTables::of_names(["+bodies", "rules"]).is_err());
        let some = of("verdict_sets,rules");
        let written: Vec<_> = all().filter(|table| some.contains(table)).collect();
        let wanted = [
            "archives",
            "archive_errors",
            "archive_skips",
            "captures",
            "rules",
            "verdict_sets",
        ];
        assert_eq!(
            written,
            [&wanted[..], &["dialects", "matrix_agents", "cohort"]].concat()
        );
    }

    #[test]
    fn the_same_tables_have_one_name_whatever_their_order() {
        for names in [
            "rules,groups",
            "captures,groups,rules,rules",
            "groups,archives,rules",
        ] {
            assert_eq!(of(names), of("groups,rules"));
            assert_eq!(of(names).names().as_deref(), Some("captures,groups,rules"));
        }
        assert_eq!(of("captures").names().as_deref(), Some("captures"));
        assert_eq!(of(&of("policy_sets").names().unwrap()), of("policy_sets"));
    }

    #[test]
    fn what_no_table_needs_is_known() {
        let needs = |names: &str| {
            let tables = of(names);
            [tables.needs_answers(), tables.needs_redirects()]
        };
        assert_eq!(needs("captures,rules"), [false, false]);
        assert_eq!(needs("verdict_sets"), [true, false]);
        assert_eq!(needs("policy_sets"), [true, false]);
        assert_eq!(needs("redirects"), [false, true]);
        assert_eq!(needs("hosts"), [false, true]);
    }

    #[test]
    fn contradictions_are_refused_with_what_to_choose() {
        let error = |names: &str, pages| {
            let tables = WrittenTables::of_names(names.split(','));
            let checked = tables.and_then(|tables| tables.check(pages));
            checked.unwrap_err().to_string()
        };
        for (names, pages, said) in [
            (
                "rule",
                false,
                "no table is called \"rule\"; expected some of archives, ",
            ),
            ("", false, "no table is called \"\""),
            ("pages", false, "the table pages is of runs that read pages"),
            ("rules", true, "choose some of pages, page_directives, "),
            (
                "pages,page_robots",
                true,
                "pages and bodies; choose them too",
            ),
        ] {
            let error = error(names, pages);
            assert!(error.contains(said), "{names}: {error}");
        }
        assert!(of("pages,page_robots,bodies").check(true).is_ok());
        assert!(of("rules").check(false).is_ok());
        assert!(WrittenTables::default().check(true).is_ok());
    }
}
