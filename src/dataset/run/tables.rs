//! The builders and encoders of all tables: where one worker appends its rows.

use std::{ops::Range, sync::Arc};

use super::config::Config;
use crate::{
    archive::error::Error,
    dataset::{
        sink::{Encoder, Format, RowGroup},
        table::{
            Columns, PAGE_PART_TABLES, PART_TABLES, Table, TableBuilder, agents::AgentsBuilder,
            archive_errors::ArchiveErrorsBuilder, archive_skips::ArchiveSkipsBuilder,
            archives::ArchivesBuilder, captures::CapturesBuilder, comments::CommentsBuilder,
            directives::DirectivesBuilder, errors::ErrorsBuilder, groups::GroupsBuilder,
            page_directives::PageDirectivesBuilder, page_policies::PagePoliciesBuilder,
            pages::PagesBuilder, response_errors::ResponseErrorsBuilder,
            robots_bodies::RobotsBodiesBuilder, rules::RulesBuilder, signals::SignalsBuilder,
            verdict_sets::VerdictSetsBuilder,
        },
    },
};

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches, and as many as make a page of a file.
pub(super) const BATCH_ROWS: usize = 20 * 1024;
/// Bytes of text at which a batch ends before it has as many rows: a row may have a line as long as
/// its file.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of encoded rows at which they are handed over, so that archives of any size take no more
/// memory than small ones.
pub(super) const HAND_OVER_BYTES: usize = 16 * 1024 * 1024;

/// One builder and one encoder for each table.
pub(super) struct Tables {
    pub(super) archives: ArchivesBuilder,
    pub(super) archive_errors: ArchiveErrorsBuilder,
    pub(super) archive_skips: ArchiveSkipsBuilder,
    pub(super) captures: CapturesBuilder,
    pub(super) groups: GroupsBuilder,
    pub(super) agents: AgentsBuilder,
    pub(super) rules: RulesBuilder,
    pub(super) directives: DirectivesBuilder,
    pub(super) signals: SignalsBuilder,
    pub(super) comments: CommentsBuilder,
    pub(super) errors: ErrorsBuilder,
    pub(super) response_errors: ResponseErrorsBuilder,
    /// Those of large matrices, which the assembler does not hold.
    pub(super) verdict_sets: VerdictSetsBuilder,
    /// In a run that reads pages.
    pub(super) of_pages: Option<PageTables>,
    /// In the order of [`PART_TABLES`] and [`PAGE_PART_TABLES`]; `None` for a table that is not
    /// written.
    encoders: Vec<Option<Encoder>>,
    encoded_bytes: usize,
}

/// The builders of [`PAGE_PART_TABLES`].
pub(super) struct PageTables {
    pub(super) pages: PagesBuilder,
    pub(super) page_directives: PageDirectivesBuilder,
    pub(super) page_policies: PagePoliciesBuilder,
    pub(super) robots_bodies: RobotsBodiesBuilder,
}

/// Finished row groups of every table that is written, in the order of [`formats`].
pub(super) type RowGroups = Vec<Vec<RowGroup>>;

/// Positions in [`PART_TABLES`], continued in [`PAGE_PART_TABLES`].
const ARCHIVES: usize = 0;
const ARCHIVE_ERRORS: usize = 1;
const ARCHIVE_SKIPS: usize = 2;
const CAPTURES: usize = 3;
pub(super) const GROUPS: usize = 4;
pub(super) const AGENTS: usize = 5;
pub(super) const RULES: usize = 6;
pub(super) const DIRECTIVES: usize = 7;
pub(super) const SIGNALS: usize = 8;
pub(super) const COMMENTS: usize = 9;
pub(super) const ERRORS: usize = 10;
pub(super) const RESPONSE_ERRORS: usize = 11;
/// Its rows are written by the assembler, which knows the vectors of other tasks, except those of
/// large matrices.
const VERDICT_SETS: usize = 12;
/// Its rows are written by the assembler alone.
#[cfg(test)]
const POLICY_SETS: usize = 13;
const PAGES: usize = 14;
const PAGE_DIRECTIVES: usize = 15;
const PAGE_POLICIES: usize = 16;
pub(super) const ROBOTS_BODIES: usize = 17;

/// Returns the layouts of the tables of a part that are written, with key-value metadata for their
/// files.
pub(super) fn formats(
    config: &Config,
    metadata: &[(String, String)],
) -> Result<Vec<Arc<Format>>, Error> {
    let of_pages = if config.pages { PAGE_PART_TABLES } else { &[] };
    let tables = PART_TABLES.iter().chain(of_pages);
    tables
        .filter(|table| config.tables.contains(table.name))
        .map(|table| Ok(Arc::new(Format::new(table, metadata)?)))
        .collect()
}

/// Returns the position of a table's layout among those of the tables that are written.
pub(super) fn position(formats: &[Arc<Format>], table: &Table) -> Option<usize> {
    formats
        .iter()
        .position(|format| format.name() == table.name)
}

impl Tables {
    pub(super) fn new(config: &Config, options_digest: &str, formats: &[Arc<Format>]) -> Self {
        let dialects = config.dialect_names();
        let encoder = |table| Some(Encoder::new(formats[position(formats, table)?].clone()));
        Self {
            archives: ArchivesBuilder::new(options_digest),
            archive_errors: ArchiveErrorsBuilder::default(),
            archive_skips: ArchiveSkipsBuilder::new(),
            captures: CapturesBuilder::new(),
            groups: GroupsBuilder::default(),
            agents: AgentsBuilder::new(&config.matrix),
            rules: RulesBuilder::new(),
            directives: DirectivesBuilder::default(),
            signals: SignalsBuilder::new(),
            comments: CommentsBuilder::default(),
            errors: ErrorsBuilder::default(),
            response_errors: ResponseErrorsBuilder::default(),
            verdict_sets: VerdictSetsBuilder::new(&config.matrix, &dialects),
            of_pages: config.pages.then(|| PageTables {
                pages: PagesBuilder::default(),
                page_directives: PageDirectivesBuilder::new(),
                page_policies: PagePoliciesBuilder::new(&config.matrix),
                robots_bodies: RobotsBodiesBuilder::default(),
            }),
            encoders: PART_TABLES
                .iter()
                .chain(PAGE_PART_TABLES)
                .map(encoder)
                .collect(),
            encoded_bytes: 0,
        }
    }

    /// Returns true if and only if a table is written, so that it may have rows.
    pub(super) fn writes(&self, position: usize) -> bool {
        self.encoders[position].is_some()
    }

    /// Encodes the batches that are full.
    pub(super) fn encode_full(&mut self) -> Result<(), Error> {
        self.encode(BATCH_ROWS)
    }

    /// Appends `n` rows to a table, as many at a time as its batch takes: `n_rows` returns how many
    /// it has, and `append` appends those of a range.
    pub(super) fn in_batches(
        &mut self,
        n: usize,
        n_rows: impl Fn(&Self) -> usize,
        mut append: impl FnMut(&mut Self, Range<usize>),
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < n {
            let capacity = BATCH_ROWS.saturating_sub(n_rows(self)).max(1);
            let end = n.min(start + capacity);
            append(self, start..end);
            self.encode_full()?;
            start = end;
        }
        Ok(())
    }

    /// Returns about how many bytes of memory the encoded rows take.
    pub(super) fn memory_size(&self) -> usize {
        self.encoded_bytes
    }

    /// Encodes what is left and hands out the row groups of every table.
    pub(super) fn finish(&mut self) -> Result<RowGroups, Error> {
        self.encode(1)?;
        write(&mut self.encoders[ARCHIVES], &mut self.archives)?;
        write(&mut self.encoders[ARCHIVE_ERRORS], &mut self.archive_errors)?;
        write(&mut self.encoders[ARCHIVE_SKIPS], &mut self.archive_skips)?;
        self.encoded_bytes = 0;
        let encoders = self.encoders.iter_mut().flatten();
        encoders.map(Encoder::finish).collect()
    }

    fn encode(&mut self, at_least: usize) -> Result<(), Error> {
        let mut is_written = false;
        macro_rules! encode {
            ($tables:ident: $($table:ident $position:ident $($n_bytes:ident)?,)+) => {$(
                if $tables.$table.n_rows() >= at_least
                    $(|| $tables.$table.$n_bytes() >= BATCH_BYTES)?
                {
                    write(&mut self.encoders[$position], &mut $tables.$table)?;
                    is_written = true;
                }
            )+};
        }
        encode! {
            self:
            captures CAPTURES n_bytes,
            groups GROUPS,
            agents AGENTS n_bytes,
            rules RULES n_bytes,
            directives DIRECTIVES n_bytes,
            signals SIGNALS n_bytes,
            comments COMMENTS n_bytes,
            errors ERRORS,
            response_errors RESPONSE_ERRORS,
            verdict_sets VERDICT_SETS,
        }
        if let Some(tables) = &mut self.of_pages {
            encode! {
                tables:
                pages PAGES n_bytes,
                page_directives PAGE_DIRECTIVES n_bytes,
                page_policies PAGE_POLICIES,
                robots_bodies ROBOTS_BODIES n_bytes,
            }
        }
        // To add up the many columns after every capture would take longer than to append it.
        if is_written {
            let encoders = self.encoders.iter().flatten();
            self.encoded_bytes = encoders.map(Encoder::memory_size).sum();
        }
        Ok(())
    }
}

/// Encodes the rows of a builder.
fn write(encoder: &mut Option<Encoder>, rows: &mut impl TableBuilder) -> Result<(), Error> {
    let encoder = encoder.as_mut();
    let encoder = encoder.expect("only a table that is written has rows");
    encoder.write(rows.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dataset::table::CaptureKey,
        robots::{dialect::AgentLine, lines::Span},
    };

    #[test]
    fn a_batch_of_long_lines_is_encoded_before_it_has_many_rows() {
        let config = Config::new("");
        let formats = formats(&config, &[]).unwrap();
        let mut tables = Tables::new(&config, "run", &formats);
        let body = vec![b'a'; BATCH_BYTES / 4];
        let whole = Span {
            start: 0,
            end: body.len() as u32,
        };
        let line = AgentLine {
            group_index: 0,
            line: 1,
            value: whole,
            token: whole,
            is_wildcard: false,
        };
        let capture = CaptureKey {
            id: 1,
            host: "a.example",
        };
        tables.agents.append_all(capture, &body, &[line]);
        tables.encode_full().unwrap();
        assert_eq!(tables.agents.n_rows(), 1, "half of the bytes is not enough");
        let body = vec![b'b'; BATCH_BYTES / 4];
        tables.agents.append_all(capture, &body, &[line]);
        tables.encode_full().unwrap();
        assert_eq!(tables.agents.n_rows(), 0);
    }

    #[test]
    fn positions_name_the_tables_they_say() {
        let tables = [PART_TABLES, PAGE_PART_TABLES].concat();
        for (position, name) in [
            (ARCHIVES, "archives"),
            (ARCHIVE_ERRORS, "archive_errors"),
            (ARCHIVE_SKIPS, "archive_skips"),
            (CAPTURES, "captures"),
            (GROUPS, "groups"),
            (AGENTS, "agents"),
            (RULES, "rules"),
            (DIRECTIVES, "directives"),
            (SIGNALS, "signals"),
            (COMMENTS, "comments"),
            (ERRORS, "errors"),
            (RESPONSE_ERRORS, "response_errors"),
            (VERDICT_SETS, "verdict_sets"),
            (POLICY_SETS, "policy_sets"),
            (PAGES, "pages"),
            (PAGE_DIRECTIVES, "page_directives"),
            (PAGE_POLICIES, "page_policies"),
            (ROBOTS_BODIES, "robots_bodies"),
        ] {
            assert_eq!(tables[position].name, name);
        }
        assert_eq!(PART_TABLES.len(), POLICY_SETS + 1);
        assert_eq!(tables.len(), ROBOTS_BODIES + 1);
    }
}
